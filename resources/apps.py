from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ResourcesConfig(AppConfig):
    name = "resources"
    verbose_name = _("Aide, ressources et fichiers")

    def ready(self) -> None:
        from resources import entretien, events, lecteurs, permissions  # noqa: F401 -- they register themselves
