"""Somebody's cases, each by its rank: what was written, what the team did and answered, and a box to write."""

from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.lectures import qui_paraissent
from discussions.conversation import (
    MESSAGES_MAX,
    discussions_en_direct,
    fichiers_nommes,
    histoire,
    messages_du_dossier,
    repondre,
    tout_marquer_lu,
)
from guests.erreurs import SessionFusionnee
from guests.services import est_ouverte
from portail.erreurs import AccesTermine, AutreDossier, MotDePasseDemande
from portail.pages import formulaires
from portail.pages.cookies import oublier_l_acces
from portail.pages.formulaires import MessageEcrit
from portail.pages.page import EN_DIRECT, Page, ce_qui_attend, refuser_un_code, vers, vers_les_messages
from portail.services import sceau
from portail.services.acces import est_d_un_compte
from reponses.selections import accuses_de, orientation_de
from signalements import ecarts
from signalements.dates import dates_promises
from signalements.models import Signalement
from signalements.serializers import SignalementDetail, dites_a_l_auteur
from signalements.vocabulaire import ETATS, Statut
from socle.api.serializers import Regard
from socle.domaine.acteurs import Acteur
from socle.erreurs import ChampsInvalides
from socle.moteur.sorties import rendre_un
from socle.pages.entetes import proteger
from socle.pages.typographie import dite
from socle.realtime.models import CompteurEvenements

DOSSIERS_MAX = 200  # in the list, the newest; the others open by their rank
RANG_MAX = 1_000_000  # an offset that both databases take


class Dossiers(Page):
    est_un_dossier = True
    gabarit = "portail/dossiers.html"
    titre = _("Mes dossiers")

    def get(self, request: HttpRequest) -> HttpResponse:
        siens = _les_siens(self.acteur)
        total = siens.count()
        montres = siens.reverse()[:DOSSIERS_MAX]
        contexte: dict[str, Any] = {
            "dossiers": [(total - place, un, ETATS[Statut(un.statut)]) for place, un in enumerate(montres)],
            "dossiers_max": DOSSIERS_MAX if total > DOSSIERS_MAX else 0,
        }
        return self.rendre(request, **contexte, **ce_qui_attend(request, self.acces))


class Dossier(Page):
    est_un_dossier = True

    def get(self, request: HttpRequest, rang: int) -> HttpResponse:
        montre = request.headers.get(EN_DIRECT, "")
        if est_une_cle(montre) and (place := place_de(self.acteur, rang, montre)) != rang:
            return vers("portail:dossier", place)
        return montrer(self, request, rang, MessageEcrit())


def montrer(page: Page, request: HttpRequest, rang: int, form: MessageEcrit, statut: int = 200) -> HttpResponse:
    """The case of this rank, with the box to write in."""
    depuis = CompteurEvenements.lire().dernier_numero  # before what is read: nothing is missed
    dossier = dossier_du_rang(page.acteur, rang)
    regard = Regard(vu_par=page.acteur, dossier=dossier)
    messages = messages_du_dossier(page.acteur, dossier, regard)
    entrees = list(dossier.timeline.pour_lecture(pour_l_equipe=False))
    accuses = accuses_de(dossier)
    rendu = rendre_un(SignalementDetail, dossier, regard.contexte)
    pieces = fichiers_nommes(set(rendu["piecesJointes"]), regard)
    return page.rendre(
        request,
        gabarit="portail/dossier.html",
        statut=statut,
        titre=dite(dossier.titre_montre),
        rang=rang,
        dossier=rendu,
        pieces=[pieces.get(cle) for cle in rendu["piecesJointes"]],
        etat=ETATS[Statut(dossier.statut)],
        est_clos=dossier.statut == Statut.CLOTURE,
        dates=dates_promises(dossier),
        accuses=accuses,
        recu=dossier,
        savoir=orientation_de(dossier, get_language() or "fr", accuses),
        entrees=dites_a_l_auteur(histoire(page.acteur, entrees, regard)),
        messages=messages,
        messages_max=MESSAGES_MAX if len(messages) == MESSAGES_MAX else 0,
        discussions=discussions_en_direct(dossier),
        depuis=depuis,
        non_lus=dossier.messages_non_lus_count,
        form=form,
        se_choisissent=bool(qui_paraissent() or (dossier.est_reserve and ecarts.demandes(dossier))),
    )


def montrer_ce_qui_s_ecrit(page: Page, request: HttpRequest, rang: int) -> HttpResponse:
    rang = place_de(page.acteur, rang, request.POST.get("dossier", ""))
    return montrer(page, request, rang, MessageEcrit(initial=request.POST.dict()))


def refuser_en_rendant(page: Page, request: HttpRequest, refus: Exception) -> HttpResponse:
    """Put the text back in its box where the space has closed, beside what opens it again: a code, or an account.

    Beside the password alone, where it is asked for again.
    """
    texte = request.POST.get("contenu", "")
    if not isinstance(refus, AccesTermine | SessionFusionnee | MotDePasseDemande) or not texte:
        return Page.refuser(page, request, refus)
    if isinstance(refus, MotDePasseDemande):
        return proteger(_rendre_le_texte(page, request, refus, "compte/preuve", formulaires.MotDePasse()))
    du_compte = isinstance(refus, SessionFusionnee) or est_d_un_compte(page.jeton)
    if not du_compte and not est_ouverte("read"):  # a code would open nothing
        return Page.refuser(page, request, refus)
    form = formulaires.FormulaireDeConnexion() if du_compte else formulaires.SixMots()
    reponse = _rendre_le_texte(page, request, refus, "compte/connexion" if du_compte else "retrouver", form)
    oublier_l_acces(request, reponse)
    return proteger(reponse)


def _rendre_le_texte(page: Page, request: HttpRequest, refus: Any, gabarit: str, form: Any) -> HttpResponse:
    return page.rendre(
        request,
        statut=refus.statut_http,
        gabarit=f"portail/{gabarit}.html",
        form=form,
        texte=request.POST.get("contenu", ""),
        rang=page.kwargs["rang"],
        pour=request.POST.get("dossier", "")[:40],
        titre=page.phrases.get(refus.code, refus.message_de_page),
        cle_de_la_page=sceau.tirer_jeton(),
    )


class Repondre(Page):
    """Writes in the case's conversation, opened by the first message; what was there counts as read."""

    est_un_dossier = True
    remontrer = montrer_ce_qui_s_ecrit
    refuser = refuser_en_rendant

    def get(self, request: HttpRequest, rang: int) -> HttpResponse:
        return vers("portail:dossier", rang)

    def post(self, request: HttpRequest, rang: int) -> HttpResponse:
        self.exiger_l_etape("create")
        form = MessageEcrit(request.POST)
        if not form.is_valid():
            return montrer(self, request, rang, form, statut=422)
        contenu = form.cleaned_data["contenu"]
        try:
            rang = place_de(self.acteur, rang, request.POST.get("dossier", ""))
            refuser_un_code(request, self.acteur, contenu=contenu)
        except AutreDossier as refus:
            form.add_error("contenu", str(refus.message))
            return montrer(self, request, rang, form, statut=refus.statut_http)
        except ChampsInvalides as refus:
            form.accueillir(refus.details or [])
            return montrer(self, request, rang, form, statut=refus.statut_http)
        repondre(acteur=self.acteur, dossier=dossier_du_rang(self.acteur, rang), contenu=contenu)
        return vers_les_messages(rang)


class Lus(Page):
    """« J'ai lu »: reading a page marks nothing. What is being written comes along, and is sent nowhere."""

    est_un_dossier = True
    remontrer = montrer_ce_qui_s_ecrit
    refuser = refuser_en_rendant

    def get(self, request: HttpRequest, rang: int) -> HttpResponse:
        return vers("portail:dossier", rang)

    def post(self, request: HttpRequest, rang: int) -> HttpResponse:
        self.exiger_l_etape("create")
        place = place_de(self.acteur, rang, request.POST.get("dossier", ""))
        tout_marquer_lu(acteur=self.acteur, dossier=dossier_du_rang(self.acteur, place))
        if request.POST.get("contenu", "").strip():
            return montrer_ce_qui_s_ecrit(self, request, rang)
        return vers("portail:dossier", place)


def dossier_du_rang(acteur: Acteur, rang: int) -> Signalement:
    """The report of this rank among the actor's own, the oldest being 1; 404 beyond."""
    trouve = list(_les_siens(acteur)[rang - 1 : rang]) if 1 <= rang <= RANG_MAX else []
    if not trouve:
        raise Http404
    dossier: Signalement = trouve[0]
    return dossier


def place_de(acteur: Acteur, rang: int, montre: str) -> int:
    """The rank, now, of the case that a page of this rank showed, or of the one that it was joined to.

    404 or AutreDossier where it is not this actor's: the space or the account has changed since.
    """
    siens = Signalement.objects.vivants().de(acteur)
    le_sien = siens.menant_a(montre).values_list("pk", "date_creation").first() if est_une_cle(montre) else None
    if le_sien is None:
        dossier_du_rang(acteur, rang)
        raise AutreDossier
    cle, date = le_sien
    return siens.filter(Q(date_creation__lt=date) | Q(date_creation=date, pk__lte=cle)).count()


def est_une_cle(texte: str) -> bool:
    try:
        UUID(texte)
    except ValueError:
        return False
    return True


def _les_siens(acteur: Acteur) -> QuerySet[Any]:
    """The oldest first."""
    siens: QuerySet[Any] = Signalement.objects.pour_lecture(acteur).de(acteur).order_by("date_creation", "id")
    return siens
