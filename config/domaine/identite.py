"""Who an actor is, to others: the one place where ids and names of people go out."""

from dataclasses import dataclass
from enum import Enum
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from config.domaine.acteurs import Acteur, SourceActeur
from config.domaine.chiffrement import empreinte
from config.domaine.registre import Registre
from config.domaine.texte import identifiants_dans, masquer_partout

IDENTIFIE = "IDENTIFIE"


@dataclass(frozen=True)
class DossierInconnu:
    """Stands for the report that a row may belong to, where nobody can tell: it hides the owner of the row."""

    pk: UUID
    compte_id: UUID | None
    invite_id: UUID | None
    fusionne_de_id: UUID | None
    mode_identification: str = ""

    @classmethod
    def de(cls, ligne: Any) -> "DossierInconnu":
        return cls(ligne.pk, ligne.compte_id, ligne.invite_id, ligne.fusionne_de_id)


# "connus" -> (hashes) -> those of guest sessions that exist.
guest_ids_connus = Registre()


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
    if visage(ligne, vu_par=vu_par, dossier=dossier) is Visage.CACHE:
        return _("Invité") if _vient_d_un_invite(dossier) else _("Anonyme")
    return _("Invité") if ligne.invite_id else str(ligne.compte.nom_complet)


def source_montree(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> SourceActeur:
    """The kind of actor; of a report that hides its author, the one it was created by, for every row of theirs."""
    if visage(ligne, vu_par=vu_par, dossier=dossier) is Visage.CACHE:
        return SourceActeur.GUEST if _vient_d_un_invite(dossier) else SourceActeur.AUTH_USER
    return SourceActeur.GUEST if ligne.invite_id else SourceActeur.AUTH_USER


def fusion_montree(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> bool:
    """Whether a merge gave the row to its account; of a report that hides its author, for that author alone."""
    return ligne.fusionne_de_id is not None and visage(ligne, vu_par=vu_par, dossier=dossier) is not Visage.CACHE


def pseudonyme(espece: str, cle: UUID) -> str:
    """A stable id in UUID form that leads nowhere: keyed, so it cannot be traced back."""
    return str(UUID(hex=empreinte(f"pseudonyme:{espece}", str(cle))[:32], version=4))


def empreinte_guest_id(guest_id: UUID) -> str:
    return empreinte("guest-id", guest_id.hex)


def secrets_colles(*textes: str) -> list[str]:
    """The hashes of the guest ids that these texts hold: kept beside them, so that reading needs no look-up."""
    empreintes = {empreinte_guest_id(identifiant) for texte in textes for identifiant in identifiants_dans(texte)}
    connues = guest_ids_connus.get("connus")
    return sorted(connues(empreintes)) if empreintes and connues else []


def masquer(rendu: Any, colles: list[str]) -> Any:
    """Without the guest ids whose hashes these are, wherever in the structure they stand."""
    return masquer_partout(rendu, lambda identifiant: empreinte_guest_id(identifiant) in colles) if colles else rendu


def masquer_secrets(rendu: Any, ligne: Any, *, vu_par: Acteur | None) -> Any:
    """A guest id pasted into a text opens a case: everybody but the writer of the row gets it masked."""
    return rendu if vu_par is not None and vu_par.possede(ligne) else masquer(rendu, ligne.secrets_colles)


def _vient_d_un_invite(dossier: Any) -> bool:
    return bool(dossier.invite_id or dossier.fusionne_de_id)


def _meme_proprietaire(ligne: Any, dossier: Any) -> bool:
    return bool((ligne.compte_id, ligne.invite_id) == (dossier.compte_id, dossier.invite_id))
