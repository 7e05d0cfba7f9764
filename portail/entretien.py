from django.utils import timezone

from portail.models import Acces, Brouillon
from portail.services.acces import oublier_les_finis, terminer_les_echus
from portail.vocabulaire import DUREE, DUREE_BROUILLON, GARDE_ACCES
from socle.taches.entretien import chaque_minute, purges, supprimer


@purges("Brouillons du portail laissés depuis deux heures")
def brouillons(*, simulation: bool) -> int:
    limite = timezone.now() - DUREE_BROUILLON
    return supprimer(Brouillon.objects.filter(date_modification__lt=limite), simulation=simulation)


@purges("Accès du portail de plus de trente-six heures, sauf ceux que l'on garde")
def acces(*, simulation: bool) -> int:
    maintenant = timezone.now()
    anciens = Acces.objects.filter(date_creation__lt=maintenant - DUREE - GARDE_ACCES)
    gardes = {"date_fin__isnull": True, "garde_jusqu_a__gt": maintenant - GARDE_ACCES}
    return supprimer(anciens.exclude(**gardes), simulation=simulation)


@chaque_minute("Accès du portail laissés ou finis")
def acces_laisses() -> None:
    terminer_les_echus()
    oublier_les_finis()
