"""What the tests of every route share: its paths, a client without credentials, the envelope of a refusal."""

import re
from typing import Any

from config.tests.outils.clients import document

CHEMINS = sorted(document()["paths"])
HORS_DOCUMENT = [
    *("/openapi.json", "/api/v1/openapi.json", "/asyncapi.json", "/api/v1/asyncapi.json"),
    *("/api/v1/docs", "/api/v1/docs/evenements", "/api/v1/redoc"),
]
CORPS = {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"}
SIGNALER = "/api/v1/signalements/"
ENVELOPPE = {"error", "message", "statusCode", "timestamp", "path", "code", "requestId"}


def verifier_enveloppe(reponse: Any, statut: int, code: str, chemin: str) -> dict[str, Any]:
    corps = reponse.json()
    assert (reponse.status_code, corps["statusCode"], corps["code"], corps["path"]) == (statut, statut, code, chemin)
    assert reponse.headers["Content-Type"] == "application/json"
    assert reponse.headers["X-Request-Id"] == corps["requestId"]
    assert corps.keys() - {"details"} == ENVELOPPE
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", corps["timestamp"])
    assert corps["message"]
    return corps
