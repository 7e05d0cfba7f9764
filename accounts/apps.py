from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "Comptes"

    def ready(self) -> None:
        from accounts import canaux, entretien, events  # noqa: F401 -- they register themselves
