"""What opens a space in this browser: the former ends, and a text whose access ended meanwhile comes along."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from portail.pages.base import ACCES, Page, acces_ouvert, poser_le_cookie, vers
from socle.domaine.erreurs import TropDeRequetes


class PageDOuverture(Page):
    formulaire: type[forms.Form]

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.rendre(request, form=self.formulaire(), deja=acces_ouvert(request))

    def redemander(self, request: HttpRequest, form: forms.Form, statut: int) -> HttpResponse:
        return self.rendre(request, statut=statut, form=form, **en_suspens(request))

    def faire_attendre(self, request: HttpRequest, form: forms.Form, refus: TropDeRequetes) -> HttpResponse:
        reponse = self.redemander(request, form, refus.statut_http)
        reponse.headers["Retry-After"] = str(refus.attente)
        return reponse

    def mener(self, request: HttpRequest, jeton: str) -> HttpResponse:
        """To the cases, or to the text that waits, under the cookie of the space that is open now."""
        suspens = en_suspens(request)
        if suspens["texte"]:
            reponse = self.rendre(request, gabarit="portail/reprendre.html", **suspens)
        else:
            reponse = vers("portail:dossiers")
        poser_le_cookie(reponse, ACCES, jeton)
        return reponse


def en_suspens(request: HttpRequest) -> dict[str, Any]:
    """What was typed before the access ended, and the case it was for."""
    rang = request.POST.get("rang", "")[:6]
    return {
        "texte": request.POST.get("texte", ""),
        "rang": int(rang) if rang.isascii() and rang.isdigit() else 0,
        "pour": request.POST.get("pour", "")[:40],
    }
