from django.db import models


class EtatSonde(models.TextChoices):
    OK = "OK"
    INDISPONIBLE = "INDISPONIBLE"
