from django.db import models
from django.utils.translation import gettext_lazy as _


class Acte(models.TextChoices):
    """What was done; the value is stored and answered, the label is shown."""

    SIGNALEMENT_OUVERT = "SIGNALEMENT_OUVERT", _("Dossier ouvert")
    SIGNALEMENT_MONTRE = "SIGNALEMENT_MONTRE", _("Dossier montré dans une liste")
    SIGNALEMENTS_CHERCHES = "SIGNALEMENTS_CHERCHES", _("Dossiers cherchés")
    LECTEURS_CHANGES = "LECTEURS_CHANGES", _("Lecteurs d'un dossier changés")
    LECTEURS_CONSULTES = "LECTEURS_CONSULTES", _("Lecteurs d'un dossier consultés")
    GEL_CHANGE = "GEL_CHANGE", _("Gel d'un dossier posé ou levé")
    DOSSIERS_EFFACES = "DOSSIERS_EFFACES", _("Dossiers effacés, leur temps de garde passé")
    RESERVES_EFFACES = "RESERVES_EFFACES", _("Dossiers réservés effacés, leur temps de garde passé")
    DISCUSSION_OUVERTE = "DISCUSSION_OUVERTE", _("Discussion ouverte")
    FICHIER_OUVERT = "FICHIER_OUVERT", _("Fichier ouvert")
    CANAL_ECOUTE = "CANAL_ECOUTE", _("Canal écouté")
    EXPORT_DEMANDE = "EXPORT_DEMANDE", _("Export demandé")
    EXPORT_OUVERT = "EXPORT_OUVERT", _("Export d'autrui ouvert")
    EXPORT_TELECHARGE = "EXPORT_TELECHARGE", _("Export téléchargé")
    DONNEES_EXPORTEES = "DONNEES_EXPORTEES", _("Ses propres données téléchargées")
    CONNEXION = "CONNEXION", _("Connexion")
    CONNEXION_REFUSEE = "CONNEXION_REFUSEE", _("Connexion refusée")
    DECONNEXION = "DECONNEXION", _("Déconnexion")
    SECOND_FACTEUR_ACTIVE = "SECOND_FACTEUR_ACTIVE", _("Second facteur activé")
    SECOND_FACTEUR_RETIRE = "SECOND_FACTEUR_RETIRE", _("Second facteur retiré")
    SECOND_FACTEUR_REINITIALISE = "SECOND_FACTEUR_REINITIALISE", _("Second facteur réinitialisé")
    CODES_DE_SECOURS_REFAITS = "CODES_DE_SECOURS_REFAITS", _("Codes de secours refaits")
    CODE_DE_SECOURS_UTILISE = "CODE_DE_SECOURS_UTILISE", _("Code de secours utilisé")
    COMPTE_CREE = "COMPTE_CREE", _("Compte créé pour quelqu'un")
    COMPTE_MODIFIE = "COMPTE_MODIFIE", _("Compte d'autrui modifié")
    ROLE_CHANGE = "ROLE_CHANGE", _("Rôle changé")
    COMPTE_DESACTIVE = "COMPTE_DESACTIVE", _("Compte désactivé")
    COMPTE_REACTIVE = "COMPTE_REACTIVE", _("Compte réactivé")
    MOT_DE_PASSE_IMPOSE = "MOT_DE_PASSE_IMPOSE", _("Mot de passe remplacé")
    INVITATION_ENVOYEE = "INVITATION_ENVOYEE", _("Invitation envoyée")
    INVITATION_REVOQUEE = "INVITATION_REVOQUEE", _("Invitation révoquée")
    SESSION_INVITEE_CHANGEE = "SESSION_INVITEE_CHANGEE", _("Session invitée désactivée ou réactivée")
    FUSION = "FUSION", _("Session invitée rattachée")
    FUSION_ANNULEE = "FUSION_ANNULEE", _("Rattachement annulé")
    PERSONNE_EFFACEE = "PERSONNE_EFFACEE", _("Personne effacée")
    REGLAGES_CHANGES = "REGLAGES_CHANGES", _("Réglages changés")
    SAUVEGARDE_REMISE = "SAUVEGARDE_REMISE", _("Sauvegarde remise")
    REGISTRE_CONSULTE = "REGISTRE_CONSULTE", _("Registre consulté")
    REGISTRE_PURGE = "REGISTRE_PURGE", _("Registre purgé de ses lignes les plus anciennes")


class Sorte(models.TextChoices):
    """What `objet` is the id of."""

    SIGNALEMENT = "SIGNALEMENT", _("Dossier")
    DISCUSSION = "DISCUSSION", _("Discussion")
    FICHIER = "FICHIER", _("Fichier")
    COMPTE = "COMPTE", _("Compte")
    INVITATION = "INVITATION", _("Invitation")
    EXPORT = "EXPORT", _("Export")
    SESSION_INVITEE = "SESSION_INVITEE", _("Session invitée")
    FUSION = "FUSION", _("Rattachement")


# Kept for operators at the machine: read beside the dates of accounts, merges would tell who has reported; and who was
# shut out of a reserved case would learn that it was.
POUR_L_EXPLOITANT = (Acte.FUSION, Acte.FUSION_ANNULEE, Acte.RESERVES_EFFACES)
