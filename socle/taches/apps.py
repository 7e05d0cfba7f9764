from django.apps import AppConfig


class TachesConfig(AppConfig):
    name = "socle.taches"
    label = "taches"

    def ready(self) -> None:
        from socle.taches import entretien  # noqa: F401 -- it registers itself
