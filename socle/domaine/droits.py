"""The table of rights by role, the only one that operations, doors, channels, pages and /roles ask.

A role is defined by its rights alone: a new one is a member of `Role` and a row of `DROITS`.
"""

from enum import StrEnum

from django.db import models
from django.utils.translation import gettext_lazy as _


class Droit(StrEnum):
    AIDE_CONSULTER = "aide.consulter"
    AIDE_GERER = "aide.gerer"
    CALENDRIER_CONSULTER = "calendrier.consulter"
    CALENDRIER_GERER = "calendrier.gerer"
    CALENDRIER_GERER_PARTICIPANTS = "calendrier.gerer_participants"
    CALENDRIER_S_INSCRIRE = "calendrier.s_inscrire"
    COMPTES_ACTIVER = "comptes.activer"
    COMPTES_CONSULTER_CARTE = "comptes.consulter_carte"  # another's name and role
    COMPTES_CONSULTER_CONNEXIONS = "comptes.consulter_connexions"
    COMPTES_CONSULTER_LE_SIEN = "comptes.consulter_le_sien"
    COMPTES_CREER = "comptes.creer"
    COMPTES_LISTER = "comptes.lister"
    COMPTES_MODIFIER = "comptes.modifier"  # anybody's
    COMPTES_MODIFIER_LE_SIEN = "comptes.modifier_le_sien"
    COMPTES_REINITIALISER_MOT_DE_PASSE = "comptes.reinitialiser_mot_de_passe"
    COMPTES_REINITIALISER_SECOND_FACTEUR = "comptes.reinitialiser_second_facteur"
    DELAIS_GERER = "delais.gerer"  # within which time something is promised, and whether anything is
    DISCUSSIONS_CONSULTER_TOUTES = "discussions.consulter_toutes"
    DISCUSSIONS_PARTICIPER = "discussions.participer"  # in one's own, and those of one's own reports
    DISCUSSIONS_PARTICIPER_A_TOUTES = "discussions.participer_a_toutes"  # open on any report, and write
    EQUIPES_GERER = "equipes.gerer"  # who is of which, and so reads its cases
    ESPACE_ADMINISTRER = "espace.administrer"  # every page of it
    ESPACE_ENTRER = "espace.entrer"  # sign in to the admin site, by a second factor too
    EVENEMENTS_ECOUTER = "evenements.ecouter"  # sockets, and what they missed
    FICHIERS_CONSULTER = "fichiers.consulter"  # what one may read by its case, message or post
    FICHIERS_CONSULTER_TOUS = "fichiers.consulter_tous"
    FICHIERS_SUPPRIMER_TOUS = "fichiers.supprimer_tous"
    FICHIERS_TELEVERSER = "fichiers.televerser"
    FORUM_CONSULTER_TOUS = "forum.consulter_tous"
    FORUM_EPINGLER = "forum.epingler"
    FORUM_MODERER = "forum.moderer"
    FORUM_PARTICIPER = "forum.participer"
    FORUM_SUPPRIMER_TOUT = "forum.supprimer_tout"
    FORUM_SURVEILLER_MOTS = "forum.surveiller_mots"
    INVITATIONS_GERER = "invitations.gerer"
    INVITES_CONSULTER = "invites.consulter"
    INVITES_DESACTIVER = "invites.desactiver"
    INVITES_RATTACHER = "invites.rattacher"  # a guest session to one's own account
    PREFERENCES_MODIFIER = "preferences.modifier"
    REGISTRE_CONSULTER = "registre.consulter"  # what staff did, and read
    REPONSES_GERER = "reponses.gerer"  # templates of replies, and what to know about each type of case
    RESSOURCES_AJOUTER = "ressources.ajouter"
    RESSOURCES_AJOUTER_TOUJOURS = "ressources.ajouter_toujours"  # also where the team alone may
    RESSOURCES_CONSULTER = "ressources.consulter"
    RESSOURCES_SUPPRIMER_TOUTES = "ressources.supprimer_toutes"
    ROLES_CONSULTER = "roles.consulter"
    SERVICE_SURVEILLER = "service.surveiller"
    SESSIONS_TENIR = "sessions.tenir"  # validate and end one's own
    SIGNALEMENTS_ASSIGNER = "signalements.assigner"
    SIGNALEMENTS_CHANGER_PRIORITE = "signalements.changer_priorite"
    SIGNALEMENTS_CHANGER_STATUT = "signalements.changer_statut"
    SIGNALEMENTS_CONSULTER_LES_SIENS = "signalements.consulter_les_siens"
    SIGNALEMENTS_CONSULTER_TOUS = "signalements.consulter_tous"
    SIGNALEMENTS_CREER = "signalements.creer"
    SIGNALEMENTS_GELER = "signalements.geler"  # keep a case from retention, or let it go again
    SIGNALEMENTS_LIRE_EN_EQUIPE = "signalements.lire_en_equipe"  # with notes and the staff-only fields
    SIGNALEMENTS_NOTER = "signalements.noter"
    SIGNALEMENTS_RESERVER = "signalements.reserver"  # say who of the team reads a case that one reads
    SIGNALEMENTS_ROUVRIR = "signalements.rouvrir"  # the same for any case that one was not shut out of
    SIGNALEMENTS_TRAITER = "signalements.traiter"  # be assigned cases, and count in the team
    STATS_CONSULTER_DE_TOUTES_LES_EQUIPES = "stats.consulter_de_toutes_les_equipes"  # numbers, never cases
    STATS_CONSULTER_EXPORTS = "stats.consulter_exports"
    STATS_CONSULTER_GLOBALES = "stats.consulter_globales"
    STATS_CONSULTER_LES_SIENNES = "stats.consulter_les_siennes"
    STATS_ECARTER_ALERTES = "stats.ecarter_alertes"
    STATS_EXPORTER = "stats.exporter"


class Role(models.TextChoices):
    UTILISATEUR = "UTILISATEUR", _("Utilisateur")
    GESTIONNAIRE = "GESTIONNAIRE", _("Gestionnaire")
    ADMIN_SYSTEME = "ADMIN_SYSTEME", _("Administrateur système")


# Role values stored by an earlier system -> the present role, which every read answers.
ROLES_HERITES = {"SUPERVISEUR": Role.ADMIN_SYSTEME, "MODERATEUR": Role.GESTIONNAIRE}

DESCRIPTIONS = {
    Role.UTILISATEUR: _("Signale, suit ses dossiers et participe à la vie du campus."),
    Role.GESTIONNAIRE: _("Reçoit, attribue et traite les signalements."),
    Role.ADMIN_SYSTEME: _("Gère les comptes, les invitations et le service ; lit ce que toute l'équipe lit."),
}

_INVITE = {
    Droit.DISCUSSIONS_PARTICIPER,
    Droit.EVENEMENTS_ECOUTER,
    Droit.FICHIERS_CONSULTER,
    Droit.FICHIERS_TELEVERSER,
    Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
    Droit.SIGNALEMENTS_CREER,
}
_UTILISATEUR = {
    Droit.AIDE_CONSULTER,
    Droit.CALENDRIER_CONSULTER,
    Droit.CALENDRIER_S_INSCRIRE,
    Droit.COMPTES_CONSULTER_CARTE,
    Droit.COMPTES_CONSULTER_LE_SIEN,
    Droit.COMPTES_MODIFIER_LE_SIEN,
    Droit.DISCUSSIONS_PARTICIPER,
    Droit.EVENEMENTS_ECOUTER,
    Droit.FICHIERS_CONSULTER,
    Droit.FICHIERS_TELEVERSER,
    Droit.FORUM_PARTICIPER,
    Droit.INVITES_RATTACHER,
    Droit.PREFERENCES_MODIFIER,
    Droit.RESSOURCES_AJOUTER,
    Droit.RESSOURCES_CONSULTER,
    Droit.SESSIONS_TENIR,
    Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
    Droit.SIGNALEMENTS_CREER,
    Droit.STATS_CONSULTER_LES_SIENNES,
}
_GESTIONNAIRE = _UTILISATEUR | {
    Droit.AIDE_GERER,
    Droit.CALENDRIER_GERER,
    Droit.CALENDRIER_GERER_PARTICIPANTS,
    Droit.COMPTES_LISTER,
    Droit.DISCUSSIONS_CONSULTER_TOUTES,
    Droit.DISCUSSIONS_PARTICIPER_A_TOUTES,
    Droit.ESPACE_ENTRER,
    Droit.FICHIERS_CONSULTER_TOUS,
    Droit.FORUM_CONSULTER_TOUS,
    Droit.FORUM_EPINGLER,
    Droit.FORUM_MODERER,
    Droit.FORUM_SURVEILLER_MOTS,
    Droit.RESSOURCES_AJOUTER_TOUJOURS,
    Droit.RESSOURCES_SUPPRIMER_TOUTES,
    Droit.SIGNALEMENTS_ASSIGNER,
    Droit.SIGNALEMENTS_CHANGER_PRIORITE,
    Droit.SIGNALEMENTS_CHANGER_STATUT,
    Droit.SIGNALEMENTS_CONSULTER_TOUS,
    Droit.SIGNALEMENTS_LIRE_EN_EQUIPE,
    Droit.SIGNALEMENTS_NOTER,
    Droit.SIGNALEMENTS_RESERVER,
    Droit.SIGNALEMENTS_TRAITER,
    Droit.STATS_CONSULTER_GLOBALES,
    Droit.STATS_ECARTER_ALERTES,
    Droit.STATS_EXPORTER,
}
_ADMIN = _GESTIONNAIRE | {
    Droit.COMPTES_ACTIVER,
    Droit.COMPTES_CONSULTER_CONNEXIONS,
    Droit.COMPTES_CREER,
    Droit.COMPTES_MODIFIER,
    Droit.COMPTES_REINITIALISER_MOT_DE_PASSE,
    Droit.COMPTES_REINITIALISER_SECOND_FACTEUR,
    Droit.DELAIS_GERER,
    Droit.EQUIPES_GERER,
    Droit.ESPACE_ADMINISTRER,
    Droit.FICHIERS_SUPPRIMER_TOUS,
    Droit.FORUM_SUPPRIMER_TOUT,
    Droit.INVITATIONS_GERER,
    Droit.INVITES_CONSULTER,
    Droit.INVITES_DESACTIVER,
    Droit.REGISTRE_CONSULTER,
    Droit.REPONSES_GERER,
    Droit.ROLES_CONSULTER,
    Droit.SERVICE_SURVEILLER,
    Droit.SIGNALEMENTS_GELER,
    Droit.SIGNALEMENTS_ROUVRIR,
    Droit.STATS_CONSULTER_DE_TOUTES_LES_EQUIPES,
    Droit.STATS_CONSULTER_EXPORTS,
}

DROITS: dict[str, frozenset[Droit]] = {
    Role.UTILISATEUR: frozenset(_UTILISATEUR),
    Role.GESTIONNAIRE: frozenset(_GESTIONNAIRE),
    Role.ADMIN_SYSTEME: frozenset(_ADMIN),
}
DROITS_INVITE = frozenset(_INVITE)

# Permissions of the admin site, each behind a right; ESPACE_ADMINISTRER has these and all others.
PERMISSIONS_ADMIN: dict[str, Droit] = {
    "calendrier.view_evenementcampus": Droit.CALENDRIER_GERER,
    "calendrier.add_evenementcampus": Droit.CALENDRIER_GERER,
    "calendrier.change_evenementcampus": Droit.CALENDRIER_GERER,
    "calendrier.view_participation": Droit.CALENDRIER_GERER_PARTICIPANTS,
    "calendrier.change_participation": Droit.CALENDRIER_GERER_PARTICIPANTS,
    **{
        f"echeances.{acte}_{table}": Droit.DELAIS_GERER
        for table in ("delai", "jourferme")
        for acte in ("view", "add", "change", "delete")
    },
    "equipes.view_equipe": Droit.EQUIPES_GERER,
    "equipes.view_reglederoutage": Droit.EQUIPES_GERER,
    "forum.view_poste": Droit.FORUM_CONSULTER_TOUS,
    "forum.change_poste": Droit.FORUM_MODERER,
    "forum.delete_poste": Droit.FORUM_SUPPRIMER_TOUT,
    "forum.view_commentaire": Droit.FORUM_CONSULTER_TOUS,
    "forum.delete_commentaire": Droit.FORUM_SUPPRIMER_TOUT,
    "forum.view_moderation": Droit.FORUM_MODERER,
    "forum.view_demandederelecture": Droit.FORUM_MODERER,
    "forum.view_motsurveille": Droit.FORUM_SURVEILLER_MOTS,
    "forum.add_motsurveille": Droit.FORUM_SURVEILLER_MOTS,
    "forum.change_motsurveille": Droit.FORUM_SURVEILLER_MOTS,
    "forum.delete_motsurveille": Droit.FORUM_SURVEILLER_MOTS,
    "guests.view_sessioninvitee": Droit.INVITES_CONSULTER,
    "guests.change_sessioninvitee": Droit.INVITES_DESACTIVER,
    "reponses.view_modeledereponse": Droit.REPONSES_GERER,
    "reponses.add_modeledereponse": Droit.REPONSES_GERER,
    "reponses.change_modeledereponse": Droit.REPONSES_GERER,
    "reponses.delete_modeledereponse": Droit.REPONSES_GERER,
    "reponses.view_orientation": Droit.REPONSES_GERER,
    "reponses.add_orientation": Droit.REPONSES_GERER,
    "reponses.change_orientation": Droit.REPONSES_GERER,
    "reponses.delete_orientation": Droit.REPONSES_GERER,
    "resources.view_faq": Droit.AIDE_GERER,
    "resources.add_faq": Droit.AIDE_GERER,
    "resources.change_faq": Droit.AIDE_GERER,
    "resources.delete_faq": Droit.AIDE_GERER,
    "resources.view_contacturgence": Droit.AIDE_GERER,
    "resources.add_contacturgence": Droit.AIDE_GERER,
    "resources.change_contacturgence": Droit.AIDE_GERER,
    "resources.delete_contacturgence": Droit.AIDE_GERER,
    "resources.view_ressource": Droit.RESSOURCES_SUPPRIMER_TOUTES,
    "resources.change_ressource": Droit.RESSOURCES_SUPPRIMER_TOUTES,
    "resources.view_fichier": Droit.FICHIERS_CONSULTER_TOUS,
    "resources.delete_fichier": Droit.FICHIERS_SUPPRIMER_TOUS,
}


def role_actuel(valeur: str) -> str:
    """The present role for a stored value, legacy ones included."""
    return ROLES_HERITES.get(valeur, valeur)


def droits_de(role: str) -> frozenset[Droit]:
    siens = DROITS.get(role)  # a present role, of nearly everybody
    return DROITS.get(role_actuel(role), frozenset()) if siens is None else siens


def a_le_droit(role: str, droit: str) -> bool:
    return droit in droits_de(role)


def roles_ayant(droit: Droit) -> list[str]:
    """The stored values of the roles that have this right, legacy ones included."""
    roles = [role for role, droits in DROITS.items() if droit in droits]
    return [*roles, *(ancien for ancien, actuel in ROLES_HERITES.items() if actuel in roles)]
