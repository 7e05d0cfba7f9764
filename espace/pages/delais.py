"""« Donner des dates ? », asked once of an administrator, and the delays as they are."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from echeances.models import ChoixDesDates, Delai
from echeances.services import choisir
from echeances.vocabulaire import DELAIS_MAX, LEGAUX
from espace.pages.base import PageDEquipe
from socle.domaine.droits import Droit
from socle.pages.vues import vers


class Delais(PageDEquipe):
    gabarit = "espace/delais.html"
    titre = _("Les dates des dossiers")
    droit = Droit.DELAIS_GERER

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.montrer(request)

    def montrer(self, request: HttpRequest, statut: int = 200) -> HttpResponse:
        return self.rendre(
            request,
            statut=statut,
            choix=ChoixDesDates.objects.select_related("par").first(),
            delais=Delai.objects.filter(actif=True).order_by("nature", "libelle", "type", "id")[:DELAIS_MAX],
            legaux=[Delai(nature=nature, nombre=nombre, unite=unite) for nature, nombre, unite in LEGAUX],
            fait="fait" in request.GET,
        )

    def post(self, request: HttpRequest) -> HttpResponse:
        acte = request.POST.get("acte", "")
        if acte not in ("oui", "non"):  # what says neither ends no delay
            return self.montrer(request, statut=422)
        choisir(acteur=self.acteur, accepte=acte == "oui")
        return vers("espace:delais", suite="?fait#fait")
