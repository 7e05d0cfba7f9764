from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from homonymes.querysets import HomonymeQuerySet
from homonymes.vocabulaire import Decision
from signalements.models import Signalement
from socle.domaine.modeles import ModeleBase
from socle.domaine.temps import jour_du_campus

EN_ATTENTE = Q(decision=Decision.EN_ATTENTE)


class Homonyme(ModeleBase):
    """A member of the staff who has the name that a case gives as its presumed author, and what was decided of it.

    Until then, where they are few, a `RegleDeLecture` of origin HOMONYME shuts them out; nothing tells them so.
    """

    signalement = models.ForeignKey(
        Signalement, on_delete=models.CASCADE, related_name="homonymes", db_index=False, verbose_name=_("signalement")
    )
    compte = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("personne"),
    )
    jusqu_au = models.DateField(_("à vérifier jusqu'au"))
    decision = models.CharField(_("décision"), max_length=10, choices=Decision, default=Decision.EN_ATTENTE)
    decide_par = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    rappele_le = models.DateTimeField(null=True)  # once, after its day

    objects = HomonymeQuerySet.as_manager()

    class Meta:
        verbose_name = _("nom à vérifier")
        verbose_name_plural = _("noms à vérifier")
        constraints = [
            models.UniqueConstraint(fields=["signalement", "compte"], name="homonyme_un_par_personne"),
            models.CheckConstraint(condition=Q(decision__in=Decision.values), name="homonyme_decision_connue"),
            models.CheckConstraint(
                condition=EN_ATTENTE | Q(decide_par__isnull=False), name="homonyme_decide_par_quelqu_un"
            ),
        ]
        indexes = [
            models.Index(fields=["jusqu_au", "id"], condition=EN_ATTENTE, name="homonyme_en_attente"),
            models.Index(fields=["compte"], name="homonyme_compte"),
            models.Index(fields=["decide_par"], condition=Q(decide_par__isnull=False), name="homonyme_decide_par"),
        ]

    def __str__(self) -> str:
        return self.get_decision_display()

    @property
    def est_en_retard(self) -> bool:
        return self.decision == Decision.EN_ATTENTE and self.jusqu_au < jour_du_campus()


class BaseAnterieure(models.Model):
    """One row in a base that was in use before names were compared: there it waits for a yes of the operator."""

    date_creation = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"Base en service avant le {self.date_creation:%d/%m/%Y}"
