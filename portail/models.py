"""What a browser of the portal holds: an access, a code to come back, a draft. The base keeps none of their secrets."""

import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from guests.models import SessionInvitee
from portail.vocabulaire import DUREE, DUREE_BROUILLON


class Acces(models.Model):
    """An open browser: its cookie holds a token of which the keyed hash alone is kept here."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    jeton_empreinte = models.CharField(max_length=64, editable=False)
    invite = models.ForeignKey(
        SessionInvitee, on_delete=models.CASCADE, related_name="acces", db_index=False, editable=False
    )
    # The code, for the first visit alone, under a key that the token makes: the base does not tell it.
    code_scelle = models.TextField(blank=True, editable=False)
    date_creation = models.DateTimeField(default=timezone.now, editable=False)
    date_activite = models.DateTimeField(default=timezone.now, editable=False)
    date_fin = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["jeton_empreinte"], name="acces_jeton_unique")]
        indexes = [
            models.Index(fields=["invite"], condition=Q(date_fin__isnull=True), name="acces_ouverts"),
            models.Index(fields=["date_creation"], name="acces_date"),
        ]

    def __str__(self) -> str:
        return f"Accès {self.pk.hex[:8]}"

    def est_ouvert(self, maintenant: datetime) -> bool:
        """Neither ended, nor unused for too long, nor older than DUREE."""
        if self.date_fin is not None or maintenant - self.date_creation >= DUREE:
            return False
        return maintenant - self.date_activite < settings.PORTAIL_INACTIVITE


class CodeRetour(models.Model):
    """The one live code of a guest session; the base keeps its keyed hash alone."""

    invite = models.OneToOneField(SessionInvitee, on_delete=models.CASCADE, related_name="code_retour", editable=False)
    empreinte = models.CharField(max_length=64, editable=False)
    date_creation = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["empreinte"], name="code_retour_unique")]

    def __str__(self) -> str:
        return f"Code du {self.date_creation:%Y-%m-%d}"


class Brouillon(models.Model):
    """What is written before it is sent, under a key that the cookie's token makes: the base alone cannot read it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    jeton_empreinte = models.CharField(max_length=64, editable=False)
    contenu_scelle = models.TextField(blank=True, editable=False)
    date_modification = models.DateTimeField(default=timezone.now, editable=False)
    # Set once sent: the same click again leads to the same receipt.
    date_envoi = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["jeton_empreinte"], name="brouillon_jeton_unique")]
        indexes = [models.Index(fields=["date_modification"], name="brouillon_date")]

    def __str__(self) -> str:
        return f"Brouillon {self.pk.hex[:8]}"

    def est_perime(self, maintenant: datetime) -> bool:
        return maintenant - self.date_modification >= DUREE_BROUILLON
