from uuid import UUID

from calendrier.models import EvenementCampus, FluxCalendrier, Participation
from socle.domaine.acteurs import Acteur
from socle.domaine.erreurs import Introuvable


def evenement_accessible(acteur: Acteur, pk: UUID | str) -> EvenementCampus:
    """The only door to an event: whoever has an account may read any, cancelled ones too."""
    if evenement := EvenementCampus.objects.pour_lecture(acteur).filter(pk=pk).first():
        return evenement
    raise Introuvable


def participation_connue(pk: UUID | str) -> Participation:
    if participation := Participation.objects.pour_lecture().select_related("evenement").filter(pk=pk).first():
        return participation
    raise Introuvable


def son_flux(acteur: Acteur) -> FluxCalendrier:
    if flux := FluxCalendrier.objects.filter(compte=acteur.compte).first():
        return flux
    raise Introuvable
