from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ForumConfig(AppConfig):
    name = "forum"
    verbose_name = _("Forum")

    def ready(self) -> None:
        from forum import canaux, entretien, events, permissions  # noqa: F401 -- they register themselves
