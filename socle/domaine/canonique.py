"""Canonical statuses, one vocabulary to which every app maps its own."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class StatutCanonique(models.TextChoices):
    PENDING = "PENDING", _("En attente")
    IN_PROGRESS = "IN_PROGRESS", _("En cours")
    RESOLVED = "RESOLVED", _("Résolu")
    CANCELLED = "CANCELLED", _("Annulé")
