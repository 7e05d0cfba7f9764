import re

from django import template

register = template.Library()


@register.filter
def pour_appeler(telephone: str) -> str:
    """What a phone dials: the digits and the leading +, of a number written for the eye."""
    return re.sub(r"(?!^\+)[^0-9]", "", telephone.strip())
