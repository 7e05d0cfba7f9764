from django import template

from socle.domaine import appels

register = template.Library()


@register.filter
def a_composer(telephone: str) -> str:
    """Number that a phone dials, `""` where none is sure."""
    return appels.a_composer(telephone)
