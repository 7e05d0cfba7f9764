"""What every page of the portal does: headers, limits, refusals as pages, the two cookies."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views import View

from guests.services import est_ouverte
from portail.erreurs import AccesTermine
from portail.models import Acces
from portail.services import acces as services
from portail.services import sceau
from portail.services.code import langue_de, refuser_un_code
from portail.services.sceau import JETON_MAX
from resources.models import ContactUrgence
from socle.api.exceptions import en_refus
from socle.api.reseau import cle_adresse
from socle.domaine.acteurs import Acteur
from socle.domaine.erreurs import ErreurMetier, MethodeRefusee
from socle.domaine.limites import consommer
from socle.pages.entetes import proteger
from socle.pages.erreurs import ecrits, page_de_refus
from socle.pages.marque import marque

ACCES, BROUILLON = "espace", "brouillon"  # cookies
# Code of a refusal -> what it means here.
PHRASES = {
    "GUEST_SESSION_INVALID": _("Cet accès a été fermé. Vous pouvez écrire de nouveau."),
    "GUEST_SESSION_MERGED": _("Ce dossier est dans un compte. Connectez-vous."),
    "GUEST_MODE_DISABLED": _("On ne peut pas écrire ici pour le moment."),
    "SERVICE_UNAVAILABLE": _("Le service ne répond pas. Réessayez dans une minute."),
    "NOT_FOUND": _("Cette page n'existe pas, ou plus."),
}


def nom_du_cookie(sorte: str) -> str:
    return f"__Host-{sorte}" if settings.HTTPS_ONLY else sorte


def jeton_de(request: HttpRequest, sorte: str) -> str:
    """The token of a cookie, or "" for none and for what cannot be one of ours."""
    jeton = request.COOKIES.get(nom_du_cookie(sorte), "")
    return jeton if len(jeton) <= JETON_MAX and jeton.isascii() else ""


def poser_le_cookie(reponse: HttpResponse, sorte: str, jeton: str, *, duree: timedelta | None = None) -> None:
    """For this browser session alone, or as long as one asked, out of reach of scripts and of other sites."""
    options: dict[str, Any] = {"secure": settings.HTTPS_ONLY, "httponly": True, "samesite": "Strict"}
    if duree is not None:
        options["max_age"] = duree
    reponse.set_cookie(nom_du_cookie(sorte), jeton, path="/", **options)


def oublier_les_cookies(reponse: HttpResponse, *sortes: str) -> None:
    """With the attributes they were set with, which a `__Host-` cookie needs to go."""
    for sorte in sortes:
        poser_le_cookie(reponse, sorte, "")
        reponse.cookies[nom_du_cookie(sorte)]["max-age"] = 0
        reponse.cookies[nom_du_cookie(sorte)]["expires"] = "Thu, 01 Jan 1970 00:00:00 GMT"


class Page(View):
    """A page that anybody may open; a refusal is a page too."""

    http_method_names = ["get", "head", "post"]
    gabarit = ""
    titre: Any = ""
    acces: Acces | None = None  # of this browser, where the page asks
    phrases: ClassVar[Mapping[str, Any]] = PHRASES
    rend_les_textes = True  # on a refusal: only after the CSRF check

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.PORTAIL_ENABLED:
            raise Http404
        with timezone.override(settings.TIME_ZONE_CAMPUS):
            try:
                self._laisser_entrer(request)
                consommer("general", self.cle_de_limite(request))
                reponse = super().dispatch(request, *args, **kwargs)
            except Exception as refus:
                return self.refuser(request, refus)
            return self.proteger(reponse)  # type: ignore[arg-type]

    def _laisser_entrer(self, request: HttpRequest) -> None:
        try:
            self.entrer(request)
        except AccesTermine:
            consommer("general", cle_adresse(request))  # a cookie that opens nothing is looked for in the base too
            raise

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        raise MethodeRefusee

    def proteger(self, reponse: HttpResponse) -> HttpResponse:
        return proteger(reponse)

    def entrer(self, request: HttpRequest) -> None:
        """Read who asks, or refuse."""

    def exiger_l_etape(self, etape: str) -> None:
        """Refuse what the guest mode does not open to whoever asks."""
        services.exiger_l_etape(self.acces, etape)

    def refuser_un_code(self, request: HttpRequest, acteur: Acteur | None, **textes: str) -> None:
        refuser_un_code(acteur, compter=lambda: consommer("guest_unknown", cle_adresse(request)), **textes)

    def cle_de_limite(self, request: HttpRequest) -> str:
        return cle_adresse(request)

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        contexte = self.commun(request) | (ecrits(request) if self.rend_les_textes else {})
        if phrase := self.phrases.get(en_refus(refus).code):
            contexte["phrase"] = phrase
        reponse = page_de_refus(request, refus, "portail/refus.html", **contexte)
        if isinstance(refus, AccesTermine):
            oublier_les_cookies(reponse, ACCES)
        return reponse

    def rendre(self, request: HttpRequest, statut: int = 200, gabarit: str = "", **contexte: Any) -> HttpResponse:
        contexte = {"titre": self.titre, **self.commun(request), **contexte}
        return render(request, gabarit or self.gabarit, contexte, status=statut)

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        """What the frame of every page shows."""
        return {
            **marque(),
            "peut_ecrire": services.etape_ouverte(self.acces, "create"),
            "peut_lire": services.etape_ouverte(self.acces, "read"),
            "du_compte": self.acces is not None and self.acces.est_d_un_compte,
            "ici": request.path,
            "autre_langue": next(une for une in settings.LANGUAGES if une[0] != get_language()),
        }


class PageSimple(Page):
    """A page of words alone."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self.rendre(request)


class PageDAcces(Page):
    """A page of somebody's cases: the cookie's access is open, or the refusal says what to do."""

    acces: Acces

    def entrer(self, request: HttpRequest) -> None:
        self.jeton = jeton_de(request, ACCES)
        self.acces = acces_de(request)
        services.noter_usage(self.acces)

    @property
    def acteur(self) -> Acteur:
        return services.acteur_de(self.acces)

    def cle_de_limite(self, request: HttpRequest) -> str:
        return self.acteur.cle

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        acces = self.acces
        six_mots = sceau.ouvrir(self.jeton, acces.code_scelle).split() if acces else []
        langue = langue_de(six_mots)
        return {**super().commun(request), "six_mots": six_mots, "langue_du_code": langue, "acces": acces} | {
            "peut_garder": bool(settings.PORTAIL_GARDE) and acces is not None and not acces.est_d_un_compte,
            "peut_recevoir": est_ouverte("merge"),
            "peut_rattacher": acces is not None and not acces.est_d_un_compte and est_ouverte("merge"),
            "inactivite": int(settings.PORTAIL_INACTIVITE.total_seconds()),
        }


def acces_de(request: HttpRequest) -> Acces:
    """The open access of this browser, or the refusal that says why not."""
    return services.acces_du_jeton(jeton_de(request, ACCES))


def acces_ouvert(request: HttpRequest) -> Acces | None:
    """The open access of this browser, if it has one; asking is using it."""
    try:
        acces = acces_de(request) if jeton_de(request, ACCES) else None
    except ErreurMetier:
        return None
    if acces is not None:
        services.noter_usage(acces)
    return acces


def contacts() -> list[ContactUrgence]:
    return list(ContactUrgence.objects.filter(actif=True).order_by("ordre", "id"))


def vers(nom: str, *args: Any) -> HttpResponse:
    """303: Back shows the page of before, reload sends nothing twice."""
    reponse = redirect(nom, *args)
    reponse.status_code = 303
    return reponse


def vers_les_messages(rang: int) -> HttpResponse:
    reponse = vers("portail:dossier", rang)
    reponse.headers["Location"] += "#messages"
    return reponse
