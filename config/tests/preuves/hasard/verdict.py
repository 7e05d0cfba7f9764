"""What every answer must be: no 5xx, described by the document, in its envelope."""

import re
from http import HTTPStatus
from typing import Any

import httpx
import jsonschema

from config.tests.outils import verifier_reponse
from socle.api.middleware import SANS_ENVELOPPE, parle_json

ERREUR = {"error", "message", "statusCode", "timestamp", "path", "code", "requestId"}
REUSSITE = {"data", "message", "statusCode", "timestamp"}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
DOCUMENT = ("openapi.json", "asyncapi.json")  # for readers, under no envelope


def faute(methode: str, chemin: str, reponse: httpx.Response) -> str:
    """Why this answer may not be, in one line; "" where it may."""
    if reponse.status_code >= 500:
        return f"{reponse.status_code} : {reponse.text[:200]}"
    if not parle_json(chemin) or SANS_ENVELOPPE.match(chemin):
        return ""  # a page
    try:
        _verifier_enveloppe(methode, chemin, reponse)
        if methode != "HEAD":
            verifier_reponse(methode.lower(), chemin, reponse)
    except (AssertionError, ValueError) as ecart:
        return f"{reponse.status_code} : {str(ecart)[:300]}"
    except jsonschema.ValidationError as ecart:
        return f"{reponse.status_code} : {ecart.message[:300]}, en {list(ecart.absolute_path)}"
    return ""


def code_de(reponse: httpx.Response) -> str:
    """The code of a refusal; "" where there is none."""
    est_en_json = reponse.content and reponse.headers.get("Content-Type") == "application/json"
    return str(reponse.json().get("code")) if reponse.status_code >= 400 and est_en_json else ""


def _verifier_enveloppe(methode: str, chemin: str, reponse: httpx.Response) -> None:
    statut = reponse.status_code
    type_ = reponse.headers.get("Content-Type", "")
    if methode == "HEAD" or statut in (204, 304):
        assert not reponse.content, "un corps où il n'y en a pas"
        return
    if statut >= 400:
        assert type_ == "application/json", f"un refus en {type_ or 'rien'}"
        corps = _objet(reponse, ERREUR | ({"actuel"} if statut == 412 else set()), {"details"})
        # What cannot be read as HTTP has no path; the connection ends with it.
        permis = {chemin, ""} if statut == 400 and reponse.headers.get("Connection") == "close" else {chemin}
        assert corps["path"] in permis, f"path {corps['path'][:100]!r}"
        assert corps["error"] == HTTPStatus(statut).phrase, f"error {corps['error']!r}"
        assert corps["requestId"] == reponse.headers["X-Request-Id"], "un autre X-Request-Id"
    elif type_ == "application/json" and not chemin.rstrip("/").endswith(DOCUMENT):
        _objet(reponse, REUSSITE, set())


def _objet(reponse: httpx.Response, exigees: set[str], permises: set[str]) -> dict[str, Any]:
    corps = reponse.json()
    assert isinstance(corps, dict), "le corps n'est pas un objet"
    assert exigees <= corps.keys() <= exigees | permises, f"champs {sorted(corps)}"
    assert corps["statusCode"] == reponse.status_code, f"statusCode {corps['statusCode']}"
    assert INSTANT.fullmatch(corps["timestamp"]), f"timestamp {corps['timestamp']!r}"
    assert corps["message"], "message vide"
    return corps
