"""Keeping a guest's access open on one device: asked for, once the code is known to be had, and taken back."""

from django.conf import settings
from django.utils import timezone

from portail.models import Acces


def noter_verification(acces: Acces) -> None:
    Acces.objects.filter(pk=acces.pk, date_fin=None, invite__isnull=False).update(date_verification=timezone.now())


def garder(acces: Acces) -> bool:
    """Keep it for PORTAIL_GARDE from now on, its code shown no more; False unless the code was checked in it."""
    verifies = Acces.objects.filter(pk=acces.pk, date_fin=None, date_verification__isnull=False)
    verifies.filter(garde_jusqu_a=None).update(garde_jusqu_a=timezone.now() + settings.PORTAIL_GARDE, code_scelle="")
    return verifies.exists()


def rendre_a_son_heure(acces: Acces) -> None:
    """Keep it no more: from now on it ends as any other, as if it had just been opened."""
    maintenant = timezone.now()
    gardes = Acces.objects.filter(pk=acces.pk, garde_jusqu_a__isnull=False)
    gardes.update(garde_jusqu_a=None, date_verification=None, date_creation=maintenant, date_activite=maintenant)
