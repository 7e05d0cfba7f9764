"""One page of a list, by its number: what is asked in the address, judged as the API judges it."""

from typing import Any, NamedTuple

from django.http import HttpRequest

from socle.api.pagination import TAILLE_PAR_DEFAUT, LignesDuMoment, decouper, lire_entier
from socle.erreurs import ChampsInvalides


class Feuillet(NamedTuple):
    """Rows of a page, its number, the count of all of them, and whether a page comes after it."""

    lignes: Any
    numero: int
    total: int
    plafonne: bool
    a_une_suite: bool


def feuilleter(request: HttpRequest, form: Any, lignes: Any) -> Feuillet:
    """Read the page that `page` asks for; of a number that is none, nothing, with the error on the form."""
    numero = 0
    try:
        numero = lire_entier(request.GET, "page", defaut=0, minimum=0)
    except ChampsInvalides as refus:
        form.add_error(None, [str(detail["message"]) for detail in refus.details or []])
        lignes = lignes.none()
    lues, total, plafonne = decouper(LignesDuMoment(lignes), numero, TAILLE_PAR_DEFAUT)
    a_une_suite = bool(lues) and (plafonne or (numero + 1) * TAILLE_PAR_DEFAUT < total)
    return Feuillet(lues, numero, total, plafonne, a_une_suite)
