"""The mails of news as they leave, in both languages, for administrators, and a try of the team's to oneself."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from accounts.vocabulaire import LANGUES
from avis.familles import TOUTES, Famille
from avis.tasks import essayer, exemple_pour
from espace.pages.base import PageDEquipe
from socle.courriel import est_remis
from socle.domaine.droits import Droit
from socle.pages.mails import Mail, ecrire
from socle.pages.vues import vers


class Courriels(PageDEquipe):
    gabarit = "espace/courriels.html"
    place = "compte"
    titre = _("Les e-mails du service")
    droit = Droit.SERVICE_SURVEILLER

    def get(self, request: HttpRequest) -> HttpResponse:
        familles = [(famille.pour_qui, self._mails(famille)) for famille in TOUTES]
        return self.rendre(
            request, familles=familles, partent=est_remis(), de=settings.DEFAULT_FROM_EMAIL, fait="fait" in request.GET
        )

    def _mails(self, famille: Famille) -> list[tuple[str, str, str, Mail]]:
        """Key, code and name of each language, and the mail in it."""
        mails = []
        for code, langue in LANGUES:
            with translation.override(code):
                contexte = {"fuseau": settings.TIME_ZONE_CAMPUS, **exemple_pour(self.compte, famille)}
                mails.append((f"{famille.modele}-{code}", code, langue, ecrire(famille.modele, contexte)))
        return mails

    def post(self, request: HttpRequest) -> HttpResponse:
        essayer.enqueue(str(self.compte.pk))
        return vers("espace:courriels", suite="?fait#fait")
