from django.apps import AppConfig


class SignalementsConfig(AppConfig):
    name = "signalements"
    verbose_name = "Signalements"

    def ready(self) -> None:
        from signalements import canaux, events  # noqa: F401 -- they register themselves
