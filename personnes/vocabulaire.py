NOM = "mes-donnees"
DUREE_MAX = 600  # seconds after which an export that its process left is held for ended
LISEZMOI = """\
Vos données
===========

Ce fichier ZIP contient ce que le service garde de vous, comme il vous le montre :
votre compte ou votre espace, vos dossiers, leur historique, vos discussions et
leurs messages, ce que vous avez écrit ailleurs, vos inscriptions, vos sessions
ouvertes, vos fichiers et ceux de vos dossiers (dans « fichiers », décrits par
fichiers.json). Les fichiers .json se lisent avec un éditeur de texte.

Il n'y a ni vos mots de passe et codes, ni ce que l'équipe écrit pour elle-même,
ni ce que d'autres personnes gardent pour elles.

Ce fichier reste sur cet appareil, dans les téléchargements : « Quitter vite » ne
l'enlève pas. Sur un appareil partagé, déplacez-le ou effacez-le.

Your data
=========

This ZIP file holds what the service keeps about you, as it shows it to you: your
account or your space, your cases, their history, your conversations and their
messages, what you wrote elsewhere, your registrations, your open sessions, your
files and those of your cases (in "fichiers", described by fichiers.json). A text
editor reads the .json files.

It holds neither your passwords and codes, nor what the team writes for itself,
nor what other people keep to themselves.

This file stays on this device, among the downloads: "Exit quickly" does not take
it away. On a shared device, move it or delete it.
"""
