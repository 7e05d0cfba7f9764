from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db import models

from signalements.models import Signalement


class DelaiQuerySet(models.QuerySet[Any]):
    def actifs(self) -> "DelaiQuerySet":
        """Of one nature and name, that of every type first."""
        return self.filter(actif=True).order_by("nature", "libelle", "type")


class EcheanceQuerySet(models.QuerySet[Any]):
    def de(self, dossiers: Iterable[Any]) -> "EcheanceQuerySet":
        """Dates of these cases, and of the reports joined to them, in the order in which they fall due."""
        eux = Signalement.objects.et_leurs_joints(dossier.pk for dossier in dossiers)
        return self.filter(signalement__in=eux.values("pk")).order_by("pour_le", "date_creation", "id")

    def ouvertes(self) -> "EcheanceQuerySet":
        return self.filter(faite_le__isnull=True)

    def prolongees(self) -> "EcheanceQuerySet":
        return self.filter(prolongee_du__isnull=False)

    def a_rappeler(self, aujourd_hui: date) -> "EcheanceQuerySet":
        return self.filter(rappel_le__lte=aujourd_hui).order_by("rappel_le", "id")
