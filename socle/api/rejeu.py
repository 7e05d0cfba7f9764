"""Idempotency-Key on the HTTP side: read the header, and hash the request that it stands for."""

import json
from typing import Any

from socle.domaine.acteurs import Acteur
from socle.erreurs import CleMalformee
from socle.idempotence.creation import CreationDemandee

CLE_MAX = 255


def cle_presentee(request: Any) -> str | None:
    """Read the Idempotency-Key, None without the header; CleMalformee (400) for an empty, long or unprintable one."""
    cle: str | None = request.META.get("HTTP_IDEMPOTENCY_KEY")
    return None if cle is None else cle_valable(cle)


def cle_valable(cle: str) -> str:
    """The key without the spaces around it, wherever it was sent; CleMalformee (400) as above."""
    cle = cle.strip()
    if not (0 < len(cle) <= CLE_MAX and cle.isprintable()):
        raise CleMalformee
    return cle


def demande_de(request: Any, acteur: Acteur, cle: str, *, avec_corps: bool) -> CreationDemandee:
    """Fingerprint method, path and values, keys sorted and a file by its digest: a retry has the same fingerprint."""
    corps = json.dumps(dict(request.data.items()) if avec_corps else {}, sort_keys=True, default=_fichier)
    return CreationDemandee.de(acteur, cle, f"{request.method} {request.path.rstrip('/')}\n{corps}")


def _fichier(recu: Any) -> list[str]:
    return [recu.name, recu.condensat]
