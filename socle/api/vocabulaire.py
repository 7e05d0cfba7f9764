from django.db import models


class EtatSonde(models.TextChoices):
    OK = "OK"
    LECTURE_SEULE = "LECTURE_SEULE"
    INDISPONIBLE = "INDISPONIBLE"
