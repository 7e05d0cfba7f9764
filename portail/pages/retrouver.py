"""The way back, by six words."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from guests.erreurs import SessionFusionnee
from guests.services import exiger_etape
from portail.erreurs import CodeEteint, CodeInconnu
from portail.pages import ouverture
from portail.pages.cookies import ACCES, jeton_de
from portail.pages.formulaires import SixMots
from portail.pages.page import PHRASES_SANS_ESPACE, Page, faire_attendre, librement
from portail.services import acces as services
from portail.services import code, preuve, sceau
from socle.api.reseau import cle_adresse
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides, TropDeRequetes


class Retrouver(Page):
    """Opens the case of six words, or of the guest id of an application."""

    gabarit = "portail/retrouver.html"
    titre = _("Retrouver mon espace")
    phrases = PHRASES_SANS_ESPACE
    entrer = librement

    def get(self, request: HttpRequest) -> HttpResponse:
        exiger_etape("read")
        return self.rendre(request, form=SixMots(), **ouverture.d_abord(request))

    def post(self, request: HttpRequest) -> HttpResponse:
        if (ailleurs := ouverture.deja_servie(self, request)) is not None:
            return ailleurs
        exiger_etape("read")
        form = SixMots(request.POST)
        if ouverture.laisserait_un_brouillon(request):
            return self._redemander(request, form, 409, demande=True)
        form.is_valid()
        eteints = False
        try:
            consommer("guest_unknown", cle_adresse(request), pas=0)
            invite = code.session_du_code(request.POST.get("code", ""))
            invite.exiger_active()
            jeton = _ouvrir(invite)
        except CodeInconnu as refus:
            code.noter_un_code_faux()
            consommer("guest_unknown", cle_adresse(request))
            form.add_error("code", str(refus.message))
            eteints = isinstance(refus, CodeEteint)  # with how to reach the team
        except ChampsInvalides as refus:
            form.add_error("code", str(refus.details[0]["message"]))
        except TropDeRequetes as refus:
            phrase = _("Trop d'essais depuis ce réseau. Réessayez dans %(n)d secondes. Rien n'est perdu.")
            form.add_error("code", str(phrase) % {"n": refus.attente or 0})
            return faire_attendre(self._redemander(request, form, refus.statut_http), refus)
        else:
            depuis = ouverture.d_ou_l_on_vient(request)
            if ancien := jeton_de(request, ACCES):
                services.terminer(ancien)
            return ouverture.mener(self, request, jeton, depuis=depuis)
        return self._redemander(request, form, 422, eteints=eteints)

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        form = SixMots(initial=request.POST.dict())
        return ouverture.deja_servie(self, request) or self._redemander(request, form, 200)

    def _redemander(self, request: HttpRequest, form: SixMots, statut: int, **contexte: Any) -> HttpResponse:
        return self.rendre(request, statut=statut, form=form, **contexte, **ouverture.de_nouveau(request))


def _ouvrir(invite: Any) -> str:
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
