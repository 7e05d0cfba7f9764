from django.apps import AppConfig


class IdempotenceConfig(AppConfig):
    name = "socle.idempotence"
    label = "idempotence"

    def ready(self) -> None:
        from socle.idempotence import entretien  # noqa: F401 -- it registers itself
