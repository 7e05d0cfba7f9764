from typing import Any

from django.db import models
from django.utils import timezone

from stats.vocabulaire import StatutExport


class ExportQuerySet(models.QuerySet[Any]):
    def en_cours(self) -> "ExportQuerySet":
        return self.filter(statut=StatutExport.EN_COURS)

    def a_retirer(self) -> "ExportQuerySet":
        """Filter the exports whose file is past its expiry and not yet deleted."""
        return self.filter(date_expiration__lte=timezone.now()).exclude(cle="")
