"""Pages that have opened a space: the browser keeps what was posted, and must not open it again for somebody else."""

import time

from django.core.cache import cache

from discussions.vocabulaire import DOUBLE_CLIC
from portail.vocabulaire import DUREE
from socle.domaine.chiffrement import empreinte


def noter(cle: str) -> None:
    """This page has opened a space; kept as long as an access may last."""
    if cle:
        cache.add(_nom(cle), time.time(), DUREE.total_seconds())


def a_servi(cle: str) -> bool:
    """True past the moment of a double click."""
    ouverte = cache.get(_nom(cle)) if cle else None
    return ouverte is not None and time.time() - ouverte > DOUBLE_CLIC.total_seconds()


def _nom(cle: str) -> str:
    return f"page-servie:{empreinte('page-servie', cle)}"
