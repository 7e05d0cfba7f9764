from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from socle.domaine.modeles import ModeleBase
from stats.querysets import ExportQuerySet
from stats.vocabulaire import TYPES_MIME, FormatExport, StatutExport


class Export(ModeleBase):
    """Audit row of an export: who took which reports out of the service, and when. Its file is deleted after a day."""

    ECRITS = ("filtres",)

    compte = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("demandé par")
    )
    format = models.CharField(_("format"), max_length=4, choices=FormatExport, default=FormatExport.CSV)
    # Query parameters of the staff list, as the request gave them.
    filtres = models.JSONField(_("filtres"), default=dict, blank=True)
    statut = models.CharField(_("statut"), max_length=10, choices=StatutExport, default=StatutExport.EN_COURS)
    lignes = models.PositiveIntegerField(_("lignes"), null=True, blank=True)
    # Store and key of the file; the key is empty once the file is deleted.
    seau = models.CharField(max_length=63, blank=True, editable=False)
    cle = models.CharField(max_length=80, blank=True, editable=False)
    taille = models.PositiveBigIntegerField(_("taille"), null=True, blank=True)
    date_fin = models.DateTimeField(_("terminé le"), null=True, blank=True)
    date_expiration = models.DateTimeField(_("gardé jusqu'au"), null=True, blank=True)

    objects = ExportQuerySet.as_manager()

    class Meta:
        verbose_name = _("export")
        constraints = [
            models.CheckConstraint(condition=Q(statut__in=StatutExport.values), name="export_statut_connu"),
            models.CheckConstraint(
                condition=Q(statut=StatutExport.EN_COURS, date_fin__isnull=True)
                | (~Q(statut=StatutExport.EN_COURS) & Q(date_fin__isnull=False)),
                name="export_fini_date",
            ),
            models.CheckConstraint(
                condition=~Q(statut=StatutExport.PRET)
                | Q(lignes__isnull=False, taille__isnull=False, date_expiration__isnull=False),
                name="export_pret_entier",
            ),
        ]
        indexes = [
            models.Index(fields=["-date_creation", "-id"], name="export_date"),
            models.Index(fields=["date_expiration"], condition=~Q(cle=""), name="export_a_retirer"),
        ]

    def __str__(self) -> str:
        return self.nom_fichier

    @property
    def nom_fichier(self) -> str:
        """File name with the day of the campus on which the export was asked for."""
        jour: datetime = self.date_creation.astimezone(settings.TIME_ZONE_CAMPUS)
        return f"signalements-{jour:%Y-%m-%d}.{self.format}"

    @property
    def type_servi(self) -> str:
        return TYPES_MIME[FormatExport(self.format)]

    @property
    def est_retire(self) -> bool:
        """True where the file is deleted or past its expiry."""
        return self.statut == StatutExport.PRET and (not self.cle or self.date_expiration <= timezone.now())  # type: ignore[operator]

    def devenir_pret(self, *, seau: str, cle: str, lignes: int, taille: int) -> None:
        self.statut, self.date_fin = StatutExport.PRET, timezone.now()
        self.seau, self.cle, self.lignes, self.taille = seau, cle, lignes, taille
        self.date_expiration = self.date_fin + settings.EXPORT_FILE_LIFETIME

    def devenir_echec(self) -> None:
        self.statut, self.date_fin = StatutExport.ECHEC, timezone.now()

    def finir(self, **ecrit: Any) -> None:
        """Save the final state: ready with the columns of `Ecrit`, failed without; call it under the row lock."""
        if ecrit:
            self.devenir_pret(**ecrit)
        else:
            self.devenir_echec()
        self.save()
