"""Keyset pagination of a page: it goes on after the last row that was seen, whatever has left the list since."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db.models import Q

APRES, AVANT = "apres", "avant"
_ORIGINE = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECONDE = timedelta(microseconds=1)


class Reprise(NamedTuple):
    """A place in a list ordered by slice, by a moment, then by key: that of a row, and the side of it to go on to."""

    cote: str
    moment: datetime
    cle: UUID | int
    tranche: int = 0

    @classmethod
    def lue_dans(cls, demande: Mapping[str, Any], lire: Callable[[str], UUID | int] = UUID) -> Self | None:
        """Parse it from a query, its key by `lire`; None where there is none, or none that this page wrote."""
        cote = next((un for un in (APRES, AVANT) if demande.get(un)), "")
        microsecondes, _point, reste = str(demande.get(cote, ""))[:60].partition(".")
        cle, _point, tranche = reste.partition(".")
        try:
            return cls(cote, _ORIGINE + int(microsecondes) * _MICROSECONDE, lire(cle), abs(int(tranche or 0)))
        except (ValueError, OverflowError):
            return None

    @property
    def valeur(self) -> str:
        cle = self.cle.hex if isinstance(self.cle, UUID) else self.cle
        tranche = f".{self.tranche}" if self.tranche else ""
        return f"{(self.moment - _ORIGINE) // _MICROSECONDE}.{cle}{tranche}"


class Feuillet(NamedTuple):
    """Rows of one page, and the places of the pages before and after it, where there are any."""

    lignes: list[Any]
    precedente: Reprise | None
    suivante: Reprise | None


def feuillet(tranches: Sequence[Any], reprise: Reprise | None, *, champ: str, croissant: bool, taille: int) -> Feuillet:
    """Read a page of querysets that follow one another, each in the order of this column, then of the key.

    One statement a slice at most; back before the start is the start.
    """
    if reprise is not None and reprise.cote == AVANT:
        lues = _lire(tranches, reprise, champ, croissant, taille)[::-1]
        if len(lues) > taille:
            lues = lues[1:]
            return Feuillet(_lignes(lues), _place(AVANT, lues[0], champ), _place(APRES, lues[-1], champ))
        reprise = None
    lues = _lire(tranches, reprise, champ, croissant, taille)
    montrees = lues[:taille]
    precedente = None if reprise is None else reprise._replace(cote=AVANT)  # of a page that has emptied since
    if reprise is not None and montrees:
        precedente = _place(AVANT, montrees[0], champ)
    suivante = _place(APRES, montrees[-1], champ) if len(lues) > taille else None
    return Feuillet(_lignes(montrees), precedente, suivante)


def _lire(
    tranches: Sequence[Any], reprise: Reprise | None, champ: str, croissant: bool, taille: int
) -> list[tuple[int, Any]]:
    """The rows from a place on, in the sense of its side, one more than a page; each with the rank of its slice."""
    en_arriere = reprise is not None and reprise.cote == AVANT
    rangs = range(len(tranches))[::-1] if en_arriere else range(len(tranches))
    signe, sens = ("", "gt") if croissant != en_arriere else ("-", "lt")
    lues: list[tuple[int, Any]] = []
    for rang in rangs:
        lignes = tranches[rang].order_by(f"{signe}{champ}", f"{signe}id")
        if reprise is not None and rang == reprise.tranche:
            plus_loin = Q(**{f"{champ}__{sens}": reprise.moment}) | Q(**{f"id__{sens}": reprise.cle})
            lignes = lignes.filter(plus_loin, **{f"{champ}__{sens}e": reprise.moment})  # bounds the index
        elif reprise is not None and (rang < reprise.tranche) != en_arriere:
            continue
        lues += [(rang, ligne) for ligne in lignes[: taille + 1 - len(lues)]]
        if len(lues) > taille:
            break
    return lues


def _lignes(lues: list[tuple[int, Any]]) -> list[Any]:
    return [ligne for _rang, ligne in lues]


def _place(cote: str, lue: tuple[int, Any], champ: str) -> Reprise:
    tranche, ligne = lue
    moment = getattr(ligne, champ)
    if not isinstance(moment, datetime):  # a day
        moment = datetime.combine(moment, time.min, UTC)
    return Reprise(cote, moment, ligne.pk, tranche)
