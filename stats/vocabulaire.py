from django.db import models
from django.utils.translation import gettext_lazy as _


class StatutExport(models.TextChoices):
    EN_COURS = "EN_COURS", _("En cours")
    PRET = "PRET", _("Prêt")
    ECHEC = "ECHEC", _("Échec")


class FormatExport(models.TextChoices):
    CSV = "csv", "CSV"
    XLSX = "xlsx", "XLSX"


TYPES_MIME = {
    FormatExport.CSV: "text/csv; charset=utf-8",
    FormatExport.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
# Where the store keeps these files, apart from uploads.
DOSSIER = "exports"
# What stands for a value that too few share.
AUTRE = "Autre"
# The right to take reports out of the service, and the one to see what others took.
EXPORTER = "stats.exporter"
CONSULTER_EXPORTS = "stats.consulter_exports"
