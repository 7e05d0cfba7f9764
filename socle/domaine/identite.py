"""Pseudonyms and names of actors by viewer: the one place where ids and names of people go out."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext_noop

from socle.domaine.acteurs import Acteur, SourceActeur
from socle.domaine.chiffrement import empreinte
from socle.domaine.langue import traduit
from socle.domaine.masquage import identifiants_dans, masquer_identifiants
from socle.domaine.registre import Registre

IDENTIFIE = "IDENTIFIE"
IDENTIFIANTS_MAX = 500  # look-alikes in the texts of one row: bounds the hashes of one write
PSEUDONYMES_RETENUS = 4_096  # a megabyte


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


_ANONYME, _INVITE = gettext_noop("Anonyme"), gettext_noop("Invité")
_GUEST, _AUTH_USER = SourceActeur.GUEST, SourceActeur.AUTH_USER  # naming a member is a call in Python 3.11

# Seam: "connus" -> (hashes) -> the hashes among them of guest sessions that exist.
guest_ids_connus: Registre[Callable[[set[str]], set[str]]] = Registre("identifiants d'invité", attendus=["connus"])


class Visage:
    """Form in which an `AvecActeur` row's owner is shown; `vu_par=None` is the least entitled viewer, as in events.

    `dossier` is the report the row belongs to (itself, for a report): only IDENTIFIE names its owner.
    """

    __slots__ = ("_cachant", "_soi", "ligne")

    def __init__(self, ligne: Any, vu_par: Acteur | None, dossier: Any | None) -> None:
        self.ligne = ligne
        # The viewer, of their own row.
        self._soi = vu_par if vu_par is not None and vu_par.possede(ligne) else None
        # Else the report, of a row of the author that it hides.
        self._cachant = dossier if self._soi is None and dossier is not None and _cache(dossier, ligne) else None

    @property
    def id(self) -> str:
        """The true id, or a pseudonym in UUID form: of the report where it is anonymous, else of the guest."""
        if self._soi is not None:
            return self._soi.identifiant
        if self._cachant is not None:
            return pseudonyme("signalement", self._cachant.pk)
        return pseudonyme("invite", self.ligne.invite_id) if self.ligne.invite_id else str(self.ligne.compte_id)

    @property
    def nom(self) -> str:
        """The name that goes with `id`; reads `ligne.compte` for a named account."""
        if self._cachant is not None:
            return traduit(_INVITE if _vient_d_un_invite(self._cachant) else _ANONYME)
        return traduit(_INVITE) if self.ligne.invite_id else str(self.ligne.compte.nom_complet)

    @property
    def source(self) -> SourceActeur:
        """The kind of actor; for the hidden author of a report, the kind that created it, on every row of theirs."""
        est_invite = _vient_d_un_invite(self._cachant) if self._cachant is not None else self.ligne.invite_id
        return _GUEST if est_invite else _AUTH_USER

    @property
    def est_fusionne(self) -> bool:
        """True where a merge gave the row to its account; a hidden author alone is told it of their own rows."""
        return self.ligne.fusionne_de_id is not None and self._cachant is None


def id_montre(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> str:
    return Visage(ligne, vu_par, dossier).id


def nom_montre(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> str:
    return Visage(ligne, vu_par, dossier).nom


def source_montree(ligne: Any, *, vu_par: Acteur | None, dossier: Any | None) -> SourceActeur:
    return Visage(ligne, vu_par, dossier).source


def pseudonyme(espece: str, cle: UUID) -> str:
    """A stable id in UUID form that leads nowhere: keyed, so it cannot be traced back."""
    return _pseudonyme(espece, str(cle), settings.HASH_KEY)


@lru_cache(maxsize=PSEUDONYMES_RETENUS)
def _pseudonyme(espece: str, cle: str, _cle_de_hachage: str) -> str:
    """Remembered: a page is read again and again, and a person writes many rows. Another HASH_KEY makes others."""
    return str(UUID(hex=empreinte(f"pseudonyme:{espece}", cle)[:32], version=4))


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


def _cache(dossier: Any, ligne: Any) -> bool:
    """True where the report hides its author, who owns the row."""
    est_le_sien = (ligne.compte_id, ligne.invite_id) == (dossier.compte_id, dossier.invite_id)
    return bool(est_le_sien and dossier.mode_identification != IDENTIFIE)
