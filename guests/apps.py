from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GuestsConfig(AppConfig):
    name = "guests"
    verbose_name = _("Sessions invitées")

    def ready(self) -> None:
        from guests import checks, entretien, events, services  # noqa: F401 -- they register themselves
