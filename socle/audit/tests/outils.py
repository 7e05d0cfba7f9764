from typing import Any

from socle.audit.greffe import greffe
from socle.audit.models import Trace


def traces(*actes: str, **criteres: Any) -> list[Trace]:
    """What the register holds of these acts, in their order, reads included."""
    greffe.vider()
    lignes = Trace.objects.filter(**criteres).order_by("id")
    return list(lignes.filter(acte__in=actes) if actes else lignes)
