from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AvisConfig(AppConfig):
    name = "avis"
    verbose_name = _("Avis")

    def ready(self) -> None:
        from avis import declarations, entretien, mesures, receveurs  # noqa: F401 -- they register themselves
