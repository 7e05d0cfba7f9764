from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from espace.selections import Nombre

register = template.Library()
HEURE = 3600
JOUR = 24 * HEURE


@register.filter
def combien(nombre: Nombre) -> str:
    """The number, with a + where there are more."""
    return f"{number_format(nombre.nombre, force_grouping=True)}{'+' if nombre.plafonne else ''}"


@register.filter
def dossiers(nombre: Nombre) -> str:
    """« 3 dossiers », « plus de 10 000 dossiers »."""
    if nombre.plafonne:
        return _("Plus de %(n)s dossiers") % {"n": number_format(nombre.nombre, force_grouping=True)}
    phrase = ngettext("%(n)s dossier", "%(n)s dossiers", nombre.nombre)
    return phrase % {"n": number_format(nombre.nombre, force_grouping=True)}


@register.filter
def age(moment: datetime) -> str:
    """Format the time since a moment, in the one unit that says it."""
    secondes = max(int((timezone.now() - moment).total_seconds()), 0)
    if secondes < HEURE:
        return _("%(n)d min") % {"n": secondes // 60}
    if secondes < 2 * JOUR:
        return _("%(n)d h") % {"n": secondes // HEURE}
    return _("%(n)d j") % {"n": secondes // JOUR}
