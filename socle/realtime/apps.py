from django.apps import AppConfig


class RealtimeConfig(AppConfig):
    name = "socle.realtime"
    label = "realtime"
    verbose_name = "Temps réel"

    def ready(self) -> None:
        from socle.realtime import entretien  # noqa: F401 -- it registers itself
