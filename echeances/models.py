from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from echeances.querysets import DelaiQuerySet, EcheanceQuerySet
from echeances.vocabulaire import (
    DELAIS_MAX,
    JOUR_DE_L_ETAPE,
    JOURS_FERMES_MAX,
    LIBELLE_MAX,
    MOTIF_MAX,
    NOMBRE_MAX,
    Etape,
    NatureDelai,
    Unite,
)
from signalements.models import Signalement
from signalements.vocabulaire import type_lisible
from socle.domaine.identite import masquer_ecrits
from socle.domaine.modeles import ModeleBase

PLUS_DE_PLACE = _("%(n)d délais sont déjà actifs, c'est le maximum : désactivez-en un d'abord.")
PLUS_DE_JOURS = _("%(n)d jours de fermeture sont déjà notés, c'est le maximum : retirez-en un d'abord.")
OUVERTE = Q(faite_le__isnull=True)


class Delai(ModeleBase):
    """Time within which something is promised: of active ones, each new case of the type gets the date."""

    ECRITS = ("libelle",)

    nature = models.CharField(_("nature"), max_length=20, choices=NatureDelai)
    libelle = models.CharField(
        _("nom"),
        max_length=LIBELLE_MAX,
        blank=True,
        default="",
        help_text=_("D'un autre délai : ce qui est promis, comme qui a signalé le lit."),
    )
    type = models.CharField(_("type"), max_length=50, blank=True, default="")  # "": of every type
    nombre = models.PositiveSmallIntegerField(
        _("nombre"), validators=[MinValueValidator(1), MaxValueValidator(NOMBRE_MAX)]
    )
    unite = models.CharField(_("unité"), max_length=20, choices=Unite)
    actif = models.BooleanField(_("actif"), default=False)

    objects = DelaiQuerySet.as_manager()

    class Meta:
        verbose_name = _("délai")
        constraints = [
            models.CheckConstraint(condition=Q(nature__in=NatureDelai.values), name="delai_nature_connue"),
            models.CheckConstraint(condition=Q(unite__in=Unite.values), name="delai_unite_connue"),
            models.CheckConstraint(condition=Q(nombre__gte=1, nombre__lte=NOMBRE_MAX), name="delai_nombre_borne"),
            models.CheckConstraint(
                condition=(Q(nature=NatureDelai.AUTRE) & ~Q(libelle=""))
                | (~Q(nature=NatureDelai.AUTRE) & Q(libelle="")),
                name="delai_autre_nomme",
                violation_error_message=_("Donnez un nom à un autre délai, et à lui seul."),
            ),
            models.UniqueConstraint(
                fields=["nature", "libelle", "type"],
                name="delai_unique",
                violation_error_message=_("Ce délai existe déjà pour ce type : modifiez-le."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.nom} : {self.duree}"

    @property
    def nom(self) -> str:
        return self.libelle or str(self.get_nature_display())

    @property
    def duree(self) -> str:
        """The time in words: « 7 jours ouvrés »."""
        return f"{self.nombre} {self.get_unite_display()}"

    @property
    def type_lisible(self) -> str:
        return type_lisible(self.type) if self.type else str(_("tous"))

    def indexer(self) -> None:
        masquer_ecrits(self)

    def clean(self) -> None:
        autres = Delai.objects.filter(actif=True).exclude(pk=self.pk)
        if self.actif and autres.count() >= DELAIS_MAX:
            raise ValidationError(PLUS_DE_PLACE % {"n": DELAIS_MAX})


class JourFerme(ModeleBase):
    """A day on which the campus is closed: no working day, beside those of rest and the public holidays."""

    ECRITS = ("libelle",)

    jour = models.DateField(_("jour"))
    libelle = models.CharField(_("raison"), max_length=LIBELLE_MAX, blank=True, default="")

    class Meta:
        verbose_name = _("jour de fermeture")
        verbose_name_plural = _("jours de fermeture")
        ordering = ["jour"]
        constraints = [models.UniqueConstraint(fields=["jour"], name="jour_ferme_unique")]

    def __str__(self) -> str:
        return f"{self.jour:%d/%m/%Y}"

    def indexer(self) -> None:
        masquer_ecrits(self)

    def clean(self) -> None:
        if JourFerme.objects.exclude(pk=self.pk).count() >= JOURS_FERMES_MAX:
            raise ValidationError(PLUS_DE_JOURS % {"n": JOURS_FERMES_MAX})


class ChoixDesDates(models.Model):
    """The one answer of an administrator to « donner des dates ? »: no case has one before it is yes.

    Open cases of then get theirs from that day, in the order of `reprise`, the last one that was seen to.
    """

    UNIQUE = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=UNIQUE, editable=False)
    accepte = models.BooleanField()
    date_choix = models.DateTimeField(default=timezone.now)
    par = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    reprise_date = models.DateTimeField(null=True)
    reprise_id = models.UUIDField(null=True)
    est_repris = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("choix des dates")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="choix_des_dates_un_seul")]

    def __str__(self) -> str:
        return "Dates" if self.accepte else "Sans dates"


class Echeance(ModeleBase):
    """A date promised on a case: written with it, done, extended once. A day, which ends at the campus's midnight.

    `Signalement.echeances` shows these rows, and those of the reports that were joined to the case.
    """

    ECRITS = ("libelle", "motif")

    signalement = models.ForeignKey(
        Signalement, on_delete=models.CASCADE, related_name="dates", db_index=False, verbose_name=_("signalement")
    )
    nature = models.CharField(_("nature"), max_length=20, choices=NatureDelai)
    libelle = models.CharField(_("nom"), max_length=LIBELLE_MAX, blank=True, default="")
    pour_le = models.DateField(_("pour le"))
    faite_le = models.DateField(_("faite le"), null=True)
    prolongee_du = models.DateField(_("prolongée du"), null=True)  # the date that was first promised
    prolongee_le = models.DateField(null=True)  # the day of that act
    motif = models.CharField(_("motif"), max_length=MOTIF_MAX, blank=True, default="")
    par = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    etape = models.PositiveSmallIntegerField(choices=Etape, default=Etape.POSEE)
    rappel_le = models.DateField(null=True)  # day of the next step; None where nothing is left to say

    objects = EcheanceQuerySet.as_manager()

    class Meta:
        verbose_name = _("échéance")
        constraints = [
            models.CheckConstraint(condition=Q(nature__in=NatureDelai.values), name="echeance_nature_connue"),
            models.CheckConstraint(
                condition=Q(prolongee_du__isnull=True) | (Q(pour_le__gt=F("prolongee_du")) & ~Q(motif="")),
                name="echeance_prolongee_avec_un_motif",
            ),
            models.CheckConstraint(
                condition=Q(faite_le__isnull=True) | Q(rappel_le__isnull=True), name="echeance_faite_sans_rappel"
            ),
            # A meeting may be asked for again once one was held; of any other nature there is one a case.
            models.UniqueConstraint(
                fields=["signalement", "nature", "libelle"], condition=OUVERTE, name="echeance_ouverte_unique"
            ),
        ]
        indexes = [
            models.Index(fields=["signalement", "pour_le", "id"], name="echeance_signalement"),
            models.Index(fields=["rappel_le", "id"], condition=Q(rappel_le__isnull=False), name="echeance_rappel"),
            models.Index(fields=["par"], condition=Q(par__isnull=False), name="echeance_par"),
        ]

    def __str__(self) -> str:
        return f"{self.nature} {self.pour_le}"

    @property
    def est_faite(self) -> bool:
        return self.faite_le is not None

    @property
    def forme(self) -> dict[str, Any]:
        """The date as its case keeps it, to be shown: days as ISO texts."""
        return {
            "id": str(self.pk),
            "nature": self.nature,
            "libelle": self.libelle,
            "pourLe": self.pour_le.isoformat(),
            "faiteLe": self.faite_le and self.faite_le.isoformat(),
            "prolongeeDu": self.prolongee_du and self.prolongee_du.isoformat(),
            "prolongeeLe": self.prolongee_le and self.prolongee_le.isoformat(),
            "motif": self.motif,
        }

    def promettre(self, jour: date) -> None:
        """Set the day, and its next step, on the unsaved row."""
        self.pour_le, self.etape = jour, Etape.POSEE
        self._annoncer_la_suite()

    def passer(self, aujourd_hui: date) -> list[Etape]:
        """Take the steps that have come by this day, and set the day of the next one; return those taken."""
        venues = [etape for etape in JOUR_DE_L_ETAPE if etape > self.etape and self._jour_de(etape) <= aujourd_hui]
        if venues:
            self.etape = venues[-1]
        self._annoncer_la_suite()
        return venues

    def _annoncer_la_suite(self) -> None:
        suite = next((etape for etape in JOUR_DE_L_ETAPE if etape > self.etape), None)
        self.rappel_le = self._jour_de(suite) if suite is not None and not self.est_faite else None

    def _jour_de(self, etape: Etape) -> date:
        return self.pour_le + timedelta(days=JOUR_DE_L_ETAPE[etape])

    def faire(self, jour: date) -> None:
        self.faite_le, self.rappel_le = jour, None
