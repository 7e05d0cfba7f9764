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

# What a reading that names people leaves in the database: all columns of an account but its key and its name.
HORS_DU_NOM = (
    "date_creation",
    "date_modification",
    "password",
    "email",
    "type_utilisateur",
    "telephone",
    "bureau_genre_id",
    "est_actif",
    "email_verifie",
    "derniere_connexion",
    "nb_coupures",
    "recherche",
)


def sauf_le_nom(relation: str) -> list[str]:
    """Columns to defer of an account that `select_related(relation)` joins."""
    return [f"{relation}__{nom}" for nom in HORS_DU_NOM]
