from typing import Any

from django.db import models
from django.utils import timezone

from stats.vocabulaire import StatutExport


class ExportQuerySet(models.QuerySet[Any]):
    def en_cours(self) -> "ExportQuerySet":
        return self.filter(statut=StatutExport.EN_COURS)

    def a_retirer(self) -> "ExportQuerySet":
        """Whose file has had its day."""
        return self.filter(date_expiration__lte=timezone.now()).exclude(cle="")
