from django.apps import AppConfig


class TachesConfig(AppConfig):
    name = "config.taches"
    label = "taches"

    def ready(self) -> None:
        from config import checks  # noqa: F401 -- it registers itself
        from config.taches import entretien  # noqa: F401 -- so does this one
