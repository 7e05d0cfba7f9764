from django.db import models
from django.utils import timezone


class BaseAnterieure(models.Model):
    """One row in a base that was in use before these pages were made: there they wait for a yes of the operator."""

    date_creation = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"Base en service avant le {self.date_creation:%d/%m/%Y}"
