import uuid
from datetime import timedelta

from django.db import models
from django.utils import timezone

GARDE = timedelta(hours=24)


class CleUtilisee(models.Model):
    """The use of an Idempotency-Key and the id of the row it made; actor and body are kept as keyed hashes alone."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    cle = models.CharField(max_length=64, editable=False)
    demande = models.CharField(max_length=64, editable=False)
    # Null only while the row is being made, which no other transaction sees.
    objet = models.UUIDField(null=True, editable=False)
    est_nouveau = models.BooleanField(default=True, editable=False)
    date_creation = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = "clé d'idempotence"
        verbose_name_plural = "clés d'idempotence"
        constraints = [models.UniqueConstraint(fields=["cle"], name="cle_utilisee_unique")]
        indexes = [models.Index(fields=["date_creation"], name="cle_utilisee_date")]

    def __str__(self) -> str:
        return f"Clé {self.pk.hex[:8]}"

    @property
    def est_perimee(self) -> bool:
        return self.date_creation < timezone.now() - GARDE

    @classmethod
    def perimees(cls) -> models.QuerySet["CleUtilisee"]:
        return cls.objects.filter(date_creation__lt=timezone.now() - GARDE)
