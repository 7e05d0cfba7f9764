from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PersonnesConfig(AppConfig):
    name = "personnes"
    verbose_name = _("Droits des personnes")
