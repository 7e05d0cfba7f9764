"""What every row has: a UUID, dates, and where it belongs to someone, exactly one actor."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config.domaine.acteurs import SourceActeur


class ModeleBase(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    date_creation = models.DateTimeField(_("créé le"), default=timezone.now, editable=False)
    date_modification = models.DateTimeField(_("modifié le"), default=timezone.now, editable=False)

    class Meta:
        abstract = True

    def enregistrer(self, *champs: str) -> None:
        """Write only these columns, and the date of the change."""
        self.date_modification = timezone.now()
        self.save(update_fields=[*champs, "date_modification"])

    def verrouiller(self) -> None:
        """Take the row lock, which lets others refer to it, and refresh; call inside a transaction."""
        lignes: Any = type(self)._base_manager.select_for_update(of=("self",), no_key=True)
        self.refresh_from_db(from_queryset=lignes)


class AvecActeur(models.Model):
    """Ownership, in these two columns and nowhere else: a merge moves it with one statement a table."""

    compte = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    invite = models.ForeignKey(
        "guests.SessionInvitee", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    est_fusionne = models.BooleanField(_("fusionné"), default=False, editable=False)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(compte__isnull=False, invite__isnull=True) | Q(compte__isnull=True, invite__isnull=False),
                name="%(app_label)s_%(class)s_un_seul_acteur",
            )
        ]

    @property
    def source_acteur(self) -> SourceActeur:
        return SourceActeur.GUEST if self.invite_id else SourceActeur.AUTH_USER
