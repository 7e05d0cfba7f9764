"""The pages that need no access: the front door, help, safety, who reads."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.pages import accueil as sans_portail
from portail.pages.cookies import ACCES, jeton_de, poser_la_langue
from portail.pages.page import Page, avec_ou_sans_espace, contacts, librement
from portail.vocabulaire import QUI_LIT
from resources.models import Faq


class Accueil(Page):
    gabarit = "portail/accueil.html"
    titre = _("Bienvenue")
    entrer = librement

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.PORTAIL_ENABLED:
            return sans_portail(request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Render without the base, which is not asked whether a space is open: a cookie is there or not."""
        return self.rendre(request, espace=bool(jeton_de(request, ACCES)))


class Aide(Page):
    gabarit = "portail/aide.html"
    titre = _("Aide")
    entrer = avec_ou_sans_espace

    def get(self, request: HttpRequest) -> HttpResponse:
        if not settings.PORTAIL_AIDE_PUBLIQUE:
            return self.rendre(request, contacts=[], questions=[])
        questions = Faq.objects.filter(publiee=True).exclude(categorie__in=QUI_LIT.values()).order_by("ordre", "id")
        return self.rendre(request, contacts=contacts(), questions=questions)


class Securite(Page):
    gabarit = "portail/securite.html"
    titre = _("Sécurité")
    entrer = librement

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.rendre(request, chiffre=request.is_secure())


class Accessibilite(Page):
    gabarit = "portail/accessibilite.html"
    titre = _("Accessibilité")
    entrer = librement


class QuiLit(Page):
    """Written in the admin site: the published questions of category PORTAIL, or the words of the service itself."""

    gabarit = "portail/qui_lit.html"
    titre = _("Qui lit ?")
    entrer = avec_ou_sans_espace

    def get(self, request: HttpRequest) -> HttpResponse:
        siennes = Faq.objects.filter(publiee=True, categorie__in=QUI_LIT.values()).order_by("ordre", "id")
        par_langue = {langue: [une for une in siennes if une.categorie == nom] for langue, nom in QUI_LIT.items()}
        return self.rendre(request, questions=par_langue[get_language() or "fr"] or par_langue["fr"])


class ChoixDeLangue(Page):
    """The other language, for this browser session, and back to the page."""

    entrer = librement

    def get(self, request: HttpRequest) -> HttpResponse:
        return redirect("/")

    def post(self, request: HttpRequest) -> HttpResponse:
        langue = request.POST.get("langue", "")
        reponse = redirect(_page_d_ici(request.POST.get("ici", "")))
        reponse.status_code = 303
        if langue in dict(settings.LANGUAGES):
            poser_la_langue(reponse, langue)
        return reponse


def _page_d_ici(chemin: str) -> str:
    """The path, where it is a page of the portal that can be read; else its front door."""
    try:
        trouvee = resolve(chemin)
    except Resolver404:
        return "/"
    est_une_page = trouvee.namespace == "portail" and trouvee.url_name not in ("quitter", "suite", "langue", "piece")
    return chemin if est_une_page else "/"
