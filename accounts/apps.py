from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "Comptes"

    def ready(self) -> None:
        from accounts import canaux, entretien, events  # noqa: F401 -- they register themselves


class EquipeConfig(AdminConfig):
    """Django's admin, with our site."""

    default_site = "accounts.site.EspaceEquipe"
