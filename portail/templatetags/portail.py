from django import template

from socle.domaine import appels

register = template.Library()


@register.filter
def a_composer(telephone: str) -> str:
    """What a phone dials, `""` where no number is sure."""
    return appels.a_composer(telephone)
