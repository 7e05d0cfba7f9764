from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from echeances import serializers as formes
from echeances import services
from echeances.models import Delai
from echeances.permissions import echeance_a_traiter
from signalements.models import Signalement
from signalements.permissions import signalement_a_traiter
from signalements.serializers import SignalementDetail
from socle.api.champs import MOTIF_UUID
from socle.api.mots import phrases
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit

SIEN = _("Sur son propre dossier : 403. Écrit à l'historique, que son auteur lit, et au registre.")


class DelaiViewSet(ApiViewSet):
    etiquette = "Délais"

    @operation(
        _("Délais"),
        _("Délais."),
        droit=Droit.SIGNALEMENTS_TRAITER,
        sortie=formes.DelaiDetail,
        page=True,
        description=_(
            "Dans quels temps quelque chose est promis, actif ou non ; `type` vide vaut pour tous, et celui d'un type "
            "remplace celui de tous. Ils se changent au site d'administration."
        ),
    )
    def list(self, request: Any) -> Any:
        return self.paginer(Delai.objects.order_by("nature", "libelle", "type", "id"))

    @operation(
        _("Le choix de donner des dates"),
        _("Choix des dates."),
        droit=Droit.SIGNALEMENTS_TRAITER,
        sortie=formes.ChoixDetail,
        description=_("Aucun dossier n'a de date avant qu'un administrateur ait dit oui."),
    )
    @action(detail=False, methods=["get"])
    def choix(self, request: Any) -> Any:
        return self.rendre(formes.ChoixDetail.present())

    @operation(
        _("Donner des dates aux dossiers, ou non"),
        _("Choix enregistré."),
        droit=Droit.DELAIS_GERER,
        entree=formes.ChoixUpdate,
        sortie=formes.ChoixDetail,
        description=_(
            "Un accusé de réception sous 7 jours ouvrés, un entretien demandé sous 20, un retour sous 3 mois. Écrit "
            "au registre."
        ),
    )
    @choix.mapping.put
    def choisir(self, request: Any) -> Any:
        return self.rendre(services.choisir(acteur=self.acteur, **self.donnees()))


class EcheanceViewSet(ApiViewSet):
    """The dates of one case, which its detail shows."""

    etiquette = "Délais"
    lookup_url_kwarg = "echeance_id"
    lookup_value_regex = MOTIF_UUID  # a malformed id never reaches a query: 404

    @operation(
        _("Prévoir un entretien"),
        _("Entretien prévu."),
        nom="prevoir_un_entretien",
        droit=Droit.SIGNALEMENTS_TRAITER,
        entree=formes.EntretienCreate,
        sortie=SignalementDetail,
        statut=201,
        sans_cle=_("un dossier n'a qu'un entretien ouvert, le redemander est un 409 qui ne double rien."),
        erreurs=(409,),
        description=phrases(
            _(
                "Un entretien déjà prévu : 409 MEETING_ALREADY_OPEN. Là où aucun administrateur n'a voulu de dates : "
                "422."
            ),
            SIEN,
        ),
    )
    def create(self, request: Any, signalement_id: str) -> Any:
        dossier = signalement_a_traiter(self.acteur, signalement_id)
        services.ouvrir_un_entretien(signalement=dossier, acteur=self.acteur, **self.donnees())
        return self._rendre(dossier)

    @operation(
        _("Dire une date tenue"),
        _("Date tenue."),
        droit=Droit.SIGNALEMENTS_TRAITER,
        entree=formes.DateTenueUpdate,
        sortie=SignalementDetail,
        erreurs=(409,),
        description=phrases(
            _(
                "Un entretien, ou un délai de l'établissement. L'accusé de réception et le retour le sont par un "
                "message (422). Déjà tenue : 409 DEADLINE_DONE."
            ),
            SIEN,
        ),
    )
    @action(detail=True, methods=["put"])
    def faite(self, request: Any, signalement_id: str, echeance_id: str) -> Any:
        echeance = echeance_a_traiter(self.acteur, signalement_id, echeance_id)
        services.faire(echeance=echeance, acteur=self.acteur, **self.donnees())
        return self._rendre(echeance.signalement)

    @operation(
        _("Prolonger le retour"),
        _("Date prolongée."),
        droit=Droit.SIGNALEMENTS_TRAITER,
        entree=formes.ProlongationUpdate,
        sortie=SignalementDetail,
        erreurs=(409,),
        description=phrases(
            _(
                "La date du retour, une fois (409 DEADLINE_ALREADY_EXTENDED), avec un motif que son auteur lit. Retour "
                "déjà donné : 409 DEADLINE_DONE ; aucun n'est promis : 404."
            ),
            SIEN,
        ),
    )
    @action(detail=False, methods=["put"])
    def prolongation(self, request: Any, signalement_id: str) -> Any:
        dossier = signalement_a_traiter(self.acteur, signalement_id)
        services.prolonger(signalement=dossier, acteur=self.acteur, **self.donnees())
        return self._rendre(dossier)

    def _rendre(self, dossier: Signalement) -> Any:
        return self.rendre(signalement_a_traiter(self.acteur, dossier.pk))
