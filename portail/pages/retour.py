"""The receipt, the way back by six words, and what one does with one's access."""

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from guests.erreurs import SessionFusionnee
from guests.services import changer_telephone, exiger_etape
from portail.erreurs import CodeEteint, CodeInconnu, MotsDemandes, MotsFaux
from portail.models import Acces
from portail.pages import formulaires
from portail.pages.base import (
    ACCES,
    BROUILLON,
    ESPACES_FERMES,
    PHRASES,
    PageDAcces,
    PageSimple,
    jeton_de,
    oublier_les_cookies,
    poser_le_cookie,
    preuve_demandee,
    vers,
)
from portail.pages.ouverture import PageDOuverture
from portail.services import acces as services
from portail.services import brouillon, code, garde, preuve, sceau
from signalements.models import Signalement
from socle.api.reseau import cle_adresse
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides, ErreurMetier, Introuvable, TropDeRequetes
from socle.pages.depart import noter_le_depart


class Recu(PageDAcces):
    """« C'est envoyé »: the reference and, for the first visit alone, the six words."""

    gabarit = "portail/recu.html"
    titre = _("C'est envoyé")

    def get(self, request: HttpRequest) -> HttpResponse:
        siens = Signalement.objects.vivants().de(self.acteur)
        dernier = siens.order_by("-date_creation", "-id").first()
        return self.rendre(request, dossier=dernier, rang=siens.count())


class VerifierLeCode(PageSimple, PageDAcces):
    """« Tapez le troisième mot »: what was noted is what was shown."""

    gabarit = "portail/recu_verifier.html"
    titre = _("Vérifier votre code")
    RANG = 3
    se_remontre = True

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self.rendre(request, tape=request.POST.get("mot", "")[:50])

    def post(self, request: HttpRequest) -> HttpResponse:
        """Of words that this visit shows; and of no more than a few: not what somebody tries word by word."""
        six_mots = self.commun(request)["six_mots"]
        tape = request.POST.get("mot", "")[:50]
        if not six_mots or not self.acces.peut_verifier:
            return vers("portail:dossiers")
        juste = garde.noter_un_mot(self.acces, est_juste=code.meme_mot(tape, six_mots[self.RANG - 1]))
        return self.rendre(request, statut=200 if juste else 422, juste=juste, faux=not juste, tape=tape)


class Retrouver(PageDOuverture):
    """Opens the case of six words, or of the guest id of an application."""

    gabarit = "portail/retrouver.html"
    titre = _("Retrouver mon espace")
    formulaire = formulaires.Retour
    phrases: ClassVar[Mapping[str, Any]] = {**PHRASES, "GUEST_MODE_DISABLED": ESPACES_FERMES}
    eteints = False

    def get(self, request: HttpRequest) -> HttpResponse:
        exiger_etape("read")
        return super().get(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        exiger_etape("read")
        if (question := self.demander_d_abord(request)) is not None:
            return question
        form = self.formulaire(request.POST)
        form.is_valid()
        try:
            consommer("guest_unknown", cle_adresse(request), pas=0)
            invite = code.session_du_code(request.POST.get("code", ""))
            invite.exiger_active()
            jeton = self._ouvrir(invite)
        except CodeInconnu as refus:
            code.noter_un_code_faux()
            consommer("guest_unknown", cle_adresse(request))
            form.add_error("code", str(refus.message))
            self.eteints = isinstance(refus, CodeEteint)
        except ChampsInvalides as refus:
            form.add_error("code", str(refus.details[0]["message"]))
        except TropDeRequetes as refus:
            phrase = _("Trop d'essais depuis ce réseau. Réessayez dans %(n)d secondes. Rien n'est perdu.")
            form.add_error("code", str(phrase) % {"n": refus.attente or 0})
            return self.faire_attendre(request, form, refus)
        else:
            depuis = self.d_ou_l_on_vient(request)
            if ancien := jeton_de(request, ACCES):
                services.terminer(ancien)
            return self.mener(request, jeton, depuis=depuis)
        return self.redemander(request, form, 422)

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        """With how to reach the team, for who has words that open nothing any more."""
        return {**super().commun(request), "eteints": self.eteints}

    def _ouvrir(self, invite: Any) -> str:
        """An application's id opens too; it does not tell that one has the six words, where there are any."""
        par_les_mots = invite.guest_id is None
        sans_mots = timezone.now() if not par_les_mots and preuve.ouvre_sans_mots(invite) else None
        jeton = sceau.tirer_jeton()
        try:
            services.ouvrir(invite=invite, jeton=jeton, est_verifie=par_les_mots, date_preuve=sans_mots)
        except SessionFusionnee:
            if par_les_mots:  # merged since they were read
                raise CodeEteint from None
            raise
        return jeton


class MonAcces(PageSimple, PageDAcces):
    gabarit = "portail/acces.html"
    titre = _("Mon accès")

    def rendre(self, request: HttpRequest, statut: int = 200, gabarit: str = "", **contexte: Any) -> HttpResponse:
        """A page opened before it was kept on this device asks here whether it is."""
        reponse = super().rendre(request, statut, gabarit, **contexte)
        if self.acces.est_garde:
            reponse.headers["X-Garde"] = "1"
        return reponse

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        acces: Acces | None = self.acces  # none, where the page refuses
        prouve = acces is not None and preuve.est_recente(acces)
        return {**super().commun(request), "fait": "fait" in request.GET, "prouve": prouve}


class Terminer(PageSimple, PageDAcces):
    """Ends the access; asked again where the code would be shown for the last time."""

    gabarit = "portail/terminer.html"
    titre = _("Terminer")

    def entrer(self, request: HttpRequest) -> None:
        """Asked to close, it closes, whatever has ended it since: a second click leads where the first did."""
        with suppress(ErreurMetier) if request.method == "POST" else nullcontext():
            super().entrer(request)

    def cle_de_limite(self, request: HttpRequest) -> str:
        return super().cle_de_limite(request) if self.acces else cle_adresse(request)

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        """With what it would erase."""
        ici = self.acteur if self.acces else None
        return {**super().commun(request), "brouillon": bool(brouillon.lire(jeton_de(request, BROUILLON), acteur=ici))}

    def post(self, request: HttpRequest) -> HttpResponse:
        services.terminer(self.jeton)
        brouillon.effacer(jeton_de(request, BROUILLON))
        reponse = vers("portail:accueil")
        oublier_les_cookies(reponse, ACCES, BROUILLON)
        noter_le_depart(reponse)
        return reponse


class ChangerDeCode(PageSimple, PageDAcces):
    """Replaces the six words by others, shown until this access ends; the former open nothing from then on.

    All six are asked for first, unless they were typed or shown minutes ago.
    """

    gabarit = "portail/recu.html"
    titre = _("Votre code")
    se_remontre = True

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.acces.est_d_un_compte:
            return vers("portail:acces")
        if "changer" in request.GET:
            return self._demander(request, formulaires.Retour())
        return super().get(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        if self.acces.est_d_un_compte:
            return vers("portail:acces")
        self.exiger_l_etape("create")
        texte = request.POST.get("code", "")
        try:
            preuve.changer_de_code(self.acces, jeton=self.jeton, langue=get_language() or "fr", texte=texte)
        except (MotsDemandes, MotsFaux) as refus:
            form = formulaires.refuse(texte, refus.message) if "code" in request.POST else formulaires.Retour()
            return self._demander(request, form, statut=refus.statut_http)
        reponse = vers("portail:code")
        poser_le_cookie(reponse, ACCES, self.jeton)  # it may have been kept
        return reponse

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self._demander(request, formulaires.Retour(initial=request.POST.dict()))

    def _demander(self, request: HttpRequest, form: Any, statut: int = 200) -> HttpResponse:
        contexte = {"form": form, **preuve_demandee(self.acteur)}
        return self.rendre(request, statut, "portail/preuve.html", titre=_("Changer de code"), **contexte)


class ChangerDeNumero(PageDAcces):
    gabarit = "portail/numero.html"
    titre = _("Mon numéro")
    se_remontre = True

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._pour_un_invite() or self._rendre(request, formulaires.NouveauNumero())

    def post(self, request: HttpRequest) -> HttpResponse:
        if (ailleurs := self._pour_un_invite()) is not None:
            return ailleurs
        form = formulaires.NouveauNumero(request.POST)
        if not form.is_valid():
            return self._rendre(request, form, statut=422)
        changer_telephone(session=self.acteur.invite, **form.cleaned_data)
        return vers("portail:telephone", suite="?fait#fait")

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self._pour_un_invite() or self._rendre(request, formulaires.NouveauNumero(initial=request.POST.dict()))

    def _pour_un_invite(self) -> HttpResponse | None:
        self.exiger_l_etape("create")
        return vers("portail:acces") if self.acces.est_d_un_compte else None

    def _rendre(self, request: HttpRequest, form: Any, statut: int = 200) -> HttpResponse:
        return self.rendre(
            request, statut=statut, form=form, masque=self.acteur.invite.telephone_masque, fait="fait" in request.GET
        )


class Garder(PageSimple, PageDAcces):
    """Keeps this space open on this device: on its own page, once the code was checked."""

    gabarit = "portail/garder.html"
    titre = _("Garder sur cet appareil")

    def entrer(self, request: HttpRequest) -> None:
        super().entrer(request)
        if not settings.PORTAIL_GARDE or self.acces.est_d_un_compte:
            raise Introuvable

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().commun(request), "jours": settings.PORTAIL_GARDE.days}

    def post(self, request: HttpRequest) -> HttpResponse:
        reponse = vers("portail:garder")
        if garde.garder(self.acces):
            poser_le_cookie(reponse, ACCES, self.jeton, duree=settings.PORTAIL_GARDE)
            self._oublier_ce_qui_se_tapait(request, reponse)
        return reponse

    def _oublier_ce_qui_se_tapait(self, request: HttpRequest, reponse: HttpResponse) -> None:
        """Whoever holds the device is never offered what was not sent."""
        avant = jeton_de(request, BROUILLON)
        if (jeton := brouillon.oublier_les_saisies(avant, acteur=self.acteur)) and jeton != avant:
            poser_le_cookie(reponse, BROUILLON, jeton)
        elif not jeton and avant:
            oublier_les_cookies(reponse, BROUILLON)


class NePlusGarder(Garder):
    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return vers("portail:garder")

    def post(self, request: HttpRequest) -> HttpResponse:
        garde.rendre_a_son_heure(self.acces)
        reponse = vers("portail:acces")
        poser_le_cookie(reponse, ACCES, self.jeton)
        return reponse


class FermerAilleurs(PageDAcces):
    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("portail:acces")

    def post(self, request: HttpRequest) -> HttpResponse:
        services.terminer_les_autres(self.acces)
        return vers("portail:acces", suite="?fait#fait")
