"""Sentences for an act that is done, in the words of the state that it left: the address names the act alone."""

from typing import Any

from django.utils.translation import gettext as _

from accounts.models import Compte
from signalements.models import Signalement


def dire(acte: str, dossier: Signalement, rendu: dict[str, Any], moi: Compte) -> str:
    """One sentence for who has just done it, "" for no act."""
    phrases = {
        "statut": lambda: _("État : %(etat)s") % {"etat": _en_suite(dossier.get_statut_display())},
        "priorite": lambda: _("Priorité : %(priorite)s") % {"priorite": _en_suite(dossier.get_priorite_display())},
        "assigner": lambda: _confie(rendu, moi),
        "lus": lambda: _("Messages lus"),
        "repondre": lambda: _("Réponse envoyée"),
        "noter": lambda: _("Note ajoutée"),
        "lecteurs": lambda: _("Lecteurs du dossier enregistrés"),
        "equipe": lambda: _("Dossier confié"),
        "gel": lambda: _("Dossier gelé") if dossier.est_gele else _("Gel levé"),
    }
    return str(phrases[acte]()) if acte in phrases else ""


def _confie(rendu: dict[str, Any], moi: Compte) -> str:
    if str(rendu["gestionnaireId"]) == str(moi.pk):
        return _("Dossier pris")
    nom = rendu["gestionnaireNom"]
    return _("Dossier confié à %(nom)s") % {"nom": nom} if nom else _("Dossier confié")


def _en_suite(mot: str) -> str:
    return mot[:1].lower() + mot[1:]
