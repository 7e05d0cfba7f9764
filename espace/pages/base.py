"""Base of the workspace's pages, open to whoever the admin site lets in with the right to read every report."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from accounts.erreurs import EnrolementExige
from accounts.models import Compte
from espace.demandes import d_ou
from espace.services.filtres import lus_dans
from espace.services.parametres import lire
from espace.services.raccourcis import sont_actifs
from signalements.erreurs import OuvertureExigee
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.domaine.droits import Droit
from socle.erreurs import NonAuthentifie, PermissionRefusee
from socle.pages.vues import Page, vers
from stats.permissions import voit_le_tableau


class PageDEquipe(Page):
    gabarit_de_refus = "espace/refus.html"
    phrases = {
        "AUTH_REQUIRED": _("Votre session a pris fin. Connectez-vous dans un autre onglet, puis envoyez de nouveau."),
        "NOT_FOUND": _("Cette page n'existe pas, ou plus."),
    }
    droit = Droit.SIGNALEMENTS_CONSULTER_TOUS
    place = "dossiers"  # in the menu
    acteur: Acteur

    @property
    def compte(self) -> Compte:
        compte: Any = self.acteur.compte  # staff always has one
        return compte

    @property
    def dans(self) -> str:
        """The query of the list that the case of this page was opened from; "" where its address names none."""
        return d_ou(self.request.GET)

    def au_dossier(self, dossier_id: Any, fait: str = "", ancre: str = "fait") -> HttpResponse:
        """303 to the page of a case, in its list, which says that `fait` is done."""
        dit = f"{'&' if self.dans else '?'}fait={fait}" if fait else ""
        return vers("espace:dossier", dossier_id, suite=f"{self.dans}{dit}#{ancre}")

    def entrer(self, request: HttpRequest) -> None:
        if not request.user.is_authenticated:
            raise NonAuthentifie
        if admin.site.doit_s_enroler(request):  # type: ignore[attr-defined]  # ours
            raise EnrolementExige
        self.acteur = ActeurCompte(compte=request.user)
        if not admin.site.has_permission(request) or not self.acteur.peut(self.droit):
            raise PermissionRefusee

    def cle_de_limite(self, request: HttpRequest) -> str:
        return self.acteur.cle

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        if isinstance(refus, NonAuthentifie) and request.method != "POST":
            return redirect(f"{reverse('admin:login')}?{urlencode({'next': request.get_full_path()})}")
        if isinstance(refus, EnrolementExige) and request.method != "POST":
            return redirect("espace:second_facteur")
        if isinstance(refus, OuvertureExigee) and request.method != "POST" and (dossier := _dossier_de(request)):
            return redirect("espace:ouverture", dossier)
        return super().refuser(request, refus)

    def rendre(self, request: HttpRequest, statut: int = 200, gabarit: str = "", **contexte: Any) -> HttpResponse:
        """With the person's own filters and single keys, asked of the base together where no page has read them."""
        libres: Any = SimpleLazyObject(lambda: lire(self.compte))
        contexte.setdefault("raccourcis", SimpleLazyObject(lambda: sont_actifs(libres)))
        contexte.setdefault("gardes", SimpleLazyObject(lambda: lus_dans(libres)))
        return super().rendre(request, statut, gabarit, **contexte)

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        acteur = getattr(self, "acteur", None)
        commun = {
            "moi": acteur.compte if acteur else None,
            "lit_le_registre": acteur is not None and acteur.peut(Droit.REGISTRE_CONSULTER),
            "voit_le_tableau": acteur is not None and voit_le_tableau(acteur),
            "place": self.place,
            "dans": self.dans,
        }
        return {**super().commun(request), **commun}


def _dossier_de(request: HttpRequest) -> Any:
    """The key of the case that the address names; None where it names none."""
    return request.resolver_match.kwargs.get("dossier_id") if request.resolver_match else None
