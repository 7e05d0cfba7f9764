"""The calendar: what comes next."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from calendrier import lectures
from campus.pages.base import PageDuCampus

A_VENIR = timedelta(days=60)
LISTE_MAX = 50


class Calendrier(PageDuCampus):
    interrupteur = "CALENDRIER_PAGES"
    place = "calendrier"
    gabarit = "campus/calendrier.html"
    titre = _("Calendrier")

    def get(self, request: HttpRequest) -> HttpResponse:
        maintenant = timezone.now()
        a_venir = lectures.de_la_periode(self.acteur, maintenant, maintenant + A_VENIR, None, None)
        return self.rendre(request, a_venir=a_venir.tranche(0, LISTE_MAX))
