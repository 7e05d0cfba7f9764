from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.decorators import action

from accounts.authentication import AuthentificationJeton
from accounts.models import Preferences
from calendrier import ics, lectures, services
from calendrier import serializers as formes
from calendrier.authentication import AuthentificationCle
from calendrier.erreurs import AbonnementFini
from calendrier.filters import EvenementFiltre, ParticipationFiltre, PeriodeFiltre
from calendrier.models import Participation
from calendrier.permissions import evenement_accessible, participation_connue, sa_participation, son_flux
from calendrier.vocabulaire import EVENEMENTS_D_UNE_PERIODE, FLUX_MAX, FLUX_PASSE
from socle.api.champs import MOTIF_UUID
from socle.api.mots import phrases
from socle.api.operations import Acces, operation
from socle.api.renderers import CalendrierRenderer
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit
from socle.domaine.temps import debut_du_jour, fin_du_jour
from socle.erreurs import ChampsInvalides

TEXTE = "text/plain; charset=utf-8"
BORNE = _(
    "Un tableau, pas une page : au-delà de 2 000 événements, 422. Par `dateDebut`. "
    "Un événement compte s'il touche la période, à l'heure du campus."
)


class CalendrierViewSet(ApiViewSet):
    etiquette = "Calendrier"
    lookup_url_kwarg = "evenement_id"
    lookup_value_regex = MOTIF_UUID  # a malformed id never reaches a query: 404

    @operation(
        _("Publier un événement"),
        _("Événement publié."),
        droit=Droit.CALENDRIER_GERER,
        entree=formes.CalendrierCreate,
        sortie=formes.EvenementCampusDetail,
        statut=201,
        relire=evenement_accessible,
    )
    def create(self, request: Any) -> Any:
        return self.rendre(services.creer(organisateur=self.compte, **self.donnees()))

    @operation(
        _("Tous les événements"),
        _("Événements."),
        droit=Droit.CALENDRIER_CONSULTER,
        sortie=formes.EvenementCampusDetail,
        page=True,
        filtres=EvenementFiltre,
        description=_("Par `dateDebut`, passés et annulés compris."),
    )
    def list(self, request: Any) -> Any:
        return self.paginer(lectures.tous(self.acteur))

    @operation(
        _("Événements d'un jour"),
        _("Événements du jour."),
        droit=Droit.CALENDRIER_CONSULTER,
        sortie=formes.EvenementCampusDetail,
        liste=True,
        filtres=EvenementFiltre,
        parametres=(
            OpenApiParameter("target_date", OpenApiTypes.DATE, OpenApiParameter.PATH, description=_("AAAA-MM-JJ")),
        ),
        description=phrases(BORNE, _("Un jour illisible est un 422.")),
    )
    @action(detail=False, methods=["get"], url_path="date/(?P<target_date>[^/]+)")
    def par_jour(self, request: Any, target_date: str) -> Any:
        jour = formes.lire_jour(target_date)
        return self._periode(jour, jour, "target_date")

    @operation(
        _("Événements d'une période"),
        _("Événements de la période."),
        droit=Droit.CALENDRIER_CONSULTER,
        sortie=formes.EvenementCampusDetail,
        liste=True,
        filtres=PeriodeFiltre,
        description=BORNE,
    )
    @action(detail=False, methods=["get"])
    def range(self, request: Any) -> Any:
        jours = self.parametres()
        return self._periode(jours["debut"], jours["fin"], "fin")

    @operation(
        _("Consulter un événement"),
        _("Événement."),
        droit=Droit.CALENDRIER_CONSULTER,
        sortie=formes.EvenementCampusDetail,
        description=_("Un événement annulé reste lisible."),
    )
    def retrieve(self, request: Any, evenement_id: str) -> Any:
        return self.rendre(evenement_accessible(self.acteur, evenement_id))

    @operation(
        _("Modifier un événement"),
        _("Événement mis à jour."),
        droit=Droit.CALENDRIER_GERER,
        etat="retrieve",
        entree=formes.CalendrierUpdate,
        sortie=formes.EvenementCampusDetail,
        erreurs=(409,),
        description=_(
            "Plus de places, ou plus de limite : les premiers en attente sont confirmés. Moins de places que de "
            "confirmés : 409 CONFLICT. Annulé : 409 EVENT_CANCELLED."
        ),
    )
    def update(self, request: Any, evenement_id: str) -> Any:
        services.modifier(evenement=evenement_accessible(self.acteur, evenement_id), par=self.compte, **self.donnees())
        return self.retrieve(request, evenement_id)  # the manager's own place may be among those that changed

    @operation(
        _("Annuler un événement"),
        _("Événement annulé."),
        droit=Droit.CALENDRIER_GERER,
        etat="retrieve",
        statut=204,
        description=_("Il reste lisible, avec ses inscrits, qui sont prévenus. Une seconde fois ne change rien."),
    )
    def destroy(self, request: Any, evenement_id: str) -> Any:
        services.annuler(evenement=evenement_accessible(self.acteur, evenement_id), par=self.compte)
        return self.rendre()

    @operation(
        _("S'inscrire"),
        _("Inscription enregistrée."),
        droit=Droit.CALENDRIER_S_INSCRIRE,
        sortie=formes.ParticipantDetail,
        statut=201,
        relire=sa_participation,
        erreurs=(409,),
        description=_(
            "CONFIRMED tant qu'il y a de la place, puis WAITLISTED. Déjà inscrit : 409 ALREADY_REGISTERED ; "
            "annulé : 409 EVENT_CANCELLED ; terminé : 409 CONFLICT. Après CANCELLED, on se réinscrit."
        ),
    )
    @action(detail=True, methods=["post"])
    def inscription(self, request: Any, evenement_id: str) -> Any:
        evenement = evenement_accessible(self.acteur, evenement_id)
        return self.rendre(services.inscrire(evenement=evenement, compte=self.compte))

    @operation(
        _("Se désinscrire"),
        _("Inscription annulée."),
        droit=Droit.CALENDRIER_S_INSCRIRE,
        statut=204,
        description=_("La place va à la première personne en attente. Sans inscription : 404."),
    )
    @inscription.mapping.delete
    def desinscription(self, request: Any, evenement_id: str) -> Any:
        services.desinscrire(evenement=evenement_accessible(self.acteur, evenement_id), compte=self.compte)
        return self.rendre()

    @operation(
        _("Participants d'un événement"),
        _("Participants."),
        droit=Droit.CALENDRIER_GERER_PARTICIPANTS,
        sortie=formes.ParticipantDetail,
        page=True,
        filtres=ParticipationFiltre,
        description=_("Par `dateInscription` : parmi les WAITLISTED, c'est le rang."),
    )
    @action(detail=True, methods=["get"])
    def participants(self, request: Any, evenement_id: str) -> Any:
        return self.paginer(evenement_accessible(self.acteur, evenement_id).participations.pour_lecture())

    @operation(
        _("Changer le statut d'un participant"),
        _("Participation mise à jour."),
        droit=Droit.CALENDRIER_GERER_PARTICIPANTS,
        entree=formes.StatutParticipationUpdate,
        sortie=formes.ParticipantDetail,
        erreurs=(409,),
        description=_(
            "CONFIRMED au-delà des places : 409 CONFLICT ; événement annulé : 409 EVENT_CANCELLED. PENDING ne "
            "tient pas de place. WAITLISTED met au bout de la file. Une place libérée va à la personne suivante."
        ),
    )
    @action(detail=False, methods=["put"], url_path=f"participants/(?P<participant_id>{MOTIF_UUID})/statut")
    def statut_participant(self, request: Any, participant_id: str) -> Any:
        participation = participation_connue(participant_id)
        services.changer_statut(participation=participation, par=self.compte, **self.donnees())
        return self.rendre(participation)

    @operation(
        _("Un événement pour son agenda"),
        _("Fichier iCalendar."),
        droit=Droit.CALENDRIER_CONSULTER,
        rendu=CalendrierRenderer,
        description=_("Un fichier `.ics`, sans enveloppe."),
    )
    @action(detail=True, methods=["get"])
    def ics(self, request: Any, evenement_id: str) -> Any:
        evenement = evenement_accessible(self.acteur, evenement_id)
        return self.telecharger(ics.fichier(evenement), f"evenement-{evenement.pk.hex[:8]}.ics")

    def _periode(self, premier: date, dernier: date, champ: str) -> Any:
        """Render all events of these days, 422 past the bound: a part of them would be taken for the whole."""
        criteres = self.parametres()
        type_, statut = criteres.get("type"), criteres.get("statut")
        evenements = lectures.de_la_periode(
            self.acteur,
            debut_du_jour(premier),
            fin_du_jour(dernier),
            type_.upper() if type_ else None,
            statut or None,
        ).tranche(0, EVENEMENTS_D_UNE_PERIODE + 1)
        if len(evenements) > EVENEMENTS_D_UNE_PERIODE:
            texte = _("Plus de %(n)d événements : choisissez une période plus courte, un type ou un statut.")
            raise ChampsInvalides.pour("too_many", **{champ: texte % {"n": EVENEMENTS_D_UNE_PERIODE}})
        return self.rendre(evenements)


class FluxViewSet(ApiViewSet):
    etiquette = "Abonnement au calendrier"
    authentication_classes = [AuthentificationJeton, AuthentificationCle]

    @operation(
        _("L'adresse de son calendrier"),
        _("Adresse d'abonnement."),
        droit=Droit.CALENDRIER_CONSULTER,
        sortie=formes.FluxDetail,
        erreurs=(404,),
        description=_("404 tant qu'on n'en a pas demandé."),
    )
    def retrieve(self, request: Any) -> Any:
        return self.rendre(son_flux(self.acteur))

    @operation(
        _("Demander une adresse d'abonnement"),
        _("Adresse d'abonnement créée."),
        droit=Droit.CALENDRIER_CONSULTER,
        sortie=formes.FluxDetail,
        statut=201,
        relire=son_flux,
        erreurs=(409,),
        description=_(
            "À donner à l'agenda de son téléphone, qui la relira. Une nouvelle adresse fait cesser la précédente."
        ),
    )
    def create(self, request: Any) -> Any:
        return self.rendre(services.ouvrir_flux(compte=self.compte))

    @operation(
        _("Retirer son adresse d'abonnement"),
        _("Adresse d'abonnement retirée."),
        droit=Droit.CALENDRIER_CONSULTER,
        statut=204,
        erreurs=(409,),
        description=_("Elle cesse aussitôt de répondre. Sans adresse, rien ne change."),
    )
    def destroy(self, request: Any) -> Any:
        services.fermer_flux(compte=self.compte)
        return self.rendre()

    @operation(
        _("Le calendrier de qui s'y abonne"),
        _("Fichier iCalendar."),
        acces=Acces.CLE,
        droit=Droit.CALENDRIER_CONSULTER,
        rendu=CalendrierRenderer,
        fini=_("La clé n'ouvre plus rien."),
        description=_(
            "Ses inscriptions PENDING, CONFIRMED et WAITLISTED, de ceux qui se sont terminés il y a moins d'un an "
            "aux plus lointains (1 000 au plus, les derniers). Sans enveloppe ni bearer : la clé en tient lieu. "
            "Absente : 401. Fausse, retirée, d'avant un changement de mot de passe ou d'un compte désactivé : 410, une "
            "phrase en `text/plain`. Dans la langue du compte."
        ),
    )
    def lire(self, request: Any) -> Any:
        siennes = Participation.objects.du_flux(self.compte, timezone.now() - FLUX_PASSE, FLUX_MAX)
        langue = Preferences.langue_de(self.compte) or "fr"
        with override(langue):
            reponse = self.telecharger(ics.flux(siennes), "campus.ics")
        reponse.headers["Content-Language"] = langue
        return reponse

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """For the programs that read a subscription: no index of it, and the end of one in a sentence."""
        reponse: Any = super().dispatch(request, *args, **kwargs)
        if reponse.status_code == AbonnementFini.statut_http:
            reponse = HttpResponse(f"{AbonnementFini.message}\n", status=reponse.status_code, content_type=TEXTE)
        reponse.headers["X-Robots-Tag"] = "noindex"
        return reponse
