from django.db import models
from django.utils.translation import gettext_lazy as _

SIGNALEMENT, POSTE = SOURCES = ("signalement", "poste")  # of a status that the numbers count


class StatutExport(models.TextChoices):
    EN_COURS = "EN_COURS", _("En cours")
    PRET = "PRET", _("Prêt")
    ECHEC = "ECHEC", _("Échec")


class FormatExport(models.TextChoices):
    CSV = "csv", "CSV"
    XLSX = "xlsx", "XLSX"


class PartDeListe(models.TextChoices):
    """Parts of the staff list that no filter of it names, for an export of one of them."""

    OUVERTS = "ouverts"
    CLOS = "clos"
    A_FAIRE = "a-faire"
    EN_RETARD = "en-retard"
    BIENTOT = "bientot"


TYPES_MIME = {
    FormatExport.CSV: "text/csv; charset=utf-8",
    FormatExport.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
# The folder of these files in the store, apart from uploads.
DOSSIER = "exports"


class Portee(models.TextChoices):
    """Scope of the numbers: one's own reports, those that one reads by teams, or all."""

    PERSONNELLE = "PERSONNELLE"
    EQUIPE = "EQUIPE"
    GLOBALE = "GLOBALE"


# Below it, where teams are defined, the cells of who counts cases that they do not read are folded.
PETITES_AVEC_EQUIPES = 5


class Pas(models.TextChoices):
    JOUR = "jour"
    SEMAINE = "semaine"
    MOIS = "mois"


PERIODES_PAR_DEFAUT = 30
PERIODES_MAX = 400
ALERTES_MAX = 100
RECENTS_PAR_DEFAUT, RECENTS_MAX = 10, 50
# Most values of an open vocabulary listed beyond the well-known ones: bounds the size of an answer.
VALEURS_MAX = 50
AUTRE = "AUTRE"
# Its form in an export, for a value that too few reports share.
AUTRE_EN_CLAIR = "Autre"
