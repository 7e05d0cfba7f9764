from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from equipes.querysets import EquipeQuerySet, MembreQuerySet, RegleQuerySet
from equipes.vocabulaire import DESCRIPTION_MAX, NOM_MAX
from socle.domaine.identite import masquer_ecrits
from socle.domaine.modeles import ModeleBase


class Equipe(ModeleBase):
    """Part of the staff that alone reads the cases given to it; deactivated, and never deleted, it reads none."""

    ECRITS = ("nom", "description")

    nom = models.CharField(_("nom"), max_length=NOM_MAX)
    description = models.TextField(
        _("description"),
        max_length=DESCRIPTION_MAX,
        blank=True,
        default="",
        help_text=_("Ce que lit qui signale, avant d'envoyer : qui sont ces personnes, à quoi elles sont tenues."),
    )
    responsable = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("responsable"),
    )
    active = models.BooleanField(_("active"), default=True)
    # Since when its cases have no reader, which administrators were told; null while somebody reads them.
    sans_lecteur_le = models.DateTimeField(null=True, editable=False)
    membre: bool  # of `pour_lecture`

    objects = EquipeQuerySet.as_manager()

    class Meta:
        verbose_name = _("équipe")
        constraints = [
            models.UniqueConstraint(
                Lower("nom"), name="equipe_nom_unique", violation_error_message=_("Une équipe porte déjà ce nom.")
            )
        ]
        indexes = [
            models.Index(fields=["responsable"], condition=Q(responsable__isnull=False), name="equipe_responsable")
        ]

    def __str__(self) -> str:
        return self.nom

    def clean(self) -> None:
        masquer_ecrits(self)

    def est_lue_par(self, compte: UUID) -> bool:
        """The rule of `MembreQuerySet.qui_lisent`; `membres` prefetched cost no query."""
        return self.active and any(un.compte_id == compte and un.lit for un in self.membres.all())


class MembreDEquipe(ModeleBase):
    """One person of a team; who joined by themself reads nothing until somebody else agrees."""

    equipe = models.ForeignKey(
        Equipe, on_delete=models.PROTECT, related_name="membres", db_index=False, verbose_name=_("équipe")
    )
    compte = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("personne"),
    )
    par = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("décidé par"),
    )
    # Since when they read the cases of the team; null: waits for a yes.
    accepte_le = models.DateTimeField(_("accepté le"), null=True, editable=False)

    objects = MembreQuerySet.as_manager()

    class Meta:
        verbose_name = _("membre d'équipe")
        verbose_name_plural = _("membres d'équipe")
        constraints = [models.UniqueConstraint(fields=["compte", "equipe"], name="membre_une_fois_par_equipe")]
        indexes = [
            models.Index(fields=["equipe", "compte"], name="membre_equipe"),
            models.Index(fields=["par"], condition=Q(par__isnull=False), name="membre_par"),
        ]

    def __str__(self) -> str:
        return str(_("membre") if self.lit else _("en attente"))

    @property
    def lit(self) -> bool:
        return self.accepte_le is not None


class RegleDeRoutage(ModeleBase):
    """Destination of new cases: the first active rule, in order, that suits one by type and office, gives its team."""

    ordre = models.PositiveSmallIntegerField(_("ordre"), default=0)
    # Of the types and of the offices, as `Signalement.type` and `bureau_genre_id` hold them; none of one: any.
    types = models.JSONField(_("types"), default=list, blank=True)
    bureaux = models.JSONField(_("bureaux"), default=list, blank=True)
    equipe = models.ForeignKey(
        Equipe, on_delete=models.PROTECT, related_name="regles", db_index=False, verbose_name=_("équipe")
    )
    gestionnaire = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("confié à"),
    )
    active = models.BooleanField(_("active"), default=False)

    objects = RegleQuerySet.as_manager()

    class Meta:
        verbose_name = _("règle de routage")
        verbose_name_plural = _("règles de routage")
        indexes = [
            models.Index(fields=["equipe"], name="regle_equipe"),
            models.Index(fields=["gestionnaire"], condition=Q(gestionnaire__isnull=False), name="regle_gestionnaire"),
        ]

    def __str__(self) -> str:
        return f"{self.ordre} {self.equipe_id}"

    def convient_a(self, type_: str, bureau: str) -> bool:
        """True where this rule suits a case of this type, for this office ("" for none)."""
        return (not self.types or type_ in self.types) and (not self.bureaux or bureau in self.bureaux)
