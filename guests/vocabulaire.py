from django.db import models
from django.utils.translation import gettext_lazy as _


class StatutInvite(models.TextChoices):
    ACTIVE = "ACTIVE", _("Active")
    MERGED = "MERGED", _("Rattachée à un compte")
    DISABLED = "DISABLED", _("Désactivée")


# The statuses that an administrator sets; a merge alone makes a session MERGED.
DECISIONS = [(statut.value, statut.label) for statut in (StatutInvite.ACTIVE, StatutInvite.DISABLED)]

# Stages of the guest mode, in order: a later one opens the earlier ones too.
ETAPES = ("read", "create", "merge")


class Politique(models.TextChoices):
    MERGE_SAFE = "MERGE_SAFE", _("Refuser tant qu'un conflit n'est pas réglé")
    MERGE_ALL = "MERGE_ALL", _("Régler les autres conflits au mieux")


RESOLUTIONS_MAX = 1_000
NOMMES_MAX = 100
