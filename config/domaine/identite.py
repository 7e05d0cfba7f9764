"""Who an actor is, to others: the one place where ids and names of people go out."""

from enum import Enum
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from config.domaine.acteurs import Acteur
from config.domaine.chiffrement import empreinte
from config.domaine.texte import masquer_partout

IDENTIFIE = "IDENTIFIE"


class Visage(Enum):
    SOI = "the viewer's own row"
    CACHE = "the owner of a report that hides its author"
    INVITE = "a guest, seen by somebody else"
    NOMME = "an account under its true name"


def visage(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> Visage:
    """How the owner of an `AvecActeur` row is shown; `vu_par=None` is the least entitled, as in events.

    `dossier` is the report the row belongs to (itself, for a report): only IDENTIFIE names its owner.
    """
    if vu_par is not None and vu_par.possede(ligne):
        return Visage.SOI
    if dossier is not None and _meme_proprietaire(ligne, dossier) and dossier.mode_identification != IDENTIFIE:
        return Visage.CACHE
    return Visage.INVITE if ligne.invite_id else Visage.NOMME


def id_montre(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> str:
    """The true id, or a pseudonym in UUID form: of the report where it is anonymous, else of the guest."""
    match visage(ligne, vu_par=vu_par, dossier=dossier):
        case Visage.SOI if vu_par is not None and vu_par.est_invite:
            return str(vu_par.guest_id)
        case Visage.CACHE:
            return pseudonyme("signalement", dossier.pk)  # type: ignore[union-attr]
        case Visage.INVITE:
            return pseudonyme("invite", ligne.invite_id)
        case _:
            return str(ligne.compte_id)


def nom_montre(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> str:
    """The name that goes with `id_montre`; reads `ligne.compte` for a named account."""
    if ligne.invite_id:
        return _("Invité")
    if visage(ligne, vu_par=vu_par, dossier=dossier) is Visage.CACHE:
        return _("Anonyme")
    return str(ligne.compte.nom_complet)


def pseudonyme(espece: str, cle: UUID) -> str:
    """A stable id in UUID form that leads nowhere: keyed, so it cannot be traced back."""
    return str(UUID(hex=empreinte(f"pseudonyme:{espece}", str(cle))[:32], version=4))


def masquer_secrets(rendu: Any, ligne: Any, *, vu_par: Acteur | None) -> Any:
    """A guest id that its owner pasted into a text opens the case: others get it masked."""
    if not ligne.invite_id or (vu_par is not None and vu_par.possede(ligne)):
        return rendu
    return masquer_partout(rendu, ligne.invite.a_pour_identifiant)


def _meme_proprietaire(ligne: Any, dossier: Any) -> bool:
    return bool((ligne.compte_id, ligne.invite_id) == (dossier.compte_id, dossier.invite_id))
