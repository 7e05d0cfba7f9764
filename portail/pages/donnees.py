"""« Télécharger mes données », of a guest space and of an account alike."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from personnes.exports.envoi import exporter
from portail.pages.base import PageDAcces, vers


class Donnees(PageDAcces):
    """Only asked for by the button: a link that is followed alone makes nothing."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("portail:acces")

    def post(self, request: HttpRequest) -> HttpResponse:
        reponse: Any = exporter(self.acteur)
        return reponse
