"""Pages counted from 0, in the `items` form."""

from datetime import datetime
from typing import Any, Protocol

from django.http import QueryDict
from django.utils.translation import gettext as _
from rest_framework.pagination import BasePagination
from rest_framework.response import Response

from socle.api.renderers import Reussite
from socle.erreurs import ChampsInvalides
from socle.moteur.lectures import LectureRemplie, Passage, ensemble
from socle.moteur.variantes import tranche_de

TAILLE_PAR_DEFAUT = 20
TAILLE_MAX = 100
_ENTIER_MAX = 10**15  # past every end
# An offset from which the counters by day cost less than walking the keys before it.
LOINTAINE = 20_000
# A total that no counter gives is exact up to here, where counting rows stops; among cases sooner, as those that it
# passes by, of other teams or without the word, may be twenty times as many.
PLAFOND, PLAFOND_DES_DOSSIERS = 10_000, 1_000
PLAFONNE = "X-Total-Capped"


def lire_page(parametres: QueryDict) -> tuple[int, int]:
    """Read `(page, size)` from a query, size capped at 100; ChampsInvalides (422) names every bad one."""
    details: list[dict[str, Any]] = []
    page = _lire(parametres, "page", 0, 0, details)
    taille = _lire(parametres, "size", TAILLE_PAR_DEFAUT, 1, details)
    if details:
        raise ChampsInvalides.depuis(details)
    return page, min(taille, TAILLE_MAX)


def lire_entier(parametres: QueryDict, nom: str, *, defaut: int, minimum: int) -> int:
    """Read one integer parameter, `defaut` where it is absent; ChampsInvalides (422) below `minimum`."""
    details: list[dict[str, Any]] = []
    valeur = _lire(parametres, nom, defaut, minimum, details)
    if details:
        raise ChampsInvalides.depuis(details)
    return valeur


def _lire(parametres: QueryDict, nom: str, defaut: int, minimum: int, details: list[dict[str, Any]]) -> int:
    brut = parametres.get(nom)
    if brut is None:
        return defaut
    chiffres = brut.isascii() and brut.isdigit()
    valeur = min(int(brut[:20]), _ENTIER_MAX) if chiffres else -1
    if valeur < minimum:
        texte = _("Un entier d'au moins %(minimum)d est attendu.") % {"minimum": minimum}
        details.append({"field": nom, "message": texte, "code": "invalid"})
        return defaut
    return valeur


class Comptage(Protocol):
    """Counters kept for a list: its cardinality and the place of an offset, without counting its rows."""

    def passages(self) -> list[Passage]:
        """The reads that `total` is told from."""

    def total(self, lues: list[list[Any]]) -> int: ...

    def avancer(self, rang: int) -> tuple[dict[str, datetime], int]:
        """Bounds of creation (`depuis`, `avant`) that narrow the list around this offset, and the offset inside."""


class LignesDuMoment:
    """A queryset, written for this request alone, as a `LectureRemplie` is read."""

    def __init__(self, lignes: Any) -> None:
        self._lignes = lignes

    def nombre(self, plafond: int) -> int:
        """Count up to `plafond`: in the order of the list as `variantes.Nombre` does, without it for a far page.

        A sort of so many would cost more than a table read in vain.
        """
        lignes = self._lignes if plafond <= PLAFOND + 1 else self._lignes.order_by()
        return int(lignes[:plafond].count())

    def tranche(self, debut: int, taille: int) -> list[Any]:
        return list(tranche_de(self._lignes, debut, taille))

    def bornee(self, bornes: dict[str, datetime]) -> "LignesDuMoment":
        return LignesDuMoment(self._lignes.crees(bornes.get("depuis"), bornes.get("avant")))


def decouper(
    lignes: LectureRemplie | LignesDuMoment,
    page: int,
    taille: int,
    comptage: Comptage | None = None,
    plafond: int = PLAFOND,
) -> tuple[list[Any], int, bool]:
    """Slice one page: `(rows, total, whether it is capped)`, no rows past the end."""
    debut = page * taille
    if isinstance(lignes, LectureRemplie) and debut < LOINTAINE:
        compter = [lignes.combien(plafond + 1)] if comptage is None else comptage.passages()
        lues, *comptes = ensemble(lignes.quelques(debut, taille), *compter)
        if comptage is None:
            return lues, *_plafonner(int(comptes[0][0]), plafond)
        return lues, comptage.total(comptes), False
    if comptage is None:
        # As far as the page: past the end nothing is sorted. No plan is kept of a count so long.
        comptables = LignesDuMoment(lignes.queryset()) if isinstance(lignes, LectureRemplie) else lignes
        comptees = comptables.nombre(max(plafond, debut) + 1)
        return lignes.tranche(debut, taille) if debut < comptees else [], *_plafonner(comptees, plafond)
    total = comptage.total(ensemble(*comptage.passages()))
    if debut >= total:
        return [], total, False
    if debut >= LOINTAINE:
        bornes, debut = comptage.avancer(debut)
        lignes = lignes.bornee(bornes) if bornes else lignes
    return lignes.tranche(debut, taille), total, False


def _plafonner(comptees: int, plafond: int) -> tuple[int, bool]:
    return min(comptees, plafond), comptees > plafond


class PageEnItems(BasePagination):
    """One page of the rows in the `items` form; a prepared read is run as it is, a queryset for this request alone."""

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> list[Any]:
        """The rows of the page that the query asks for; ChampsInvalides (422) for a bad `page` or `size`."""
        self.page, self.taille = lire_page(request.query_params)
        lignes = queryset if isinstance(queryset, LectureRemplie) else LignesDuMoment(queryset)
        compter = view.comptage
        comptage = compter(view.acteur, view.parametres()) if compter is not None else None
        items, self.total, self.plafonne = decouper(lignes, self.page, self.taille, comptage, view.plafond)
        return items

    def get_paginated_response(self, data: Any) -> Response:
        reponse = Reussite(enveloppe(data, total=self.total, page=self.page, taille=self.taille), 200)
        if self.plafonne:
            reponse.headers[PLAFONNE] = "true"
        return reponse


def enveloppe(items: list[Any], *, total: int, page: int, taille: int) -> dict[str, Any]:
    return {"items": items, "total": total, "page": page, "size": taille, "pages": -(-total // taille)}
