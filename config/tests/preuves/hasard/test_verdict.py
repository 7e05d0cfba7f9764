"""The judge of the proofs accuses what it is there to accuse."""

import json
from typing import Any

import httpx
import pytest

from config.tests.preuves.hasard.verdict import faute

CHEMIN = "/api/v1/signalements/me"
REUSSITE = {
    "data": {"items": [], "total": 0, "page": 0, "size": 20, "pages": 0},
    "message": "Vos signalements.",
    "statusCode": 200,
    "timestamp": "2026-03-01T14:30:00.000Z",
}
REFUS = {
    "error": "Not Acceptable",
    "message": "Pas ainsi.",
    "statusCode": 406,
    "timestamp": "2026-03-01T14:30:00.000Z",
    "path": CHEMIN,
    "code": "NOT_ACCEPTABLE",
    "requestId": "5f0c",
}


def reponse(statut: int, corps: Any, type_: str = "application/json") -> httpx.Response:
    octets = corps if isinstance(corps, bytes) else json.dumps(corps).encode()
    entetes = {"Content-Type": type_, "X-Request-Id": "5f0c", "ETag": '"5f0c"'}
    return httpx.Response(statut, headers=entetes, content=octets)


@pytest.mark.parametrize(("statut", "corps"), [(200, REUSSITE), (406, REFUS)])
def test_une_bonne_reponse_n_est_pas_accusee(statut, corps):
    assert faute("GET", CHEMIN, reponse(statut, corps)) == ""


@pytest.mark.parametrize(
    "mauvaise",
    [
        pytest.param(reponse(500, REFUS), id="500"),
        pytest.param(reponse(503, REFUS), id="503"),
        pytest.param(reponse(200, REUSSITE["data"]), id="sans enveloppe"),
        pytest.param(reponse(200, {**REUSSITE, "statusCode": 201}), id="un autre statut"),
        pytest.param(reponse(200, {**REUSSITE, "timestamp": "hier"}), id="un instant illisible"),
        pytest.param(reponse(200, {**REUSSITE, "data": {**REUSSITE["data"], "neuf": 1}}), id="un champ non decrit"),
        pytest.param(reponse(200, {**REUSSITE, "data": {}}), id="un champ absent"),
        pytest.param(reponse(200, b"<p>", "text/html"), id="un type non decrit"),
        pytest.param(reponse(201, {**REUSSITE, "statusCode": 201}), id="une reussite non decrite"),
        pytest.param(reponse(409, {**REFUS, "statusCode": 409, "error": "Conflict"}), id="un refus non decrit"),
        pytest.param(reponse(406, b"Not Acceptable", "text/plain"), id="un refus en texte"),
        pytest.param(reponse(406, {**REFUS, "path": "/ailleurs"}), id="un autre chemin"),
        pytest.param(reponse(406, {**REFUS, "requestId": "autre"}), id="un autre requestId"),
        pytest.param(reponse(406, {**REFUS, "trace": "..."}), id="un champ de trop"),
    ],
)
def test_une_mauvaise_reponse_est_accusee(mauvaise):
    assert faute("GET", CHEMIN, mauvaise)
