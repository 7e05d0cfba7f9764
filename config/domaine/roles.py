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
    "comptes.consulter_carte",
    "comptes.modifier_le_sien",
    "discussions.participer",
    "preferences.modifier",
    "signalements.creer",
    "signalements.consulter_les_siens",
}
_GESTIONNAIRE = _UTILISATEUR | {
    "comptes.lister",
    "discussions.consulter_toutes",
    "invites.consulter",
    "invites.desactiver",
    "signalements.assigner",
    "signalements.changer_priorite",
    "signalements.changer_statut",
    "signalements.consulter_tous",
    "signalements.noter",
}
_ADMIN = _GESTIONNAIRE | {
    "comptes.activer",
    "comptes.creer",
    "comptes.modifier",
    "comptes.reinitialiser_mot_de_passe",
    "invitations.gerer",
    "roles.consulter",
    "service.surveiller",
}

DROITS: dict[str, frozenset[str]] = {
    Role.UTILISATEUR: frozenset(_UTILISATEUR),
    Role.GESTIONNAIRE: frozenset(_GESTIONNAIRE),
    Role.ADMIN_SYSTEME: frozenset(_ADMIN),
}

# Django admin permissions of a GESTIONNAIRE, each behind a right of the table above.
PERMISSIONS_ADMIN = {
    "guests.view_sessioninvitee": "invites.consulter",
    "guests.change_sessioninvitee": "invites.desactiver",
}


def role_actuel(valeur: str) -> str:
    """The present role for a stored value, legacy ones included."""
    return ROLES_HERITES.get(valeur, valeur)


def a_le_droit(role: str, droit: str) -> bool:
    return droit in DROITS.get(role_actuel(role), frozenset())
