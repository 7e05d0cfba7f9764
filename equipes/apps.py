from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EquipesConfig(AppConfig):
    name = "equipes"
    verbose_name = _("Équipes")

    def ready(self) -> None:
        from equipes import entretien, events, receveurs  # noqa: F401 -- they register themselves
