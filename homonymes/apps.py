from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HomonymesConfig(AppConfig):
    name = "homonymes"
    verbose_name = _("Noms à vérifier")

    def ready(self) -> None:
        from homonymes import entretien, fusion, lectures, receveurs  # noqa: F401 -- they fill seams and hear signals
