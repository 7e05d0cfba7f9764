from typing import Any

from calendrier.models import EvenementCampus, Participation


def en_ordre(evenement: EvenementCampus, statut: str) -> list[Any]:
    """The participations of this status, in the order of registration."""
    de_statut = Participation.objects.filter(evenement=evenement, statut=statut)
    return list(de_statut.order_by("date_inscription", "id").values_list("pk", flat=True))


def confirmes(evenement: EvenementCampus) -> int:
    """How many the event says it has."""
    return EvenementCampus.objects.get(pk=evenement.pk).nb_confirmes


def verifier_les_places() -> None:
    """What every event says it holds is what a recount finds, and is never past its limit."""
    for evenement in EvenementCampus.objects.all():
        compte = Participation.objects.filter(evenement=evenement, statut="CONFIRMED").count()
        assert evenement.nb_confirmes == compte
        assert evenement.nb_max_participants is None or compte <= evenement.nb_max_participants
