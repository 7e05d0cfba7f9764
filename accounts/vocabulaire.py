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


class Facteur(models.TextChoices):
    """How a person showed who they are at sign-in, as the register has it."""

    MOT_DE_PASSE = "motDePasse", _("Mot de passe")
    APPLICATION = "application", _("Mot de passe et application")
    CODE_DE_SECOURS = "codeDeSecours", _("Mot de passe et code de secours")


# Key of a browser session whose sign-in proved a second factor.
SECOND_FACTEUR_PROUVE = "second_facteur"

LANGUES = (("fr", "Français"), ("en", "English"))

# Name of an erased account, wherever its name is shown.
PRENOM_EFFACE, NOM_EFFACE = "Compte", "effacé"
NOM_COMPLET_EFFACE = f"{PRENOM_EFFACE} {NOM_EFFACE}"
# A top-level domain that no name server knows (RFC 2606): nothing sent to it arrives anywhere.
DOMAINE_DES_EFFACES = "effaces.invalid"

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
    "date_effacement",
    "recherche",
)


def sauf_le_nom(relation: str) -> list[str]:
    """Columns to defer of an account that `select_related(relation)` joins."""
    return [f"{relation}__{nom}" for nom in HORS_DU_NOM]
