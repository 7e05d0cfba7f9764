from uuid import UUID

from calendrier.lectures import accessible
from calendrier.models import EvenementCampus, FluxCalendrier, Participation
from calendrier.vocabulaire import StatutParticipation
from socle.domaine.acteurs import Acteur
from socle.erreurs import Introuvable


def evenement_accessible(acteur: Acteur, pk: UUID | str) -> EvenementCampus:
    """The only door to an event, or 404: any account may read any, cancelled ones too."""
    if evenement := accessible(acteur, pk).premiere():
        return evenement
    raise Introuvable


def participation_connue(pk: UUID | str) -> Participation:
    if participation := Participation.objects.pour_lecture().select_related("evenement").filter(pk=pk).first():
        return participation
    raise Introuvable


def sa_participation(acteur: Acteur, pk: UUID | str) -> Participation:
    """A participation of this account that still stands; 404 for one that was cancelled since."""
    siennes = Participation.objects.pour_lecture().filter(compte=acteur.compte)
    if participation := siennes.exclude(statut=StatutParticipation.CANCELLED).filter(pk=pk).first():
        return participation
    raise Introuvable


def son_flux(acteur: Acteur, pk: UUID | str | None = None) -> FluxCalendrier:
    """The subscription of this account; 404 without one, or where `pk` is given and another has replaced it."""
    flux = FluxCalendrier.objects.filter(compte=acteur.compte).first()
    if flux is None or str(flux.pk) != str(pk or flux.pk):
        raise Introuvable
    return flux
