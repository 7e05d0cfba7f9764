from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "socle.audit"
    label = "audit"
    verbose_name = "Registre"

    def ready(self) -> None:
        from socle.audit import entretien  # noqa: F401 -- it registers itself
