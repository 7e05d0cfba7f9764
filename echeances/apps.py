from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EcheancesConfig(AppConfig):
    name = "echeances"
    verbose_name = _("Délais et échéances")

    def ready(self) -> None:
        from echeances import entretien, fusion, mesures, receveurs, services  # noqa: F401 -- they fill seams and hear signals
