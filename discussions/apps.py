from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DiscussionsConfig(AppConfig):
    name = "discussions"
    verbose_name = _("Discussions")

    def ready(self) -> None:
        from discussions import canaux, entretien, events, non_lus, permissions  # noqa: F401 -- they register themselves
