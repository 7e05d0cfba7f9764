from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PortailConfig(AppConfig):
    name = "portail"
    verbose_name = _("Portail")

    def ready(self) -> None:
        from portail import entretien, events  # noqa: F401 -- they register themselves
        from portail.services import acces, effacement, navigateurs, visites  # noqa: F401 -- they register themselves
