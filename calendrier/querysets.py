from collections.abc import Iterable
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import DateTimeRangeField
from django.db import connections, models
from django.db.models import Count, F, Func, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from calendrier.vocabulaire import ACTIFS, INSCRIT, StatutEvenement, StatutParticipation, statuts_stockes
from socle.domaine.acteurs import Acteur
from socle.domaine.temps import debut_du_jour, fin_du_jour


class EvenementQuerySet(models.QuerySet[Any]):
    def pour_lecture(self, acteur: Acteur) -> "EvenementQuerySet":
        """All that a response needs, for one reader, by date, in one query."""
        participations = self.model._meta.get_field("participations").related_model.objects.filter(
            evenement=OuterRef("pk")
        )
        siennes = participations.filter(compte=acteur.compte).order_by()
        return self.annotate(
            statut_lecteur=Subquery(siennes.values("statut")[:1]),
            inscrits_herites=Coalesce(Subquery(participations.filter(statut=INSCRIT).nombre_par_evenement()), 0),
        ).order_by("date_debut", "id")

    def a_rappeler(self, demain: date) -> "EvenementQuerySet":
        """Events of this day whose eve is not told of yet: one that moves to another day has another eve."""
        debut, fin = debut_du_jour(demain), fin_du_jour(demain)
        du_jour = self.filter(statut=StatutEvenement.PUBLIE, date_debut__gte=debut, date_debut__lt=fin)
        return du_jour.exclude(veille_dite=demain).order_by("date_debut", "id")

    def chevauchant(self, debut: Any, fin: Any) -> "EvenementQuerySet":
        """Events that overlap the half-open interval [debut, fin[; one that ends at `debut` does not."""
        if connections[self.db].vendor != "postgresql":
            return self.filter(date_debut__lt=fin, date_fin__gt=debut)
        # As a range, which one index serves wherever in time; two comparisons would read half the table.
        return self.alias(periode=_intervalle(F("date_debut"), F("date_fin"))).filter(
            periode__overlap=_intervalle(debut, fin)
        )


def _intervalle(debut: Any, fin: Any) -> Func:
    return Func(debut, fin, function="tstzrange", output_field=DateTimeRangeField())


class ParticipationQuerySet(models.QuerySet[Any]):
    def pour_lecture(self) -> "ParticipationQuerySet":
        """In the order of registration."""
        return self.select_related("compte").order_by("date_inscription", "id")

    def de_statut(self, statut: str) -> "ParticipationQuerySet":
        """Filter by the status as shown: CONFIRMED takes in the legacy INSCRIT."""
        return self.filter(statut__in=statuts_stockes(statut))

    def actives(self) -> "ParticipationQuerySet":
        return self.filter(statut__in=ACTIFS)

    def file_d_attente(self) -> "ParticipationQuerySet":
        """The WAITLISTED, in the order in which they get a place."""
        return self.filter(statut=StatutParticipation.WAITLISTED).order_by("date_inscription", "id")

    def rang_d_attente(self, evenement: Any, compte: Any) -> int | None:
        """The place of this account in the waiting list, the first being 1; None where it does not wait."""
        file = self.filter(evenement=evenement, compte__est_actif=True).file_d_attente()
        sienne = file.filter(compte=compte).values_list("date_inscription", "pk").first()
        if sienne is None:
            return None
        date, cle = sienne
        return file.filter(Q(date_inscription__lt=date) | Q(date_inscription=date, pk__lte=cle)).count()

    def nombre_par_evenement(self) -> "ParticipationQuerySet":
        """Count per event, as a one-column subquery."""
        return self.order_by().values("evenement").annotate(nombre=Count("*")).values("nombre")

    def comptes(self) -> list[UUID]:
        return list(self.values_list("compte", flat=True))

    def du_flux(self, compte: Any, depuis: datetime, maximum: int) -> Iterable[Any]:
        """Active registrations of this account, for its subscribed calendar, by date; the latest `maximum` of them."""
        siennes = self.actives().filter(compte=compte, evenement__date_fin__gte=depuis)
        lignes = siennes.select_related("evenement")
        return list(lignes.order_by("-evenement__date_debut", "-evenement")[:maximum])[::-1]
