"""The pages that need no access: the front door, help, safety, who reads, what the institution writes."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.lectures import qui_paraissent
from accounts.pages import accueil as sans_portail
from equipes.en_vigueur import equipe_qui_lira
from homonymes.lectures import sont_compares
from portail.pages.aide import questions_de
from portail.pages.cookies import ACCES, jeton_de
from portail.pages.formulaires import types_proposes
from portail.pages.page import Page, avec_ou_sans_espace, contacts, librement
from portail.pages.retour import CAMPUS
from portail.vocabulaire import ECRITES
from resources.models import Faq
from resources.vocabulaire import PAGES_ECRITES
from socle.courriel import est_remis
from socle.pages.langue import poser_la_langue


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
        questions = Faq.objects.filter(publiee=True).exclude(categorie__in=PAGES_ECRITES).order_by("ordre", "id")
        return self.rendre(request, contacts=contacts(), **questions_de(request, questions))

    post = remontrer = get  # a search, and the other language around it


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


class PageEcrite(Page):
    """A page of the institution's own words: the published questions of its category, else the text of its template."""

    page = ""  # of ECRITES
    entrer = librement

    def get(self, request: HttpRequest) -> HttpResponse:
        categories = ECRITES[self.page]
        siennes = Faq.objects.filter(publiee=True, categorie__in=categories.values()).order_by("ordre", "id")
        par_langue = {langue: [une for une in siennes if une.categorie == nom] for langue, nom in categories.items()}
        questions = par_langue[get_language() or "fr"] or par_langue["fr"]
        return self.rendre(request, questions=questions, **_de_ce_service(), **self.en_plus())

    def en_plus(self) -> dict[str, Any]:
        """Context of this page alone."""
        return {}


class QuiLit(PageEcrite):
    page = "qui_lit"
    gabarit = "portail/qui_lit.html"
    titre = _("Qui lit ?")
    entrer = avec_ou_sans_espace

    def en_plus(self) -> dict[str, Any]:
        """The teams that alone read some types, each with the words of these types; functions, without the names."""
        par_equipe: dict[Any, list[str]] = {}
        for type_, mot in types_proposes():
            if (equipe := equipe_qui_lira(type_)) is not None:
                par_equipe.setdefault(equipe, []).append(str(mot))
        fonctions = sorted({un.fonction for un in qui_paraissent() if un.fonction})
        return {"par_equipe": list(par_equipe.items()), "fonctions": fonctions, "compare": sont_compares()}


class Confidentialite(PageEcrite):
    page = "confidentialite"
    gabarit = "portail/confidentialite.html"
    titre = _("Confidentialité")


class Mentions(PageEcrite):
    page = "mentions"
    gabarit = "portail/mentions.html"
    titre = _("Mentions légales")


class Droits(PageEcrite):
    page = "droits"
    gabarit = "portail/droits.html"
    titre = _("Mes droits")


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
    """The path and its query, where it is a page of the portal that can be read; else its front door."""
    try:
        trouvee = resolve(chemin.partition("?")[0])
    except Resolver404:
        return "/"
    est_une_page = trouvee.namespace in ("portail", CAMPUS) and trouvee.url_name not in (
        "quitter",
        "suite",
        "langue",
        "piece",
    )
    return chemin if est_une_page else "/"


def _de_ce_service() -> dict[str, Any]:
    """Context of the first texts: days that a case and the register are kept, whether a number is asked."""
    return {
        "dossier_jours": settings.REPORTS_KEPT_DAYS,
        "registre_jours": settings.AUDIT_KEPT_DAYS,
        "telephone_exige": settings.PORTAIL_TELEPHONE_EXIGE,
        "previent": est_remis(),
    }
