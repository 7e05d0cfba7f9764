from importlib import import_module

import pytest
from django.apps import apps

from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from resources.models import Attache, Fichier
from resources.tests import fabriques
from signalements.tests import fabriques as signalements


@pytest.mark.django_db
def test_les_fichiers_deja_la_apprennent_ou_ils_peuvent_aller(etudiante, gestionnaire, invite, monkeypatch):
    migration = import_module("discussions.migrations.0002_portees_des_fichiers")
    monkeypatch.setattr(migration, "LOT", 2)

    def fichier(qui, nom):
        return fabriques.fichier(acteur_de(qui), f"{nom}.txt")

    def dossier(qui, mode, *pieces):
        pieces = [piece.pk for piece in pieces]
        return signalements.signalement(acteur_de(qui), mode_identification=mode, pieces_jointes=pieces)

    libre, nomme, anonyme, ecrit, repondu, absorbe, partage, des_deux = (
        fichier(qui, nom)
        for qui, nom in (
            (etudiante, "libre"),
            (etudiante, "nomme"),
            (invite, "anonyme"),
            (invite, "ecrit"),
            (gestionnaire, "repondu"),
            (etudiante, "absorbe"),
            (etudiante, "partage"),
            (etudiante, "des deux"),
        )
    )
    dossier(etudiante, "IDENTIFIE", nomme)
    cache = dossier(invite, "ANONYME", anonyme)
    discussion = discussions.discussion(acteur_de(invite), signalement=cache)
    discussions.message(acteur_de(invite), discussion, pieces_jointes=[ecrit.pk])
    discussions.message(acteur_de(gestionnaire), discussion, pieces_jointes=[repondu.pk])
    joint, cas = dossier(etudiante, "IDENTIFIE", absorbe), dossier(etudiante, "ANONYME", des_deux)
    signalements.joindre(joint, cas)
    ressource = fabriques.ressource(etudiante, file_id=partage.pk)
    Attache.objects.filter(objet=ressource.pk).delete()
    Attache.objects.create(fichier=des_deux, sorte="poste", objet=joint.pk)
    Fichier.objects.update(portee="LIBRE", recherche="ancien nom")

    migration.destiner(apps, None)

    lignes = {f.nom.removesuffix(".txt"): f for f in Fichier.objects.all()}
    assert {nom: str(f.portee) for nom, f in lignes.items()} == {
        "libre": "LIBRE",
        "nomme": "OUVERTE",
        "anonyme": "ANONYME",
        "ecrit": "ANONYME",
        "repondu": "OUVERTE",
        "absorbe": "ANONYME",
        "partage": "OUVERTE",
        "des deux": "ANONYME",
    }
    caches = [f for f in lignes.values() if f.portee != "OUVERTE"]
    assert [f.recherche for f in caches] == [f"piece-{f.pk.hex[:8]}.txt" for f in caches]

    migration.revenir(apps, None)

    assert Fichier.objects.get(pk=libre.pk).recherche == "libre.txt"
