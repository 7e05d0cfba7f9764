from django.apps import AppConfig
from django.conf import LazySettings


class ToitConfig(AppConfig):
    """The roof: commands, static files, translations, and the checks of what was configured."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401 -- it registers itself

        # A setting that was asked for is kept in the instance, where Django looks for it in Python, once to hide the
        # proxies of operators, which settings have no use for: a twentieth of a short answer.
        LazySettings.__getattribute__ = object.__getattribute__  # type: ignore[method-assign]
