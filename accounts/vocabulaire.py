from django.db import models
from django.utils.translation import gettext_lazy as _


class StatutInvitation(models.TextChoices):
    PENDING = "PENDING", _("En attente")
    ACCEPTED = "ACCEPTED", _("Acceptée")
    EXPIRED = "EXPIRED", _("Expirée")
    REVOKED = "REVOKED", _("Révoquée")


class MotifFin(models.TextChoices):
    """Why a session ended; only ROTATION can mean a stolen refresh token when its token comes back."""

    ROTATION = "ROTATION", _("Renouvelée")
    DECONNEXION = "DECONNEXION", _("Déconnexion")
    REVOCATION = "REVOCATION", _("Révoquée")


LANGUES = (("fr", "Français"), ("en", "English"))
