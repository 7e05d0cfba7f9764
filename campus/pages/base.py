"""Base of the pages of the campus: the portal's, for whoever has an account open here.

A page is a class with `interrupteur`, `place`, `gabarit`, `titre`; its template extends `campus/base.html`.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from campus.interrupteurs import est_ouvert
from campus.pages.places import places
from guests.erreurs import ModeInviteFerme, SessionFusionnee, SessionInvalide
from portail.erreurs import AccesTermine
from portail.pages.page import EN_DIRECT, Page, arrive_sans_cookie
from portail.pages.retour import suite_de
from portail.services.mot_de_passe import noter_le_campus
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer
from socle.erreurs import PermissionRefusee
from socle.pages.entetes import proteger
from socle.pages.venue import est_en_avance
from socle.pages.vues import vers


class SansCompte(PermissionRefusee):
    """403 of a space without an account: these pages are of accounts, and say nothing of the space."""

    message = _("Cette partie est pour les comptes. Rien de votre espace n'y paraît.")


class PageDuCampus(Page):
    interrupteur = ""  # the setting that closes it: 404, as an address that does not exist
    droit: Droit | None = None  # that the API asks for the same
    place = ""  # of the frame, where it is one of them
    titre: Any = _("Campus")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not self.est_ouverte():
            raise Http404
        return super().dispatch(request, *args, **kwargs)

    def est_ouverte(self) -> bool:
        return est_ouvert(self.interrupteur)

    def entrer(self, request: HttpRequest) -> str:
        """An account's access, marked: its cases ask for the password again (`portail/services/mot_de_passe.py`)."""
        try:
            cle = super().entrer(request)
        except (SessionFusionnee, SessionInvalide):
            raise AccesTermine from None  # what became of a space without an account is not said here
        except ModeInviteFerme:
            raise SansCompte from None
        if not self.acces.est_d_un_compte:
            consommer("general", cle)
            raise SansCompte
        if self.droit is not None and not self.acteur.peut(self.droit):
            consommer("general", cle)
            raise PermissionRefusee
        if EN_DIRECT not in request.headers and not est_en_avance(request):
            noter_le_campus(self.acces)
        return cle

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        """Lead whoever has no account open to the sign-in, which leads back here; give back what was posted."""
        est_lue = request.method in ("GET", "HEAD")
        if isinstance(refus, AccesTermine) and est_lue and not arrive_sans_cookie(request):
            return proteger(vers("portail:connexion", suite=suite_de(request.get_full_path())))
        return super().refuser(request, refus)

    def rendre(self, request: HttpRequest, statut: int = 200, gabarit: str = "", **contexte: Any) -> HttpResponse:
        return super().rendre(request, statut, gabarit, places=places(), place=self.place, **contexte)
