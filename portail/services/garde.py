"""Keeping a guest's access open on one device: asked for, once the code is known to be had, and taken back."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from portail.models import Acces


@transaction.atomic
def noter_un_mot(acces: Acces, *, est_juste: bool) -> bool:
    """Note that a word of the code was typed back; False, whatever was typed, where ESSAIS were wrong before."""
    ligne = Acces.objects.select_for_update().filter(pk=acces.pk, date_fin=None, invite__isnull=False).first()
    if ligne is None or not ligne.peut_verifier:
        return False
    change: dict[str, Any] = {"date_verification": timezone.now()} if est_juste else {"mots_faux": ligne.mots_faux + 1}
    Acces.objects.filter(pk=ligne.pk).update(**change)
    return est_juste


def garder(acces: Acces) -> bool:
    """Keep it for PORTAIL_GARDE from now on, its code shown no more; False unless the code was checked in it."""
    verifies = Acces.objects.filter(pk=acces.pk, date_fin=None, date_verification__isnull=False)
    verifies.filter(garde_jusqu_a=None).update(
        garde_jusqu_a=timezone.now() + settings.PORTAIL_GARDE, code_scelle="", date_preuve=None
    )
    return verifies.exists()


def rendre_a_son_heure(acces: Acces) -> None:
    """Keep it no more: from now on it ends as any other, as if it had just been opened."""
    maintenant = timezone.now()
    gardes = Acces.objects.filter(pk=acces.pk, garde_jusqu_a__isnull=False)
    gardes.update(
        garde_jusqu_a=None,
        date_verification=None,
        date_preuve=None,
        date_creation=maintenant,
        date_activite=maintenant,
    )
