from django.apps import AppConfig


class GuestsConfig(AppConfig):
    name = "guests"
    verbose_name = "Sessions invitées"

    def ready(self) -> None:
        from guests import events  # noqa: F401 -- it registers itself
