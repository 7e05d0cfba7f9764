"""The reads of events that pages and doors ask for, prepared."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from calendrier.models import EvenementCampus
from calendrier.vocabulaire import StatutEvenement
from socle.domaine.acteurs import Acteur
from socle.moteur.lectures import preparee


@preparee
def accessible(acteur: Acteur, pk: UUID | str) -> QuerySet[Any]:
    return EvenementCampus.objects.pour_lecture(acteur).filter(pk=pk)


@preparee
def tous(acteur: Acteur) -> QuerySet[Any]:
    return EvenementCampus.objects.pour_lecture(acteur)


@preparee
def de_la_periode(
    acteur: Acteur, debut: datetime, fin: datetime, type: str | None, statut: str | None
) -> QuerySet[Any]:
    """Events that overlap [debut, fin[, of a type and a status where they are given."""
    lignes = EvenementCampus.objects.pour_lecture(acteur).chevauchant(debut, fin)
    lignes = lignes if type is None else lignes.filter(type=type)
    return lignes if statut is None else lignes.filter(statut=statut)


@preparee
def a_venir(maintenant: datetime) -> QuerySet[Any]:
    publies = EvenementCampus.objects.filter(statut=StatutEvenement.PUBLIE)
    return publies.filter(date_debut__gt=maintenant)
