from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReponsesConfig(AppConfig):
    name = "reponses"
    verbose_name = _("Réponses et orientations")

    def ready(self) -> None:
        from reponses import fusion, receveurs  # noqa: F401 -- they hear signals and fill seams
