from uuid import UUID

from reponses.models import ModeleDeReponse, Orientation
from socle.erreurs import Introuvable


def modele_connu(pk: UUID | str) -> ModeleDeReponse:
    """The only door to one template, for those who write them; 404."""
    modele: ModeleDeReponse | None = ModeleDeReponse.objects.filter(pk=pk).first()
    if modele is None:
        raise Introuvable
    return modele


def orientation_connue(pk: UUID | str) -> Orientation:
    """The only door to one orientation, for those who write them; 404."""
    orientation: Orientation | None = Orientation.objects.filter(pk=pk).first()
    if orientation is None:
        raise Introuvable
    return orientation
