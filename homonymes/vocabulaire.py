from datetime import timedelta
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _

ECARTES_MAX = 3  # a list of every colleague's name must not make a case that nobody reads
JOURS_OUVRES = 2  # in which an administrator decides
DEBUT = UUID(int=0)  # before the key of any case
ENCORE = timedelta(minutes=1)  # longer than a report takes to be written
LOT = 200  # cases that one step compares, or names that one reminds of


class Decision(models.TextChoices):
    """Decision of an administrator about a name that a case and a member of the staff share."""

    EN_ATTENTE = "EN_ATTENTE", _("À vérifier")
    ECARTE = "ECARTE", _("Cette personne ne lit pas le dossier")
    AUTRE = "AUTRE", _("Ce n'est pas cette personne")
