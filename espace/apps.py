from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EspaceConfig(AppConfig):
    name = "espace"
    verbose_name = _("Espace de traitement")

    def ready(self) -> None:
        from espace import selections  # noqa: F401 -- it fills a seam
