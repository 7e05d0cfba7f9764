"""Pages counted from 0, in the `items` form."""

from typing import Any, Protocol

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from socle.domaine.erreurs import ChampsInvalides

TAILLE_PAR_DEFAUT = 20
TAILLE_MAX = 100
PAGE_D_ABORD = 1_000
_ENTIER_MAX = 10**15  # past every end


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

    def total(self) -> int: ...

    def avancer(self, lignes: Any, rang: int) -> tuple[Any, int]:
        """Narrow the queryset to the part that holds this offset; return it with the offset inside it."""


def decouper(lignes: QuerySet[Any], page: int, taille: int, comptage: Comptage | None = None) -> tuple[list[Any], int]:
    """Slice one page: `(rows, total)`, no rows past the end. The count drops the order, which only reading needs."""
    total = lignes.order_by().count() if comptage is None else comptage.total()
    debut = page * taille
    if debut >= total:
        return [], total
    if debut >= PAGE_D_ABORD and comptage is not None:
        lignes, debut = comptage.avancer(lignes, debut)
    if debut < PAGE_D_ABORD:
        return list(lignes[debut : debut + taille]), total
    # A deep offset reads the keys alone, from the index, so that skipped rows are not joined.
    cles = list(lignes.values_list("pk", flat=True)[debut : debut + taille])
    return list(lignes.filter(pk__in=cles)), total


def enveloppe(items: list[Any], *, total: int, page: int, taille: int) -> dict[str, Any]:
    return {"items": items, "total": total, "page": page, "size": taille, "pages": -(-total // taille)}
