"""« Mon compte » at the portal, which is there where the rooms of the campus are closed: their links are its frame."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from avis.demandes import se_tait
from personnes.pages.mon_compte import MonCompte
from portail.erreurs import AccesTermine, MotDePasseFaux
from portail.pages.page import EN_DIRECT, Page, arrive_sans_cookie
from portail.pages.retour import suite_de
from portail.services import mot_de_passe as services
from socle.api.reseau import cle_adresse
from socle.erreurs import ChampsInvalides
from socle.pages.entetes import proteger
from socle.pages.venue import est_en_avance
from socle.pages.vues import vers


class LeCompte(MonCompte, Page):
    """Marks the access as a page of the campus does: it may be shown around, and one's cases ask for the password."""

    gabarit = "portail/compte/moi.html"
    ici = "portail:compte"
    est_le_compte = True  # where a sign-in may lead back

    def entrer(self, request: HttpRequest) -> str:
        cle = super().entrer(request)
        if self.acces.est_d_un_compte and EN_DIRECT not in request.headers and not est_en_avance(request):
            services.noter_le_campus(self.acces)
        return cle

    def get(self, request: HttpRequest) -> HttpResponse:
        return super().get(request) if self.acces.est_d_un_compte else vers("portail:acces")

    def post(self, request: HttpRequest) -> HttpResponse:
        return super().post(request) if self.acces.est_d_un_compte else vers("portail:acces")

    def rendre(self, request: HttpRequest, statut: int = 200, gabarit: str = "", **contexte: Any) -> HttpResponse:
        return super().rendre(request, statut, gabarit, se_tait=se_tait(self.acteur), **contexte)

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        """Lead whoever has no account open to the sign-in, which leads back here."""
        est_lue = request.method in ("GET", "HEAD")
        if isinstance(refus, AccesTermine) and est_lue and not arrive_sans_cookie(request):
            return proteger(vers("portail:connexion", suite=suite_de(request.path)))
        return super().refuser(request, refus)

    def est_prouve(self, request: HttpRequest) -> bool:
        return services.est_recent(self.acces)

    def prouver(self, request: HttpRequest, mot_de_passe: str) -> None:
        try:
            services.prouver(self.acces, mot_de_passe=mot_de_passe, adresse=cle_adresse(request))
        except MotDePasseFaux as refus:
            raise ChampsInvalides.pour("incorrect", motDePasse=refus.message) from refus
