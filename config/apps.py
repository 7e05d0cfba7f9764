from django.apps import AppConfig


class ToitConfig(AppConfig):
    """The roof: commands, static files, translations, and the checks of what was configured."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401 -- it registers itself
