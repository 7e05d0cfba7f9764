from django.db import models


class Portee(models.TextChoices):
    """Whose reports the numbers are of."""

    PERSONNELLE = "PERSONNELLE"
    GLOBALE = "GLOBALE"


class Pas(models.TextChoices):
    JOUR = "jour"
    SEMAINE = "semaine"
    MOIS = "mois"


PERIODES_PAR_DEFAUT = 30
PERIODES_MAX = 400
ALERTES_MAX = 100
RECENTS_PAR_DEFAUT, RECENTS_MAX = 10, 50
# Values of an open vocabulary, beyond the well-known ones, that are told apart: an answer must stay one.
VALEURS_MAX = 50
AUTRE = "AUTRE"
# Unread messages are counted over the discussions that moved last.
DISCUSSIONS_SUIVIES = 500
