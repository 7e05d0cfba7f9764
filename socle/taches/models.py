"""Row that a worker leaves in the base while it lives."""

from django.db import models
from django.utils import timezone

GARDE_JOURS = 7


class Battement(models.Model):
    """One row per worker, written again each minute: its age says whether anybody still does the tasks."""

    ouvrier = models.CharField("ouvrier", max_length=40, primary_key=True)
    # Names with a comma between; "" for all of them.
    files = models.CharField("files", max_length=200, blank=True)
    date = models.DateTimeField("dernier battement", default=timezone.now)

    class Meta:
        verbose_name = "battement"
        indexes = [models.Index(fields=["-date"], name="battement_date")]

    def __str__(self) -> str:
        return self.ouvrier
