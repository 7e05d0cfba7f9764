"""A guest's cases become an account's, step by step: why, who one is, what would meet, and what came of it."""

import secrets
from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError

from guests.erreurs import (
    ConflitDeFusion,
    FichiersPartages,
    FusionAnnulee,
    PlanChange,
    SessionFusionnee,
    TropDeConflits,
)
from guests.fusion.execution import apercevoir, fusionner, rejouer
from guests.mesures import compter, refus_comptes
from guests.serializers import ApercuDetail, FusionCreate
from guests.services import exiger_etape
from portail.erreurs import AccesTermine, LienRompu, MotDePasseDemande, MotsDemandes, MotsFaux
from portail.pages import formulaires, ouverture
from portail.pages.compte import CONNEXION
from portail.pages.cookies import ACCES, BROUILLON, acces_ouvert, jeton_de, poser_le_cookie
from portail.pages.page import (
    PHRASES,
    PHRASES_SANS_ESPACE,
    Page,
    ailleurs,
    ce_qui_attend,
    cle_de_la_page,
    preuve_demandee,
    vers,
)
from portail.services import brouillon, preuve, rattachement, sceau
from portail.services.conflits import lire_les_choix, presenter
from socle.api.exceptions import en_refus
from socle.api.rejeu import cle_valable
from socle.api.reseau import cle_adresse
from socle.api.serializers import Regard
from socle.domaine.acteurs import ActeurInvite
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides, CleMalformee, CleReutilisee, PermissionRefusee
from socle.moteur.sorties import rendre_un
from socle.pages.entetes import proteger

PHRASES_DU_RATTACHEMENT = PHRASES | {
    "GUEST_MODE_DISABLED": _("On ne peut pas rattacher de dossier à un compte pour le moment.")
}
PHRASES_DU_RETOUR = PHRASES | {
    "GUEST_MODE_DISABLED": _(
        "On ne peut pas revenir à un espace sans compte pour le moment. Rien n'est perdu : gardez ses six mots. "
        "Votre compte reste ouvert ici."
    )
}
# What was seen no longer holds, or is not what the page showed: it is shown again, as it is now.
A_REVOIR = (PlanChange, CleMalformee, CleReutilisee, FusionAnnulee, ValidationError)
RELIRE = "relire"  # a button: the choices that come with it are shown, nothing is merged
PAR_CONFLIT = {
    TropDeConflits: _("Trop de dossiers se ressemblent pour les régler ici. Rien n'a changé : écrivez à l'équipe."),
    FichiersPartages: _("Un fichier ferait le lien entre un dossier anonyme et un autre. Gardez les deux dossiers."),
}


class Pourquoi(Page):
    """First: what it changes, before anybody says who they are."""

    gabarit = "portail/rattacher/pourquoi.html"
    titre = _("Rattacher à un compte")
    phrases = PHRASES_DU_RATTACHEMENT

    def get(self, request: HttpRequest) -> HttpResponse:
        if self.acces.est_d_un_compte:
            return vers("portail:apercu")
        exiger_etape("merge")
        return self.rendre(request)


class PasserAuCompte(Page):
    """Page to say who one is, next: the account's access takes the place of the guest's, and holds its session.

    The guest access of this browser, open when the form is posted, proves whose cases they are; it is None for a
    second click, whose first answer was lost, and which says again who it is.
    """

    par = CONNEXION  # or INSCRIPTION, at its address
    phrases = PHRASES_DU_RATTACHEMENT
    refus_des_mots: Any = ""

    def entrer(self, request: HttpRequest) -> str:
        try:
            self.lire_l_acces(request)
        except AccesTermine:
            if request.method != "POST" or not rattachement.est_passee(self.jeton):
                raise
        return cle_adresse(request)

    def get(self, request: HttpRequest) -> HttpResponse:
        if (deja := self._deja()) is not None:
            return deja
        return self._montrer(request, form=self.par.formulaire(), **ouverture.d_abord(request, emporte=True))

    def post(self, request: HttpRequest) -> HttpResponse:
        if (deja := ouverture.deja_servie(self, request) or self._deja() or self._prouver(request)) is not None:
            return deja
        session = self.par.session(request, partial(self._redemander, request))
        if isinstance(session, HttpResponse):
            return session
        jeton = rattachement.passer_au_compte(self.jeton, session=session, texte=request.POST.get("code", ""))
        reponse = vers("portail:apercu")
        poser_le_cookie(reponse, ACCES, jeton)
        return reponse

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        form = self.par.formulaire(initial=request.POST.dict())
        return ouverture.deja_servie(self, request) or self._redemander(request, form, 200)

    def _deja(self) -> HttpResponse | None:
        if self.acces is not None and self.acces.est_d_un_compte:
            return vers("portail:apercu")
        exiger_etape("merge")
        return None

    def _prouver(self, request: HttpRequest) -> HttpResponse | None:
        """The form again, before anybody is looked for in it, where the six words are missing or wrong.

        A second click has no access any more, or loses it here to the first: it leads where that led, for the same
        account alone.
        """
        if self.acces is None:
            return None
        try:
            preuve.exiger(self.acces, request.POST.get("code", ""))
        except (MotsDemandes, MotsFaux) as refus:
            self.refus_des_mots = refus.message
            return self._redemander(request, self.par.formulaire(request.POST), refus.statut_http)
        except AccesTermine:
            if not rattachement.est_passee(self.jeton):
                raise
            self.acces = None
        return None

    def _redemander(self, request: HttpRequest, form: Any, statut: int) -> HttpResponse:
        return self._montrer(request, statut=statut, form=form, **ouverture.de_nouveau(request, emporte=True))

    def _montrer(self, request: HttpRequest, **contexte: Any) -> HttpResponse:
        gabarit = f"portail/rattacher/{self.par.nom}.html"
        return self.rendre(request, gabarit=gabarit, **self.par.contexte(), **contexte, **self._boite_des_mots(request))

    def _boite_des_mots(self, request: HttpRequest) -> dict[str, Any]:
        """Form of the six words, where they were not typed, nor shown, minutes ago."""
        if self.acces is None or self.acces.est_d_un_compte or preuve.est_recente(self.acces):
            return {}
        texte = request.POST.get("code", "")
        form = formulaires.SixMots(initial={"code": texte})
        if self.refus_des_mots:
            form = formulaires.refuse(texte, self.refus_des_mots)
        return {"preuve": form, **preuve_demandee(self.acteur)}


class Confirmer(Page):
    """Page of what would come over, next, and each meeting to settle; confirming merges, once, all of it or nothing."""

    est_un_dossier = True
    gabarit = "portail/rattacher/apercu.html"
    titre = _("Relire et rattacher")
    phrases = PHRASES_DU_RATTACHEMENT

    def get(self, request: HttpRequest) -> HttpResponse:
        if (mene := self._mene()) is not None:
            return mene
        self._exiger_le_droit()
        exiger_etape("merge")
        consommer("merge", self.acteur.cle)
        return self._montrer(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        if RELIRE in request.POST:
            return self.remontrer(request)
        if (mene := self._mene()) is not None:
            if self.acces.est_d_un_compte and rattachement.fusion_faite(self.acces) is None:
                raise LienRompu
            return mene
        self._exiger_le_droit()
        try:
            self._rattacher(request)
        except A_REVOIR as refus:
            return self._montrer(request, statut=en_refus(refus).statut_http, change=True)
        except (ConflitDeFusion, ChampsInvalides) as refus:
            return self._redemander(request, refus)
        except (SessionFusionnee, LienRompu):
            if rattachement.fusion_faite(self.acces) is None:
                raise
        return vers("portail:fait")

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self.get(request)  # with the choices that were posted

    def refuser(self, request: HttpRequest, refus: Any) -> HttpResponse:
        """Keep the choices beside the password, where it is asked for again."""
        attend = ouverture.en_suspens(request)
        if not isinstance(refus, MotDePasseDemande) or not attend["choisis"]:
            return super().refuser(request, refus)
        attend |= {"form": formulaires.MotDePasse(), "retour": request.path, "cle_de_la_page": sceau.tirer_jeton()}
        return proteger(self.rendre(request, refus.statut_http, "portail/compte/preuve.html", **attend))

    def _mene(self) -> HttpResponse | None:
        """Redirect where nothing is to be merged: a guest says first who they are; an account has done it, perhaps."""
        if not self.acces.est_d_un_compte:
            return vers("portail:rattacher")
        return vers("portail:fait") if self.acces.a_rattacher_id is None else None

    def _exiger_le_droit(self) -> None:
        if not self.acteur.peut(Droit.INVITES_RATTACHER):
            raise PermissionRefusee

    def _rattacher(self, request: HttpRequest) -> None:
        with refus_comptes():
            exiger_etape("merge")
            consommer("merge", self.acteur.cle)
            cle = cle_valable(request.POST.get("cle", ""))
            demande: Any = {"session": self.acces.a_rattacher, "compte": self.acteur.compte, "cle": cle}
            resultat = rejouer(**demande) or self._fusionner(request, demande)
        compter(resultat)

    def _fusionner(self, request: HttpRequest, demande: dict[str, Any]) -> Any:
        demande["session"].exiger_active()
        lu = FusionCreate(
            data={"resolutions": lire_les_choix(request.POST), "planDigest": request.POST.get("plan_digest", "")}
        )
        lu.is_valid(raise_exception=True)
        with transaction.atomic():
            rattachement.exiger_le_lien(self.acces)
            return fusionner(**demande, **lu.validated_data)

    def _redemander(self, request: HttpRequest, refus: Any) -> HttpResponse:
        """Render again, with what is missing or not allowed at the conflict it is about."""
        choisis = lire_les_choix(request.POST)
        erreurs: dict[str, Any] = {}
        for detail in refus.details or []:
            if "guestEntityId" in detail:
                erreurs[detail["guestEntityId"]] = _("Choisissez ce qu'il advient de ces deux-là.")
            elif (rang := detail["field"].removeprefix("resolutions.").partition(".")[0]).isdigit():
                erreurs[choisis[int(rang)]["guestEntityId"]] = _("Ce choix n'est pas possible ici : gardez les deux.")
        phrase = PAR_CONFLIT.get(type(refus), _("Réglez chaque ressemblance, puis confirmez."))
        return self._montrer(request, statut=refus.statut_http, erreurs=erreurs, phrase=phrase)

    def _montrer(
        self, request: HttpRequest, statut: int = 200, erreurs: dict[str, Any] | None = None, **contexte: Any
    ) -> HttpResponse:
        invite: Any = self.acces.a_rattacher
        invite.exiger_active()
        compte = self.acteur.compte
        apercu = apercevoir(session=invite, compte=compte, user_id=compte.pk)
        rendu = rendre_un(ApercuDetail, apercu, Regard(vu_par=self.acteur).contexte)
        lecteurs = (ActeurInvite(invite=invite), self.acteur)
        conflits = presenter(rendu["conflicts"], lecteurs, deja=map(str, request.POST.values()))
        contexte |= {
            "apercu": rendu,
            "conflits": [(conflit, (erreurs or {}).get(conflit.cle)) for conflit in conflits],
            "cle": secrets.token_urlsafe(16),
            "faux": statut != 200,
        }
        return self.rendre(request, statut=statut, **ce_qui_attend(request, self.acces), **contexte)


class Fait(Page):
    """Last, what came of it."""

    est_un_dossier = True
    gabarit = "portail/rattacher/fait.html"
    titre = _("C'est rattaché")

    def get(self, request: HttpRequest) -> HttpResponse:
        fusion = rattachement.fusion_faite(self.acces) if self.acces.est_d_un_compte else None
        if fusion is not None:
            commence = brouillon.lire(jeton_de(request, BROUILLON), acteur=self.acteur)
            return self.rendre(request, comptes=fusion.resume["migratedCounts"], brouillon=bool(commence))
        return vers("portail:apercu" if self.acces.a_rattacher_id else "portail:dossiers")


class Revenir(Page):
    """Or, before confirming, back to the guest's cases, without any account."""

    est_un_dossier = True
    phrases = PHRASES_DU_RETOUR

    def entrer(self, request: HttpRequest) -> str:
        """A second click comes with a cookie that has ended."""
        self.jeton, self.acces = jeton_de(request, ACCES), acces_ouvert(request)
        if self.acces is None:
            self.phrases = PHRASES_SANS_ESPACE
        return cle_adresse(request)

    get = ailleurs("portail:apercu")

    def post(self, request: HttpRequest) -> HttpResponse:
        jeton = rattachement.revenir(self.jeton, cle=cle_de_la_page(request))
        reponse = vers("portail:dossiers")
        if jeton is not None:
            poser_le_cookie(reponse, ACCES, jeton)
        return reponse
