from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CampusConfig(AppConfig):
    name = "campus"
    verbose_name = _("Pages du campus")
