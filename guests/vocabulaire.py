from django.db import models
from django.utils.translation import gettext_lazy as _


class StatutInvite(models.TextChoices):
    ACTIVE = "ACTIVE", _("Active")
    MERGED = "MERGED", _("Rattachée à un compte")
    DISABLED = "DISABLED", _("Désactivée")


# What each stage opens; a later stage opens the earlier ones too.
ETAPES = ("read", "create", "merge")
