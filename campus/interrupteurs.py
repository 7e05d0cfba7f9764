"""The switches of the students' rooms: what the operator said, else on in a base that these pages have always had."""

from functools import cache

from django.conf import settings

from campus.models import BaseAnterieure

# Setting -> name of the room.
INTERRUPTEURS = {"CALENDRIER_PAGES": "calendrier", "FORUM_PAGES": "forum", "BIBLIOTHEQUE_PAGES": "bibliotheque"}


def est_ouvert(interrupteur: str) -> bool:
    dit: bool | None = getattr(settings, interrupteur)
    return _est_nouvelle() if dit is None else dit


def ouverts() -> list[str]:
    """The names of the rooms that are open; the base is asked once in the life of a process, if at all."""
    return [nom for interrupteur, nom in INTERRUPTEURS.items() if est_ouvert(interrupteur)]


def se_savent() -> bool:
    """True where `ouverts` answers without the base: what the settings do not say was read before."""
    return not attendent() or bool(_est_nouvelle.cache_info().currsize)


def attendent() -> list[str]:
    """The settings that say neither yes nor no."""
    return [interrupteur for interrupteur in INTERRUPTEURS if getattr(settings, interrupteur) is None]


@cache
def _est_nouvelle() -> bool:
    """True of a base that was made with these pages, False of one that was there before: it never changes."""
    return not BaseAnterieure.objects.exists()
