from datetime import date
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef

from homonymes.vocabulaire import Decision


class HomonymeQuerySet(models.QuerySet[Any]):
    def en_attente(self) -> "HomonymeQuerySet":
        return self.filter(decision=Decision.EN_ATTENTE)

    def en_retard(self, jour: date) -> "HomonymeQuerySet":
        """Filter to the ones past their day that nobody was reminded of, the oldest first."""
        retard = self.en_attente().filter(jusqu_au__lt=jour, rappele_le__isnull=True)
        retard = retard.filter(signalement__absorbe_par__isnull=True)  # of another, its own rows wait
        return retard.order_by("jusqu_au", "id")

    def sans_ceux_qui_nomment(self, compte: UUID) -> "HomonymeQuerySet":
        """Leave out all of a case of which one is about this account: it decides about none of them."""
        siens = self.model._default_manager.filter(signalement=OuterRef("signalement"), compte=compte).order_by()
        return self.filter(~Exists(siens))
