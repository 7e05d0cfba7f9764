from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from socle.domaine.droits import Role
from socle.domaine.vocabulaires import montrer_des_choix


class StatutInvitation(models.TextChoices):
    # Of its own: in English a case that is « En attente » is waiting, an invitation pending.
    PENDING = "PENDING", pgettext_lazy("invitation", "En attente")
    ACCEPTED = "ACCEPTED", _("Acceptée")
    EXPIRED = "EXPIRED", _("Expirée")
    REVOKED = "REVOKED", _("Révoquée")


class MotifFin(models.TextChoices):
    """Reason for the end of a session; only ROTATION can mean a stolen refresh token when its token comes back."""

    ROTATION = "ROTATION", _("Renouvelée")
    DECONNEXION = "DECONNEXION", _("Déconnexion")
    REVOCATION = "REVOCATION", _("Révoquée")


class Facteur(models.TextChoices):
    """Proof of identity that a person gave at sign-in, as the register has it."""

    MOT_DE_PASSE = "motDePasse", _("Mot de passe")
    APPLICATION = "application", _("Mot de passe et application")
    CODE_DE_SECOURS = "codeDeSecours", _("Mot de passe et code de secours")


class Surete(models.TextChoices):
    """Act of the holder of a password on an account, of which its person is mailed, whoever it was."""

    SECOND_FACTEUR_ACTIVE = "secondFacteurActive", _("Un second facteur a été activé.")
    SECOND_FACTEUR_RETIRE = "secondFacteurRetire", _("Le second facteur a été retiré.")
    CODES_REFAITS = "codesRefaits", _("Des codes de secours ont été demandés ; les anciens n'ouvrent plus rien.")
    CODE_UTILISE = "codeUtilise", _("Un code de secours a servi.")
    MOT_DE_PASSE_CHANGE = "motDePasseChange", _("Le mot de passe a été changé.")
    EFFACEMENT_DEMANDE = "effacementDemande", _("L'effacement du compte a été demandé.")
    APPAREIL_NOUVEAU = (
        "appareilNouveau",
        _("Quelqu'un est entré depuis un appareil qui n'avait pas encore servi avec ce mot de passe."),
    )


class NatureAvis(models.TextChoices):
    """Kind of thing that a member of the team is told of."""

    NOUVEAU_DOSSIER = "NOUVEAU_DOSSIER", _("Un nouveau dossier")
    DOSSIER_CRITIQUE = "DOSSIER_CRITIQUE", _("Un dossier devenu critique")
    DOSSIER_CONFIE = "DOSSIER_CONFIE", _("Un dossier qui vous est confié")
    DOSSIER_REPRIS = "DOSSIER_REPRIS", _("Un dossier qui n'est plus à vous")
    MESSAGE = "MESSAGE", _("Un message de qui a signalé")
    ECHEANCE_PROCHE = "ECHEANCE_PROCHE", _("Une date qui approche")
    ECHEANCE_DU_JOUR = "ECHEANCE_DU_JOUR", _("Une date qui tombe aujourd'hui")
    ECHEANCE_DEPASSEE = "ECHEANCE_DEPASSEE", _("Une date dépassée")


class Rythme(models.TextChoices):
    IMMEDIAT = "IMMEDIAT", _("Tout de suite")
    QUOTIDIEN = "QUOTIDIEN", _("Une fois par jour")
    JAMAIS = "JAMAIS", _("Jamais")


# Of who has chosen nothing.
RYTHMES = {nature.value: Rythme.IMMEDIAT.value for nature in NatureAvis} | {
    NatureAvis.NOUVEAU_DOSSIER.value: Rythme.QUOTIDIEN.value
}

# Key of a browser session whose sign-in proved a second factor.
SECOND_FACTEUR_PROUVE = "second_facteur"

NIVEAUX = ("INFO", "AVERTISSEMENT", "CRITIQUE", "SECURITE")  # of an alert to administrators
FONCTION_MAX = 80  # characters of what somebody of the staff does, as who reports reads it
PARAISSENT_MAX = 200  # people of the staff who are named to whoever reports
MOT_MAX = 300  # characters of the word that goes with an invitation: some lines, not a letter

LANGUES = (("fr", "Français"), ("en", "English"))

# Name of an erased account, wherever its name is shown.
PRENOM_EFFACE, NOM_EFFACE = "Compte", "effacé"
NOM_COMPLET_EFFACE = f"{PRENOM_EFFACE} {NOM_EFFACE}"
# A top-level domain that no name server knows (RFC 2606): nothing sent to it arrives anywhere.
DOMAINE_DES_EFFACES = "effaces.invalid"

# Columns of an account that `Compte.indexer` writes.
INDEXES = ("recherche", "noms_portes")
NOMS_MAX = 400  # words of former names that are kept, the first ones

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
    "equipe_depuis",
    "recherche",
    "noms_portes",
)


def sauf_le_nom(relation: str) -> list[str]:
    """Columns to defer of an account that `select_related(relation)` joins."""
    return [f"{relation}__{nom}" for nom in HORS_DU_NOM]


montrer_des_choix("role", Role)
