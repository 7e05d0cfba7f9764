from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SignalementsConfig(AppConfig):
    name = "signalements"
    verbose_name = _("Signalements")

    def ready(self) -> None:
        from signalements import (  # noqa: F401 -- they register themselves
            canaux,
            entretien,
            events,
            permissions,
            services,
        )
        from signalements.compteurs import pliage  # noqa: F401
