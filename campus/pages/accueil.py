from django.http import HttpRequest, HttpResponse

from campus.pages.base import PageDuCampus
from campus.pages.places import pieces


class Accueil(PageDuCampus):
    """The front page: the rooms that there are."""

    gabarit = "campus/accueil.html"

    def est_ouverte(self) -> bool:
        return bool(pieces())

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.rendre(request, pieces=pieces())
