"""Pages whose form has done what it asks: the browser keeps what was posted, and would send it again for anybody."""

import time

from django.core.cache import cache

from socle.domaine.chiffrement import empreinte

DUREE_SECONDES = 12 * 3600


def noter(cle: str) -> None:
    """The form of this page, by the key that was drawn for it, has done its act."""
    if cle:
        cache.add(_nom(cle), time.time(), DUREE_SECONDES)


def secondes_depuis(cle: str) -> float | None:
    """Seconds since the form of this page did its act, None where it did not."""
    faite = cache.get(_nom(cle)) if cle else None
    return None if faite is None else time.time() - faite


def _nom(cle: str) -> str:
    return f"page-servie:{empreinte('page-servie', cle)}"
