from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CalendrierConfig(AppConfig):
    name = "calendrier"
    verbose_name = _("Calendrier")

    def ready(self) -> None:
        from calendrier import canaux, events, services  # noqa: F401 -- they register themselves
