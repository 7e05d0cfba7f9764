from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Comptes")

    def ready(self) -> None:
        from accounts import canaux, entretien, events  # noqa: F401 -- they register themselves


class EquipeConfig(AdminConfig):
    """Django's admin, with our site."""

    default_site = "accounts.site.EspaceEquipe"
