"""What every page of the portal does: headers, limits, refusals as pages, the two cookies."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import activate, get_language
from django.utils.translation import gettext_lazy as _

from guests.services import est_ouverte
from portail.erreurs import AccesTermine, EssaisEpuises
from portail.models import Acces
from portail.services import acces as services
from portail.services import brouillon, sceau
from portail.services.code import langue_de, refuser_un_code
from portail.services.preuve import ouvre_sans_mots
from portail.services.sceau import JETON_MAX
from resources.models import ContactUrgence
from signalements.models import Signalement
from socle.api.reseau import cle_adresse
from socle.domaine.acteurs import Acteur, ActeurInvite
from socle.domaine.limites import consommer
from socle.erreurs import ErreurMetier
from socle.pages import vues
from socle.pages.depart import nom_du_cookie
from socle.pages.entetes import proteger
from socle.pages.venue import est_en_avance, vient_d_ailleurs
from socle.pages.vues import vers

ACCES, BROUILLON = "espace", "brouillon"  # cookies
EN_DIRECT = "X-Direct"  # header of the requests that direct.js makes by itself
# Code of a refusal -> what it means here.
PHRASES = {
    "GUEST_SESSION_INVALID": _("Cet accès a été fermé. Vous pouvez écrire de nouveau."),
    "GUEST_SESSION_MERGED": _("Ce dossier est dans un compte. Connectez-vous."),
    "GUEST_MODE_DISABLED": _("On ne peut pas écrire ici sans compte pour le moment."),
    "SERVICE_UNAVAILABLE": _("Le service ne répond pas. Réessayez dans une minute."),
    "RESULT_UNKNOWN": _(
        "Nous ne savons pas si votre envoi est parti. Regardez votre dossier avant de l'envoyer de nouveau."
    ),
    "NOT_FOUND": _("Cette page n'existe pas, ou plus."),
}
SANS_RETOUR = _(
    "Votre espace s'est fermé. Avec un compte, connectez-vous. Sans compte, il ne se rouvre pas pour le moment : "
    "gardez vos six mots."
)
# Where nobody can write again without an account.
ACCES_FERME = _("Cet accès a été fermé. Pour parler à quelqu'un : « Besoin d'aide maintenant », en haut.")
# Where it is reading that the guest mode does not open.
ESPACES_FERMES = _("Les espaces sans compte sont fermés pour le moment. Gardez vos six mots.")


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


def est_venu(request: HttpRequest, sorte: str) -> bool:
    """True where the browser sent this cookie, whatever it holds; from another site it sends none of ours."""
    return nom_du_cookie(sorte) in request.COOKIES


def oublier_les_cookies(reponse: HttpResponse, *sortes: str) -> None:
    """With the attributes they were set with, which a `__Host-` cookie needs to go."""
    for sorte in sortes:
        poser_le_cookie(reponse, sorte, "")
        reponse.cookies[nom_du_cookie(sorte)]["max-age"] = 0
        reponse.cookies[nom_du_cookie(sorte)]["expires"] = "Thu, 01 Jan 1970 00:00:00 GMT"


def oublier_l_acces(request: HttpRequest, reponse: HttpResponse) -> None:
    """The cookie that came and opens nothing; one that stayed behind may open a space."""
    if est_venu(request, ACCES):
        oublier_les_cookies(reponse, ACCES)


def _arrive_sans_cookie(request: HttpRequest) -> bool:
    """True of a page that another site or a mail led to: a link of our own brings the cookie that it left behind."""
    return request.method in ("GET", "HEAD") and vient_d_ailleurs(request) and not est_venu(request, ACCES)


def poser_la_langue(reponse: HttpResponse, langue: str) -> None:
    """For this browser session alone."""
    options: dict[str, Any] = {"secure": settings.HTTPS_ONLY, "httponly": True, "samesite": "Strict"}
    reponse.set_cookie(settings.LANGUAGE_COOKIE_NAME, langue, **options)


def cle_de_la_page(request: HttpRequest) -> str:
    """What a form of ours drew for itself alone, "" for none: whoever holds a cookie does not know it."""
    cle = request.POST.get("cle_de_la_page", "")
    return cle if len(cle) <= JETON_MAX and cle.isascii() else ""


class Page(vues.Page):
    """A page of the portal that anybody may open."""

    gabarit_de_refus = "portail/refus.html"
    acces: Acces | None = None  # of this browser, where the page asks
    contacts_utiles = False  # a refusal that leaves nothing else to do
    phrases: ClassVar[Mapping[str, Any]] = PHRASES
    se_remontre = False  # has a form in which somebody types, and `remontrer`

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.PORTAIL_ENABLED:
            raise Http404
        if not (langue := self._langue_demandee(request)):
            return super().dispatch(request, *args, **kwargs)
        activate(langue)
        reponse = super().dispatch(request, *args, **kwargs)
        poser_la_langue(reponse, langue)
        return reponse

    def repondre(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if self._langue_demandee(request):
            return self.remontrer(request, *args, **kwargs)
        return super().repondre(request, *args, **kwargs)

    def _langue_demandee(self, request: HttpRequest) -> str:
        """The language of the button of a form, "" for none."""
        demandee = request.POST.get("vers", "") if self.se_remontre and request.method == "POST" else ""
        return demandee if demandee in dict(settings.LANGUAGES) else ""

    def remontrer(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form as it was posted, judged by nobody and sent nowhere."""
        raise NotImplementedError

    def laisser_entrer(self, request: HttpRequest) -> None:
        try:
            super().laisser_entrer(request)
        except AccesTermine:
            consommer("general", cle_adresse(request))  # a cookie that opens nothing is looked for in the base too
            raise

    def phrase(self, code: str) -> Any:
        ferme = code == "GUEST_SESSION_INVALID" and not est_ouverte("create")
        return ACCES_FERME if ferme else super().phrase(code)

    def exiger_l_etape(self, etape: str) -> None:
        """Refuse what the guest mode does not open to whoever asks."""
        services.exiger_l_etape(self.acces, etape)

    def refuser_un_code(self, request: HttpRequest, acteur: Acteur | None, **textes: str) -> None:
        refuser_un_code(acteur, compter=lambda: consommer("guest_unknown", cle_adresse(request)), **textes)

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        if isinstance(refus, AccesTermine) and _arrive_sans_cookie(request):
            # The same to whoever has a space here and to whoever has none.
            contexte = {"titre": _("Mon espace"), "adresse": request.get_full_path()}
            return proteger(render(request, "portail/ouvrir.html", self.commun(request) | contexte))
        if isinstance(refus, AccesTermine) and not est_ouverte("read"):
            refus = AccesTermine(SANS_RETOUR)  # its words would open nothing now
        ferme = getattr(refus, "code", "") == "GUEST_MODE_DISABLED"
        if isinstance(refus, EssaisEpuises):
            self.rend_les_textes = False  # words that open nothing, and perhaps somebody's address
        self.contacts_utiles = ferme and bool(settings.PORTAIL_AIDE_PUBLIQUE)
        reponse = super().refuser(request, refus)
        if isinstance(refus, AccesTermine) and EN_DIRECT not in request.headers:  # a later answer may have set another
            oublier_l_acces(request, reponse)
        return reponse

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        acces = self.acces
        six_mots = sceau.ouvrir(jeton_de(request, ACCES), acces.code_scelle).split() if acces else []
        return {
            **super().commun(request),
            "acces": acces,
            "inactivite": int(settings.PORTAIL_INACTIVITE.total_seconds()),
            "six_mots": six_mots,  # folded, on every page of the visit that drew them
            "langue_du_code": langue_de(six_mots),
            "contacts": contacts() if self.contacts_utiles else [],
            "peut_ecrire": services.etape_ouverte(self.acces, "create"),
            "peut_lire": services.etape_ouverte(self.acces, "read"),
            "du_compte": acces is not None and acces.est_d_un_compte,
            "ici": request.path,
            "se_remontre": self.se_remontre,
            "autre_langue": next(une for une in settings.LANGUAGES if une[0] != get_language()),
        }


class PageSimple(Page):
    """A page of words alone."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self.rendre(request)


class PageLibre(Page):
    """A page that needs no access, and knows the one of this browser."""

    def entrer(self, request: HttpRequest) -> None:
        self.acces = acces_ouvert(request)


class PageDAcces(Page):
    """A page of somebody's cases: the cookie's access is open, or the refusal says what to do."""

    acces: Acces

    def phrase(self, code: str) -> Any:
        """Refused at the door, whatever was asked: the space does not open."""
        return ESPACES_FERMES if code == "GUEST_MODE_DISABLED" and self.acces is None else super().phrase(code)

    def entrer(self, request: HttpRequest) -> None:
        self.jeton = jeton_de(request, ACCES)
        self.acces = acces_de(request)
        # A page that keeps itself true is not somebody who uses it, nor is one that is asked for in advance.
        if EN_DIRECT not in request.headers and not est_en_avance(request):
            services.noter_usage(self.acces)

    @property
    def acteur(self) -> Acteur:
        return services.acteur_de(self.acces)

    def cle_de_limite(self, request: HttpRequest) -> str:
        return self.acteur.cle

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        d_un_invite = self.acces is not None and not self.acces.est_d_un_compte
        return {
            **super().commun(request),
            "peut_garder": bool(settings.PORTAIL_GARDE) and d_un_invite,
            "peut_recevoir": est_ouverte("merge"),
            "peut_revenir": est_ouverte("read"),
            "cle_de_la_page": sceau.tirer_jeton(),
            "brouillon_qui_attend": brouillon_en_attente(request, self.acces),
            "peut_rattacher": d_un_invite and est_ouverte("merge"),
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
    if acces is not None and not est_en_avance(request):
        services.noter_usage(acces)
    return acces


def brouillon_en_attente(request: HttpRequest, acces: Acces | None) -> bool:
    """True where a draft was begun in the guest space that this account's access holds."""
    if acces is None or acces.a_rattacher is None:
        return False
    return bool(brouillon.lire(jeton_de(request, BROUILLON), acteur=ActeurInvite(invite=acces.a_rattacher)))


def contacts() -> list[ContactUrgence]:
    return list(ContactUrgence.objects.filter(actif=True).order_by("ordre", "id"))


def preuve_demandee(acteur: Acteur) -> dict[str, Any]:
    """What a page that asks for the six words shows: where who has lost them still writes, and what they may be."""
    sans_mots = not acteur.est_invite or ouvre_sans_mots(acteur.invite)
    return {"dernier_rang": Signalement.objects.vivants().de(acteur).count(), "sans_mots": sans_mots}


def vers_les_messages(rang: int) -> HttpResponse:
    return vers("portail:dossier", rang, suite="#messages")
