"""Pseudonyms and names of actors by viewer: the one place where ids and names of people go out."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from socle.domaine.acteurs import Acteur, SourceActeur
from socle.domaine.chiffrement import empreinte
from socle.domaine.registre import Registre
from socle.domaine.texte import identifiants_dans, masquer_identifiants

IDENTIFIE = "IDENTIFIE"
IDENTIFIANTS_MAX = 500  # look-alikes in the texts of one row: bounds the hashes of one write


@dataclass(frozen=True)
class DossierInconnu:
    """Null object for the report of a row when it cannot be told: has the row's owner, and hides it."""

    pk: UUID
    compte_id: UUID | None
    invite_id: UUID | None
    fusionne_de_id: UUID | None
    mode_identification: str = ""

    @classmethod
    def de(cls, ligne: Any) -> "DossierInconnu":
        return cls(ligne.pk, ligne.compte_id, ligne.invite_id, ligne.fusionne_de_id)


# Seam: "connus" -> (hashes) -> the hashes among them of guest sessions that exist.
guest_ids_connus: Registre[Callable[[set[str]], set[str]]] = Registre("identifiants d'invité", attendus=["connus"])


class Visage(Enum):
    SOI = "the viewer's own row"
    CACHE = "the owner of a report that hides its author"
    INVITE = "a guest, seen by somebody else"
    NOMME = "an account under its true name"


def visage(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> Visage:
    """Decide how the owner of an `AvecActeur` row is shown; `vu_par=None` is the least entitled viewer, as in events.

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
    if visage(ligne, vu_par=vu_par, dossier=dossier) is Visage.CACHE:
        return _("Invité") if _vient_d_un_invite(dossier) else _("Anonyme")
    return _("Invité") if ligne.invite_id else str(ligne.compte.nom_complet)


def source_montree(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> SourceActeur:
    """The kind of actor; for the hidden author of a report, the kind that created it, on every row of theirs."""
    if visage(ligne, vu_par=vu_par, dossier=dossier) is Visage.CACHE:
        return SourceActeur.GUEST if _vient_d_un_invite(dossier) else SourceActeur.AUTH_USER
    return SourceActeur.GUEST if ligne.invite_id else SourceActeur.AUTH_USER


def fusion_montree(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> bool:
    """True where a merge gave the row to its account; a hidden author alone is told it of their own rows."""
    return ligne.fusionne_de_id is not None and visage(ligne, vu_par=vu_par, dossier=dossier) is not Visage.CACHE


def pseudonyme(espece: str, cle: UUID) -> str:
    """A stable id in UUID form that leads nowhere: keyed, so it cannot be traced back."""
    return str(UUID(hex=empreinte(f"pseudonyme:{espece}", str(cle))[:32], version=4))


def empreinte_guest_id(guest_id: UUID) -> str:
    return empreinte("guest-id", guest_id.hex)


def sans_guest_ids(valeur: Any) -> Any:
    """Mask the ids of existing guest sessions in the strings of a JSON structure: whoever read one could open the case.

    Past IDENTIFIANTS_MAX every look-alike is masked without a look-up: only a text made for it has so many.
    """
    candidats = identifiants_dans(valeur, au_plus=IDENTIFIANTS_MAX)
    a_masquer = candidats and _connus(candidats)
    return valeur if a_masquer == set() else masquer_identifiants(valeur, a_masquer)


def masquer_ecrits(ligne: Any) -> None:
    """Mask guest ids in the columns that people write (`ECRITS`), in place, before anything is derived from them."""
    ecrits = {nom: getattr(ligne, nom) for nom in ligne.ECRITS}
    for nom, valeur in sans_guest_ids(ecrits).items():
        setattr(ligne, nom, valeur)


def _connus(candidats: set[str]) -> set[str]:
    """Filter the ids of existing guest sessions, by their hashes in one query."""
    empreintes = {empreinte_guest_id(UUID(candidat)): candidat for candidat in candidats}
    return {empreintes[trouvee] for trouvee in guest_ids_connus["connus"](set(empreintes))}


def _vient_d_un_invite(dossier: Any) -> bool:
    return bool(dossier.invite_id or dossier.fusionne_de_id)


def _meme_proprietaire(ligne: Any, dossier: Any) -> bool:
    return bool((ligne.compte_id, ligne.invite_id) == (dossier.compte_id, dossier.invite_id))
