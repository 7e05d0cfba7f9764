"""Idempotency-Key: what a request presents, and what counts as the same request."""

import json
from typing import Any

from socle.domaine.acteurs import Acteur
from socle.domaine.erreurs import CleMalformee
from socle.idempotence.creation import Demande

CLE_MAX = 255


def cle_presentee(request: Any) -> str | None:
    """The Idempotency-Key of a request, None without; one that is there and says nothing is refused like a bad one."""
    cle: str | None = request.headers.get("Idempotency-Key")
    if cle is None:
        return None
    cle = cle.strip()
    if not (0 < len(cle) <= CLE_MAX and cle.isprintable()):
        raise CleMalformee
    return cle


def demande_de(request: Any, acteur: Acteur, cle: str, *, avec_corps: bool) -> Demande:
    """Same method, address and values are the same request, however the JSON is laid out; a file is its content."""
    corps = json.dumps(dict(request.data.items()) if avec_corps else {}, sort_keys=True, default=_fichier)
    return Demande.de(acteur, cle, f"{request.method} {request.path.rstrip('/')}\n{corps}")


def _fichier(recu: Any) -> list[str]:
    return [recu.name, recu.condensat]
