"""The outbox: an event is a row of the transaction it announces, and gets its number once that is committed."""

from typing import Self

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Max, Q
from django.utils import timezone

from socle.realtime.vocabulaire import AUDIENCE_MAX, PUBLIC


class Evenement(models.Model):
    id = models.BigAutoField(primary_key=True)
    numero = models.BigIntegerField("numéro", null=True, unique=True, editable=False)
    type = models.CharField(max_length=50)
    canal = models.CharField(max_length=255)
    audience = models.CharField(max_length=AUDIENCE_MAX, default=PUBLIC)
    payload = models.JSONField(encoder=DjangoJSONEncoder)
    # Fields of the payload that are null for one account: see `enveloppe.masquer_a`.
    masque = models.JSONField(null=True, editable=False)
    date_creation = models.DateTimeField("créé le", default=timezone.now, editable=False)

    class Meta:
        verbose_name = "événement"
        indexes = [
            models.Index(fields=["id"], condition=Q(numero__isnull=True), name="evenement_a_numeroter"),
            models.Index(fields=["canal", "numero"], name="evenement_canal_numero"),
            models.Index(fields=["date_creation"], name="evenement_date"),
        ]

    def __str__(self) -> str:
        return f"{self.type} ({self.numero or 'sans numéro'})"


class CanalEfface(models.Model):
    """High-water mark of the purge, by channel and audience: events up to `numero` are deleted; "" is every channel."""

    canal = models.CharField(max_length=255)
    audience = models.CharField(max_length=AUDIENCE_MAX)
    numero = models.BigIntegerField("plus haut numéro effacé")

    class Meta:
        verbose_name = "canal effacé"
        verbose_name_plural = "canaux effacés"
        constraints = [models.UniqueConstraint(fields=["canal", "audience"], name="canal_efface_unique")]

    def __str__(self) -> str:
        return f"{self.canal} ({self.numero})"


class CompteurEvenements(models.Model):
    """Single row whose lock serialises numbering, so that numbers become visible in their order."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    dernier_numero = models.BigIntegerField("dernier numéro donné", default=0)
    dernier_purge = models.BigIntegerField("plus haut numéro effacé", default=0)

    class Meta:
        verbose_name = "compteur des événements"
        verbose_name_plural = "compteur des événements"
        constraints = [models.CheckConstraint(condition=Q(id=1), name="compteur_evenements_unique")]

    def __str__(self) -> str:
        return str(self.dernier_numero)

    @classmethod
    def lire(cls) -> Self:
        return cls.objects.filter(pk=1).first() or cls()

    @classmethod
    def verrouille(cls) -> Self:
        """The row, locked until the end of the transaction; made again where a flush took it away."""
        if compteur := cls.objects.select_for_update().filter(pk=1).first():
            return compteur
        dernier = Evenement.objects.aggregate(dernier=Max("numero"))["dernier"] or 0
        cls.objects.bulk_create([cls(dernier_numero=dernier)], ignore_conflicts=True)
        return cls.objects.select_for_update().get(pk=1)
