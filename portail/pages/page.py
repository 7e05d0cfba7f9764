"""Base of every page of the portal: headers, limits, its language, its frame, refusals as pages."""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import activate, get_language
from django.utils.translation import gettext_lazy as _
from django.views import View

from guests.services import est_ouverte
from portail.erreurs import AccesTermine, EssaisEpuises, MotDePasseDemande
from portail.models import Acces
from portail.pages.cookies import (
    ACCES,
    BROUILLON,
    acces_de,
    acces_ouvert,
    est_venu,
    jeton_de,
    oublier_l_acces,
)
from portail.pages.retour import suite_de
from portail.services import acces as services
from portail.services import brouillon, code, mot_de_passe, sceau
from portail.services.preuve import ouvre_sans_mots
from portail.services.sceau import JETON_MAX
from resources.models import ContactUrgence
from resources.selections import dans_la_langue
from signalements.models import Signalement
from socle.api.exceptions import en_refus
from socle.api.reseau import cle_adresse
from socle.domaine.acteurs import Acteur, ActeurInvite
from socle.domaine.limites import consommer
from socle.erreurs import MethodeRefusee, TropDeRequetes
from socle.pages.entetes import proteger
from socle.pages.erreurs import ecrits, page_de_refus
from socle.pages.langue import poser_la_langue
from socle.pages.venue import est_en_avance, vient_d_ailleurs
from socle.pages.vues import servir, vers

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
# Where the space itself does not open, whatever was asked: it is reading that the guest mode is closed to.
PHRASES_SANS_ESPACE = PHRASES | {
    "GUEST_MODE_DISABLED": _("Les espaces sans compte sont fermés pour le moment. Gardez vos six mots.")
}
SANS_RETOUR = _(
    "Votre espace s'est fermé. Avec un compte, connectez-vous. Sans compte, il ne se rouvre pas pour le moment : "
    "gardez vos six mots."
)
# Where nobody can write again without an account.
ACCES_FERME = _("Cet accès a été fermé. Pour parler à quelqu'un : « Besoin d'aide maintenant », en haut.")


class Page(View):
    """A page of the portal: a template, what it does (`get`, `post`), who may open it (`entrer`, else its own space's).

    Besides those, a page that somebody types in says how it shows its form again (`remontrer`), and one that gives a
    text back in its own way how it refuses (`refuser`). Nothing else is overridden.
    """

    http_method_names = ["get", "head", "post"]
    gabarit = ""
    titre: Any = ""
    phrases: Mapping[str, Any] = PHRASES  # another, where a refusal means something else on this page
    rend_les_textes = True  # on a refusal: only after the CSRF check
    # The form as it was posted, judged by nobody and sent nowhere: for the button of the other language.
    remontrer: Callable[..., HttpResponse] | None = None
    va_sans_espace = False  # a refusal offers to go on without
    est_un_dossier: Any = (
        False  # shows or takes away one's cases: from the campus's pages the password is asked for again
    )
    jeton = ""
    acces: Any = None  # the Acces of this browser, where `entrer` asks

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.PORTAIL_ENABLED:
            raise Http404
        if langue := self._langue_demandee(request):
            activate(langue)
        reponse = servir(request, lambda: self._repondre(request, *args, **kwargs), self.refuser)
        if langue:
            poser_la_langue(reponse, langue)
        return reponse

    def _langue_demandee(self, request: HttpRequest) -> str:
        """The language of the button of a form, "" for none."""
        demandee = request.POST.get("vers", "") if self.remontrer and request.method == "POST" else ""
        return demandee if demandee in dict(settings.LANGUAGES) else ""

    def _repondre(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            consommer("general", self.entrer(request))
        except AccesTermine:
            consommer("general", cle_adresse(request))  # a cookie that opens nothing is looked for in the base too
            raise
        if self.acces is not None and self.acces.date_campus is not None and self.est_un_dossier:
            self._exiger_le_mot_de_passe(request)
        if self.remontrer and self._langue_demandee(request):
            return self.remontrer(request, *args, **kwargs)
        return super().dispatch(request, *args, **kwargs)

    def _exiger_le_mot_de_passe(self, request: HttpRequest) -> None:
        mot_de_passe.exiger(self.acces)
        if EN_DIRECT not in request.headers and not est_en_avance(request):
            mot_de_passe.noter_les_dossiers(self.acces)

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        raise MethodeRefusee

    def entrer(self, request: HttpRequest) -> str:
        """Find who has a space open here, or refuse and say what to do; return the key the request is counted under."""
        self.lire_l_acces(request)
        # A page that keeps itself true is not somebody who uses it, nor is one that is asked for in advance.
        if EN_DIRECT not in request.headers and not est_en_avance(request):
            services.noter_usage(self.acces)
        return self.acteur.cle

    def lire_l_acces(self, request: HttpRequest) -> None:
        """The open access of this browser, or the refusal that says why not, in the words of the door."""
        self.jeton = jeton_de(request, ACCES)
        phrases, self.phrases = self.phrases, PHRASES_SANS_ESPACE
        self.acces = acces_de(request)
        self.phrases = phrases

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A page of words alone."""
        return self.rendre(request)

    def rendre(self, request: HttpRequest, statut: int = 200, gabarit: str = "", **contexte: Any) -> HttpResponse:
        contexte = {"titre": self.titre, **self._cadre(request), **contexte}
        return render(request, gabarit or self.gabarit, contexte, status=statut)

    def _cadre(self, request: HttpRequest) -> dict[str, Any]:
        """Context of the frame of every page."""
        six_mots = self.six_mots(request)
        return {
            "acces": self.acces,
            "inactivite": int(settings.PORTAIL_INACTIVITE.total_seconds()),
            "six_mots": six_mots,
            "langue_du_code": code.langue_de(six_mots),
            "peut_ecrire": services.etape_ouverte(self.acces, "create"),
            "peut_lire": services.etape_ouverte(self.acces, "read"),
            "du_compte": self.acces is not None and self.acces.est_d_un_compte,
            "ici": request.path,
            "urgence": settings.PORTAIL_URGENCE,
            "lecture": settings.PORTAIL_LECTURE.get(get_language() or "fr", ""),
            "se_remontre": self.remontrer is not None,
            "autre_langue": next(une for une in settings.LANGUAGES if une[0] != get_language()),
        }

    def six_mots(self, request: HttpRequest) -> list[str]:
        """The code, folded on every page of the visit that drew it; none on another visit."""
        return sceau.ouvrir(jeton_de(request, ACCES), self.acces.code_scelle).split() if self.acces else []

    @property
    def acteur(self) -> Acteur:
        """Of the access of this browser, on a page that has one."""
        return services.acteur_de(self.acces)

    def exiger_l_etape(self, etape: str) -> None:
        """Refuse what the guest mode does not open to whoever asks."""
        services.exiger_l_etape(self.acces, etape)

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        if isinstance(refus, MotDePasseDemande):
            return proteger(demander_le_mot_de_passe(request))
        if isinstance(refus, AccesTermine) and arrive_sans_cookie(request):
            # The same to whoever has a space here and to whoever has none.
            invite = {"titre": _("Mon espace"), "adresse": request.get_full_path()}
            return proteger(render(request, "portail/ouvrir.html", self._cadre(request) | invite))
        if isinstance(refus, AccesTermine) and not est_ouverte("read"):
            refus = AccesTermine(SANS_RETOUR)  # its words would open nothing now
        nom = en_refus(refus).code
        contexte = self._cadre(request) | {"phrase": self._phrase(nom), "sans_espace": self.va_sans_espace}
        if self.rend_les_textes and not isinstance(refus, EssaisEpuises):  # words that open nothing, perhaps an address
            contexte |= ecrits(request)
        if nom == "GUEST_MODE_DISABLED" and settings.PORTAIL_AIDE_PUBLIQUE:
            contexte["contacts"] = contacts()  # it leaves nothing else to do
        reponse = page_de_refus(request, refus, "portail/refus.html", **contexte)
        if isinstance(refus, AccesTermine) and EN_DIRECT not in request.headers:  # a later answer may have set another
            oublier_l_acces(request, reponse)
        return reponse

    def _phrase(self, nom: str) -> Any:
        """Sentence for a refusal of this code here, None where its own words say it."""
        est_ferme = nom == "GUEST_SESSION_INVALID" and not est_ouverte("create")
        return ACCES_FERME if est_ferme else self.phrases.get(nom)


def demander_le_mot_de_passe(request: HttpRequest) -> HttpResponse:
    """To the page that asks for it, then back here; a page that keeps itself true waits as it is."""
    if EN_DIRECT in request.headers:
        return HttpResponse(status=428)
    return vers("portail:preuve", suite=suite_de(request.get_full_path() if request.method != "POST" else request.path))


def arrive_sans_cookie(request: HttpRequest) -> bool:
    """True of a page that another site or a mail led to: a link of our own brings the cookie that it left behind."""
    return request.method in ("GET", "HEAD") and vient_d_ailleurs(request) and not est_venu(request, ACCES)


def librement(page: Page, request: HttpRequest) -> str:
    """`entrer` for anybody, without asking the base whether a space is open here."""
    return cle_adresse(request)


def avec_ou_sans_espace(page: Page, request: HttpRequest) -> str:
    """`entrer` for anybody; the frame shows the space of this browser, if it has one."""
    page.acces = acces_ouvert(request)
    return cle_adresse(request)


def ailleurs(nom: str) -> Callable[..., HttpResponse]:
    """`get` of an address that is only posted to: the page whose form does so."""
    return lambda page, request: vers(nom)


def ailleurs_avec(nom: str) -> Callable[..., HttpResponse]:
    """The same where the address names what it acts on."""
    return lambda page, request, **quoi: vers(nom, *quoi.values())


def cle_de_la_page(request: HttpRequest) -> str:
    """Key that a form of ours drew for itself alone, "" for none: whoever holds a cookie does not know it."""
    cle = request.POST.get("cle_de_la_page", "")
    return cle if len(cle) <= JETON_MAX and cle.isascii() else ""


def brouillon_en_attente(request: HttpRequest, acces: Acces | None) -> bool:
    """True where a draft was begun in the guest space that this account's access holds."""
    if acces is None or acces.a_rattacher is None:
        return False
    return bool(brouillon.lire(jeton_de(request, BROUILLON), acteur=ActeurInvite(invite=acces.a_rattacher)))


def ce_qui_attend(request: HttpRequest, acces: Acces) -> dict[str, Any]:
    """Context on the guest space that waits in this account's access, and on what can be done with it."""
    return {
        "brouillon_qui_attend": brouillon_en_attente(request, acces),
        "peut_recevoir": est_ouverte("merge"),
        "peut_revenir": est_ouverte("read"),
        "cle_de_la_page": sceau.tirer_jeton(),
    }


def contacts() -> list[ContactUrgence]:
    """The active ones, of the reader's language and of none."""
    return dans_la_langue(ContactUrgence.objects.filter(actif=True).order_by("ordre", "id"), get_language() or "fr")


def preuve_demandee(acteur: Acteur) -> dict[str, Any]:
    """Context of a page that asks for the six words: where who has lost them still writes, and what they may be."""
    sans_mots = not acteur.est_invite or ouvre_sans_mots(acteur.invite)
    return {"dernier_rang": Signalement.objects.vivants().de(acteur).count(), "sans_mots": sans_mots}


def refuser_un_code(request: HttpRequest, acteur: Acteur | None, **textes: str) -> None:
    code.refuser_un_code(acteur, compter=lambda: consommer("guest_unknown", cle_adresse(request)), **textes)


def faire_attendre(reponse: HttpResponse, refus: TropDeRequetes) -> HttpResponse:
    reponse.headers["Retry-After"] = str(refus.attente)
    return reponse


def vers_les_messages(rang: int) -> HttpResponse:
    return vers("portail:dossier", rang, suite="#messages")
