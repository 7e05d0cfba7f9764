"""Keyset pagination of a page: it goes on after the last row that was seen, whatever has left the list since."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db.models import Q

APRES, AVANT = "apres", "avant"
_ORIGINE = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECONDE = timedelta(microseconds=1)


class Reprise(NamedTuple):
    """A place in a list ordered by a moment, then by key: that of a row, and the side of it to go on to."""

    cote: str
    moment: datetime
    cle: UUID

    @classmethod
    def lue_dans(cls, demande: Mapping[str, Any]) -> Self | None:
        """Parse it from a query; None where there is none, or none that this page wrote."""
        cote = next((un for un in (APRES, AVANT) if demande.get(un)), "")
        microsecondes, _point, cle = str(demande.get(cote, ""))[:60].partition(".")
        try:
            return cls(cote, _ORIGINE + int(microsecondes) * _MICROSECONDE, UUID(cle))
        except (ValueError, OverflowError):
            return None

    @classmethod
    def de(cls, cote: str, ligne: Any, champ: str) -> Self:
        return cls(cote, getattr(ligne, champ), ligne.pk)

    @property
    def valeur(self) -> str:
        return f"{(self.moment - _ORIGINE) // _MICROSECONDE}.{self.cle.hex}"


class Feuillet(NamedTuple):
    """Rows of one page, and the places of the pages before and after it, where there are any."""

    lignes: list[Any]
    precedente: Reprise | None
    suivante: Reprise | None


def feuillet(lignes: Any, reprise: Reprise | None, *, champ: str, croissant: bool, taille: int) -> Feuillet:
    """Read a page of a queryset in the order of this column, then of the key; back before the start is the start."""
    if reprise is not None and reprise.cote == AVANT:
        lues = _lire(lignes, reprise, champ, not croissant, taille)[::-1]
        if len(lues) > taille:
            lues = lues[1:]
            return Feuillet(lues, Reprise.de(AVANT, lues[0], champ), Reprise.de(APRES, lues[-1], champ))
        reprise = None
    lues = _lire(lignes, reprise, champ, croissant, taille)
    montrees = lues[:taille]
    precedente = None if reprise is None else reprise._replace(cote=AVANT)  # of a page that has emptied since
    if reprise is not None and montrees:
        precedente = Reprise.de(AVANT, montrees[0], champ)
    return Feuillet(montrees, precedente, Reprise.de(APRES, montrees[-1], champ) if len(lues) > taille else None)


def _lire(lignes: Any, reprise: Reprise | None, champ: str, croissant: bool, taille: int) -> list[Any]:
    signe, sens = ("", "gt") if croissant else ("-", "lt")
    lignes = lignes.order_by(f"{signe}{champ}", f"{signe}id")
    if reprise is not None:
        plus_loin = Q(**{f"{champ}__{sens}": reprise.moment}) | Q(**{f"id__{sens}": reprise.cle})
        lignes = lignes.filter(plus_loin, **{f"{champ}__{sens}e": reprise.moment})  # bounds the index
    return list(lignes[: taille + 1])
