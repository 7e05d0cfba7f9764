"""Base of every page of ours: the hour of the campus, its limits, its headers, refusals as pages."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views import View

from socle.api.exceptions import en_refus
from socle.api.reseau import cle_adresse
from socle.domaine.limites import consommer
from socle.erreurs import MethodeRefusee
from socle.pages.entetes import proteger
from socle.pages.erreurs import ecrits, page_de_refus

Refuser = Callable[[HttpRequest, Exception], HttpResponse]


def servir(request: HttpRequest, repondre: Callable[[], HttpResponse], refuser: Refuser) -> HttpResponse:
    """At the hour of the campus, under the headers of a private page; a refusal is a page too."""
    with timezone.override(settings.TIME_ZONE_CAMPUS):
        try:
            reponse = repondre()
        except Exception as refus:
            return refuser(request, refus)
        return proteger(reponse)


class Page(View):
    """A page that anybody may open."""

    http_method_names = ["get", "head", "post"]
    gabarit = ""
    gabarit_de_refus = ""
    titre: Any = ""
    rend_les_textes = True  # on a refusal: only after the CSRF check
    phrases: ClassVar[Mapping[str, Any]] = {}  # code of a refusal -> what it means here

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return servir(request, lambda: self._repondre(request, *args, **kwargs), self.refuser)

    def _repondre(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Read who asks, count the request, and answer by its method."""
        self.entrer(request)
        consommer("general", self.cle_de_limite(request))
        return super().dispatch(request, *args, **kwargs)

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        raise MethodeRefusee

    def entrer(self, request: HttpRequest) -> None:
        """Read who asks, or refuse."""

    def cle_de_limite(self, request: HttpRequest) -> str:
        return cle_adresse(request)

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        contexte = self.commun(request) | (ecrits(request) if self.rend_les_textes else {})
        # What it means here, where its own words do not say it.
        contexte["phrase"] = self.phrases.get(en_refus(refus).code)
        return page_de_refus(request, refus, self.gabarit_de_refus, **contexte)

    def rendre(self, request: HttpRequest, statut: int = 200, gabarit: str = "", **contexte: Any) -> HttpResponse:
        contexte = {"titre": self.titre, **self.commun(request), **contexte}
        return render(request, gabarit or self.gabarit, contexte, status=statut)

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        """Context of the frame of every page."""
        return {}


def vers(nom: str, *args: Any, suite: str = "") -> HttpResponse:
    """303 to a page, `suite` being its query or its anchor: Back shows the page of before, reload sends nothing."""
    reponse = redirect(nom, *args)
    reponse.status_code = 303
    reponse.headers["Location"] += suite
    return reponse
