from django.utils import timezone

from guests.vocabulaire import StatutInvite
from portail.models import Acces, AncienCode, Brouillon, CodeRetour
from portail.services.acces import oublier_les_finis, terminer_les_echus
from portail.vocabulaire import DUREE, DUREE_BROUILLON, GARDE_ACCES, GARDE_ANCIEN_CODE
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


@purges("Codes du portail qui n'ouvrent plus rien depuis trente jours")
def anciens_codes(*, simulation: bool) -> int:
    """Changed for others, or of a session that was merged so long ago that it is not taken back."""
    limite = timezone.now() - GARDE_ANCIEN_CODE
    changes = supprimer(AncienCode.objects.filter(date_fin__lt=limite), simulation=simulation)
    rattaches = CodeRetour.objects.filter(invite__statut=StatutInvite.MERGED, invite__date_fusion__lt=limite)
    return changes + supprimer(rattaches, simulation=simulation)


@chaque_minute("Accès du portail laissés ou finis")
def acces_laisses() -> None:
    terminer_les_echus()
    oublier_les_finis()
