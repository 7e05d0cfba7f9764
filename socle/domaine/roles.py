"""Roles and rights: the one table that the permission checks, the admin site and /roles read."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    UTILISATEUR = "UTILISATEUR", _("Utilisateur")
    GESTIONNAIRE = "GESTIONNAIRE", _("Gestionnaire")
    ADMIN_SYSTEME = "ADMIN_SYSTEME", _("Administrateur système")


EQUIPE = (Role.GESTIONNAIRE, Role.ADMIN_SYSTEME)

# Stored by an earlier system; a read of either answers the present role.
ROLES_HERITES = {"SUPERVISEUR": Role.ADMIN_SYSTEME, "MODERATEUR": Role.GESTIONNAIRE}

DESCRIPTIONS = {
    Role.UTILISATEUR: _("Signale, suit ses dossiers et participe à la vie du campus."),
    Role.GESTIONNAIRE: _("Reçoit, attribue et traite les signalements."),
    Role.ADMIN_SYSTEME: _("Gère les comptes, les invitations et le service."),
}

_UTILISATEUR = {
    "aide.consulter",
    "calendrier.consulter",
    "calendrier.s_inscrire",
    "comptes.consulter_carte",
    "comptes.modifier_le_sien",
    "discussions.participer",
    "fichiers.televerser",
    "forum.participer",
    "preferences.modifier",
    "ressources.ajouter",
    "ressources.consulter",
    "signalements.creer",
    "signalements.consulter_les_siens",
    "stats.consulter_les_siennes",
}
_GESTIONNAIRE = _UTILISATEUR | {
    "aide.gerer",
    "calendrier.gerer",
    "calendrier.gerer_participants",
    "comptes.lister",
    "discussions.consulter_toutes",
    "fichiers.consulter_tous",
    "forum.consulter_tous",
    "forum.epingler",
    "forum.moderer",
    "forum.surveiller_mots",
    "ressources.supprimer_toutes",
    "signalements.assigner",
    "signalements.changer_priorite",
    "signalements.changer_statut",
    "signalements.consulter_tous",
    "signalements.noter",
    "stats.consulter_globales",
    "stats.ecarter_alertes",
    "stats.exporter",
}
_ADMIN = _GESTIONNAIRE | {
    "comptes.activer",
    "comptes.consulter_connexions",
    "comptes.creer",
    "comptes.modifier",
    "comptes.reinitialiser_mot_de_passe",
    "fichiers.supprimer_tous",
    "forum.supprimer_tout",
    "invitations.gerer",
    "invites.consulter",
    "invites.desactiver",
    "roles.consulter",
    "service.surveiller",
    "stats.consulter_exports",
}

DROITS: dict[str, frozenset[str]] = {
    Role.UTILISATEUR: frozenset(_UTILISATEUR),
    Role.GESTIONNAIRE: frozenset(_GESTIONNAIRE),
    Role.ADMIN_SYSTEME: frozenset(_ADMIN),
}

# Django admin permissions of a GESTIONNAIRE, each behind a right of the table above.
PERMISSIONS_ADMIN = {
    "calendrier.view_evenementcampus": "calendrier.gerer",
    "calendrier.add_evenementcampus": "calendrier.gerer",
    "calendrier.change_evenementcampus": "calendrier.gerer",
    "calendrier.view_participation": "calendrier.gerer_participants",
    "calendrier.change_participation": "calendrier.gerer_participants",
    "forum.view_poste": "forum.consulter_tous",
    "forum.change_poste": "forum.moderer",
    "forum.delete_poste": "forum.supprimer_tout",
    "forum.view_commentaire": "forum.consulter_tous",
    "forum.delete_commentaire": "forum.supprimer_tout",
    "forum.view_moderation": "forum.moderer",
    "forum.view_motsurveille": "forum.surveiller_mots",
    "forum.add_motsurveille": "forum.surveiller_mots",
    "forum.change_motsurveille": "forum.surveiller_mots",
    "forum.delete_motsurveille": "forum.surveiller_mots",
    "guests.view_sessioninvitee": "invites.consulter",
    "guests.change_sessioninvitee": "invites.desactiver",
    "resources.view_faq": "aide.gerer",
    "resources.add_faq": "aide.gerer",
    "resources.change_faq": "aide.gerer",
    "resources.delete_faq": "aide.gerer",
    "resources.view_contacturgence": "aide.gerer",
    "resources.add_contacturgence": "aide.gerer",
    "resources.change_contacturgence": "aide.gerer",
    "resources.delete_contacturgence": "aide.gerer",
    "resources.view_ressource": "ressources.supprimer_toutes",
    "resources.change_ressource": "ressources.supprimer_toutes",
    "resources.view_fichier": "fichiers.consulter_tous",
    "resources.delete_fichier": "fichiers.supprimer_tous",
}


def role_actuel(valeur: str) -> str:
    """The present role for a stored value, legacy ones included."""
    return ROLES_HERITES.get(valeur, valeur)


def a_le_droit(role: str, droit: str) -> bool:
    return droit in DROITS.get(role_actuel(role), frozenset())
