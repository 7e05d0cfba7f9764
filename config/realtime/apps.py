from django.apps import AppConfig


class RealtimeConfig(AppConfig):
    name = "config.realtime"
    label = "realtime"
    verbose_name = "Temps réel"

    def ready(self) -> None:
        from config.realtime import entretien  # noqa: F401 -- it registers itself
