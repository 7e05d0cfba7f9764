from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StatsConfig(AppConfig):
    name = "stats"
    verbose_name = _("Statistiques")

    def ready(self) -> None:
        from stats import canaux, events  # noqa: F401 -- they register themselves
        from stats.exports import entretien, permissions, temporaires  # noqa: F401 -- they register themselves
