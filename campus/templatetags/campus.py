from django import template

from campus.interrupteurs import ouverts, se_savent
from campus.pages.places import Place, pieces, places

register = template.Library()


@register.simple_tag
def vie_du_campus() -> bool:
    """True where the campus has a page to show; False too where only the base could say: a page waits for no base."""
    return se_savent() and bool(pieces())


@register.simple_tag
def campus_ouvert() -> bool:
    """True where the campus has a page to show, for a page of the portal that has asked the base already."""
    return bool(pieces())


@register.simple_tag
def salles_du_campus() -> list[str]:
    """The names of the rooms that are open, for a page that has asked the base already."""
    return ouverts()


@register.simple_tag
def places_du_campus() -> list[Place]:
    """The links of its frame, for a page of the portal that has asked the base already."""
    return places()
