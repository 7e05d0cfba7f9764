"""One event: where, when, how many places; registering and leaving by the services of the API; its file."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import Preferences
from accounts.services import comptes
from calendrier import ics, services
from calendrier.erreurs import DejaInscrit, EvenementAnnule, EvenementTermine
from calendrier.models import EvenementCampus, FluxCalendrier, Participation
from calendrier.permissions import evenement_accessible
from calendrier.vocabulaire import StatutParticipation, public_lisible, type_lisible
from campus.pages import mois
from campus.pages.calendrier import PageDuCalendrier, adresse_du_mois, est_inscrit
from portail.pages.page import ailleurs_avec
from socle.courriel import est_remis
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.temps import jour_du_campus
from socle.erreurs import Introuvable
from socle.pages.vues import vers


class Evenement(PageDuCalendrier):
    gabarit = "campus/calendrier/evenement.html"

    def get(self, request: HttpRequest, evenement_id: UUID) -> HttpResponse:
        return montrer(
            self,
            request,
            evenement_accessible(self.acteur, evenement_id),
            fait="fait" in request.GET,
            attendait=request.GET.get("fait") == "attente",
        )


def montrer(
    page: PageDuCalendrier, request: HttpRequest, evenement: EvenementCampus, statut: int = 200, **contexte: Any
) -> HttpResponse:
    """The page of an event, as its reader sees it."""
    mois.a_montrer([evenement])
    inscrit = est_inscrit(evenement.ma_participation)
    attente = Participation.objects.rang_d_attente(evenement, page.acteur.compte) if inscrit else None
    lien, debut = evenement.lien_en_ligne, jour_du_campus(evenement.date_debut)
    return page.rendre(
        request,
        statut,
        "campus/calendrier/evenement.html",
        un=evenement,
        du_mois=adresse_du_mois(debut) or reverse("campus:calendrier"),
        type=type_lisible(evenement.type),
        inscrit=inscrit,
        rang=attente,
        lien=lien if lien.startswith(("http://", "https://")) else "",
        remplies=_part_prise(evenement),
        publics=[public_lisible(mot) for mot in evenement.public_cible],
        jour_de_fin=jour_du_campus(evenement.date_fin) != debut,
        offre_les_e_mails=not inscrit and _se_proposent(page.acteur),
        email_verifie=page.acteur.compte.email_verifie,
        **contexte,
    )


def _part_prise(evenement: EvenementCampus) -> int:
    """Percentage of the places that are taken, 0 without a limit."""
    limite = evenement.nb_max_participants
    return min(100, round(100 * evenement.nb_participants / limite)) if limite else 0


def _se_proposent(acteur: Acteur) -> bool:
    """True where a box for mails is worth showing: they arrive, this person takes mails, and has not ticked it."""
    if not (est_remis() and acteur.peut(Droit.PREFERENCES_MODIFIER)):
        return False
    preferences = Preferences.objects.filter(compte=acteur.compte).first() or Preferences()
    return preferences.admet_les_e_mails and not preferences.avis_evenements


class SInscrire(PageDuCalendrier):
    droit = Droit.CALENDRIER_S_INSCRIRE
    get = ailleurs_avec("campus:evenement")

    def post(self, request: HttpRequest, evenement_id: UUID) -> HttpResponse:
        evenement = evenement_accessible(self.acteur, evenement_id)
        try:
            services.inscrire(evenement=evenement, compte=self.acteur.compte)
        except DejaInscrit:
            pass  # a second click leads where the first led
        except (EvenementAnnule, EvenementTermine) as refus:
            return montrer(
                self, request, evenement_accessible(self.acteur, evenement_id), refus.statut_http, refus=refus
            )
        if "prevenir" in request.POST and _se_proposent(self.acteur):
            comptes.modifier_preferences(compte=self.acteur.compte, avis_evenements=True)
        return vers("campus:evenement", evenement_id, suite="?fait#fait")


class SeDesinscrire(PageDuCalendrier):
    droit = Droit.CALENDRIER_S_INSCRIRE
    get = ailleurs_avec("campus:evenement")

    def post(self, request: HttpRequest, evenement_id: UUID) -> HttpResponse:
        evenement = evenement_accessible(self.acteur, evenement_id)
        attendait = evenement.ma_participation == StatutParticipation.WAITLISTED
        try:
            services.desinscrire(evenement=evenement, compte=self.acteur.compte)
        except Introuvable:  # a second click: there is no registration any more, and the page says what it was
            attendait = "attendait" in request.POST
        return vers("campus:evenement", evenement_id, suite="?fait=attente#fait" if attendait else "?fait#fait")


class FichierDAgenda(PageDuCalendrier):
    """The file of one event, to add to the calendar of a phone."""

    def get(self, request: HttpRequest, evenement_id: UUID) -> HttpResponse:
        evenement = evenement_accessible(self.acteur, evenement_id)
        nom = f"evenement-{evenement.pk.hex[:8]}.ics"
        entetes = {"Content-Disposition": f'attachment; filename="{nom}"'}
        return HttpResponse(ics.fichier(evenement), content_type="text/calendar; charset=utf-8", headers=entetes)


class Abonnement(PageDuCalendrier):
    """The address that a phone reads one's registrations by: asked for, shown, taken back."""

    gabarit = "campus/calendrier/abonnement.html"
    titre = _("Suivre mes inscriptions dans mon téléphone")

    def get(self, request: HttpRequest) -> HttpResponse:
        flux = FluxCalendrier.objects.filter(compte=self.acteur.compte).first()
        adresse = flux.url if flux else ""
        webcal = f"webcal://{adresse.partition('://')[2]}" if adresse else ""
        return self.rendre(request, adresse=adresse, webcal=webcal, fait="fait" in request.GET)

    def post(self, request: HttpRequest) -> HttpResponse:
        if "retirer" in request.POST:
            services.fermer_flux(compte=self.acteur.compte)
        else:
            services.ouvrir_flux(compte=self.acteur.compte)
        return vers("campus:abonnement", suite="?fait#fait")
