"""The receipt, and what one does with one's access: end it, change its code or number, keep it, take one's data."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from avis.demandes import etat_de, se_tait
from guests.services import changer_telephone, est_ouverte
from personnes.exports.envoi import exporter
from portail.erreurs import MotsDemandes, MotsFaux
from portail.pages import formulaires
from portail.pages.cookies import ACCES, BROUILLON, jeton_de, oublier_les_cookies, poser_le_cookie
from portail.pages.page import Page, ailleurs, ce_qui_attend, preuve_demandee, vers
from portail.services import acces as services
from portail.services import brouillon, code, garde, mot_de_passe, preuve
from reponses.selections import accuses_de, orientation_de
from signalements.dates import dates_promises
from signalements.models import Signalement
from socle.api.reseau import cle_adresse
from socle.courriel import est_remis
from socle.domaine.acteurs import Acteur
from socle.domaine.chiffrement import Illisible
from socle.erreurs import ErreurMetier, Introuvable
from socle.pages.depart import noter_le_depart


class Recu(Page):
    """« C'est envoyé »: the reference and, for the first visit alone, the six words."""

    est_un_dossier = True
    gabarit = "portail/recu.html"
    titre = _("C'est envoyé")

    def get(self, request: HttpRequest) -> HttpResponse:
        siens = Signalement.objects.vivants().de(self.acteur)
        dernier = siens.order_by("-date_creation", "-id").first()
        accuses = accuses_de(dernier)
        return self.rendre(
            request,
            dossier=dernier,
            rang=siens.count(),
            savoir=orientation_de(dernier, get_language() or "fr", accuses),
            accuses=accuses,
            dates=dates_promises(dernier) if dernier is not None else [],
            peut_etre_prevenu=est_remis(),
        )


class VerifierLeCode(Page):
    """« Tapez le troisième de vos six mots »: what was noted is what was shown."""

    gabarit = "portail/recu_verifier.html"
    titre = _("Vérifier vos six mots")
    RANG = 3

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self.rendre(request, tape=request.POST.get("mot", "")[:50])

    def post(self, request: HttpRequest) -> HttpResponse:
        """Of words that this visit shows; and of no more than a few: not what somebody tries word by word."""
        six_mots = self.six_mots(request)
        tape = request.POST.get("mot", "")[:50]
        if not six_mots or not self.acces.peut_verifier:
            return vers("portail:dossiers")
        juste = garde.noter_un_mot(self.acces, est_juste=code.meme_mot(tape, six_mots[self.RANG - 1]))
        return self.rendre(request, statut=200 if juste else 422, juste=juste, faux=not juste, tape=tape)


class MonAcces(Page):
    gabarit = "portail/acces.html"
    titre = _("Mon accès")
    est_un_dossier = property(lambda page: page.acces.a_rattacher_id is not None)  # it says that one waits

    def get(self, request: HttpRequest) -> HttpResponse:
        d_un_invite = not self.acces.est_d_un_compte
        contexte: dict[str, Any] = {
            "fait": "fait" in request.GET,
            "prouve": preuve.est_recente(self.acces),
            "a_un_numero": a_un_numero(self.acteur),
            "peut_garder": bool(settings.PORTAIL_GARDE) and d_un_invite,
            "peut_etre_prevenu": est_remis() or self._peut_s_arreter(),
            "se_tait": est_remis() and se_tait(self.acteur),
            "peut_rattacher": d_un_invite and est_ouverte("merge"),
        }
        reponse = self.rendre(request, **ce_qui_attend(request, self.acces), **contexte)
        if self.acces.est_garde:  # a page opened before it was kept on this device asks here whether it is
            reponse.headers["X-Garde"] = "1"
        return reponse

    def _peut_s_arreter(self) -> bool:
        """True of what was asked for when mails left; from the campus's pages that is not said."""
        return not mot_de_passe.est_demande(self.acces) and etat_de(self.acteur).demande


class Terminer(Page):
    """Ends the access; asked again where the code would be shown for the last time."""

    gabarit = "portail/terminer.html"
    titre = _("Terminer")

    def entrer(self, request: HttpRequest) -> str:
        """Asked to close, it closes, whatever has ended it since: a second click leads where the first did."""
        try:
            return super().entrer(request)
        except ErreurMetier:
            if request.method != "POST":
                raise
        return cle_adresse(request)

    def get(self, request: HttpRequest) -> HttpResponse:
        efface = brouillon.lire(jeton_de(request, BROUILLON), acteur=self.acteur)
        se_tait = mot_de_passe.est_demande(self.acces)  # from the campus's pages, whether one was begun is not said
        return self.rendre(request, brouillon=bool(efface) and not se_tait, se_tait=se_tait)

    def post(self, request: HttpRequest) -> HttpResponse:
        services.terminer(self.jeton)
        brouillon.effacer(jeton_de(request, BROUILLON))
        reponse = vers("portail:accueil")
        oublier_les_cookies(reponse, ACCES, BROUILLON)
        noter_le_depart(reponse)
        return reponse


class ChangerDeCode(Page):
    """Replaces the six words by others, shown until this access ends; the former open nothing from then on.

    All six are asked for first, unless they were typed or shown minutes ago.
    """

    gabarit = "portail/recu.html"
    titre = _("Vos six mots")

    def get(self, request: HttpRequest) -> HttpResponse:
        if self.acces.est_d_un_compte:
            return vers("portail:acces")
        if "changer" in request.GET:
            return self._demander(request, formulaires.SixMots())
        return self.rendre(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        if self.acces.est_d_un_compte:
            return vers("portail:acces")
        self.exiger_l_etape("create")
        texte = request.POST.get("code", "")
        try:
            preuve.changer_de_code(self.acces, jeton=self.jeton, langue=get_language() or "fr", texte=texte)
        except (MotsDemandes, MotsFaux) as refus:
            form = formulaires.refuse(texte, refus.message) if "code" in request.POST else formulaires.SixMots()
            return self._demander(request, form, statut=refus.statut_http)
        reponse = vers("portail:code")
        poser_le_cookie(reponse, ACCES, self.jeton)  # it may have been kept
        return reponse

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self._demander(request, formulaires.SixMots(initial=request.POST.dict()))

    def _demander(self, request: HttpRequest, form: Any, statut: int = 200) -> HttpResponse:
        contexte = {"form": form, **preuve_demandee(self.acteur)}
        return self.rendre(request, statut, "portail/preuve.html", titre=_("Changer mes six mots"), **contexte)


def a_un_numero(acteur: Acteur) -> bool:
    """True of a guest who has given a number, or from whom one is asked: nobody else has one to change."""
    return acteur.invite is not None and (settings.PORTAIL_TELEPHONE_EXIGE or acteur.invite.telephone is not None)


class ChangerDeNumero(Page):
    gabarit = "portail/numero.html"
    titre = _("Mon numéro")

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._sans_numero() or self._rendre(request, formulaires.NouveauNumero())

    def post(self, request: HttpRequest) -> HttpResponse:
        if (ailleurs := self._sans_numero()) is not None:
            return ailleurs
        form = formulaires.NouveauNumero(request.POST)
        if not form.is_valid():
            return self._rendre(request, form, statut=422)
        changer_telephone(session=self.acteur.invite, **form.cleaned_data)
        return vers("portail:telephone", suite="?fait#fait")

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self._sans_numero() or self._rendre(request, formulaires.NouveauNumero(initial=request.POST.dict()))

    def _sans_numero(self) -> HttpResponse | None:
        self.exiger_l_etape("create")
        return None if a_un_numero(self.acteur) else vers("portail:acces")

    def _rendre(self, request: HttpRequest, form: Any, statut: int = 200) -> HttpResponse:
        session: Any = self.acteur.invite
        return self.rendre(
            request,
            statut=statut,
            form=form,
            masque=session.telephone_masque,
            illisible=session.telephone is Illisible.SANS_CLE,
            fait="fait" in request.GET,
        )


def la_ou_l_on_garde(page: Page, request: HttpRequest) -> str:
    """`entrer`: a guest's space, where PORTAIL_GARDE lets it be kept."""
    cle = Page.entrer(page, request)
    if not settings.PORTAIL_GARDE or page.acces.est_d_un_compte:
        raise Introuvable
    return cle


class Garder(Page):
    """Keeps this space open on this device: on its own page, once the code was checked."""

    gabarit = "portail/garder.html"
    titre = _("Garder sur cet appareil")
    entrer = la_ou_l_on_garde

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.rendre(request, jours=settings.PORTAIL_GARDE.days)

    def post(self, request: HttpRequest) -> HttpResponse:
        reponse = vers("portail:garder")
        if garde.garder(self.acces):
            poser_le_cookie(reponse, ACCES, self.jeton, duree=settings.PORTAIL_GARDE)
            self._oublier_ce_qui_se_tapait(request, reponse)
        return reponse

    def _oublier_ce_qui_se_tapait(self, request: HttpRequest, reponse: HttpResponse) -> None:
        """Forget what was being typed: whoever holds the device is never offered what was not sent."""
        avant = jeton_de(request, BROUILLON)
        if (jeton := brouillon.oublier_les_saisies(avant, acteur=self.acteur)) and jeton != avant:
            poser_le_cookie(reponse, BROUILLON, jeton)
        elif not jeton and avant:
            oublier_les_cookies(reponse, BROUILLON)


class NePlusGarder(Page):
    entrer = la_ou_l_on_garde

    get = ailleurs("portail:garder")

    def post(self, request: HttpRequest) -> HttpResponse:
        garde.rendre_a_son_heure(self.acces)
        reponse = vers("portail:acces")
        poser_le_cookie(reponse, ACCES, self.jeton)
        return reponse


class FermerAilleurs(Page):
    get = ailleurs("portail:acces")

    def post(self, request: HttpRequest) -> HttpResponse:
        services.terminer_les_autres(self.acces)
        return vers("portail:acces", suite="?fait#fait")


class MesDonnees(Page):
    """« Télécharger mes données », only by the button: a link that is followed alone makes nothing."""

    est_un_dossier = True
    get = ailleurs("portail:acces")

    def post(self, request: HttpRequest) -> HttpResponse:
        reponse: Any = exporter(self.acteur)
        return reponse
