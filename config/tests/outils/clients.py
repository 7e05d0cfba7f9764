"""What every test stands on: people, an API client whose every answer is held against the OpenAPI document, events."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from django.conf import settings
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from accounts.models import Session
from accounts.services.sessions import _ouvrir
from socle.api import document as openapi
from socle.api.schema import RESTE
from socle.domaine.acteurs import Acteur, ActeurCompte, ActeurInvite
from socle.realtime.models import Evenement

# Headers that an answer has where there is something to say.
PARFOIS = {"X-Total-Capped", "Idempotency-Replayed", "Retry-After", *RESTE}


@cache
def document() -> dict[str, Any]:
    return json.loads(json.dumps(openapi.document(), default=str))


@cache
def chemins() -> list[tuple[re.Pattern[str], str]]:
    """The paths of the document as patterns, those without a variable first."""
    tous = sorted(document()["paths"], key=lambda chemin: chemin.count("{"))
    return [(re.compile(re.sub(r"\\\{.*?\\\}", "[^/]+", re.escape(c.rstrip("/"))) + "/?"), c) for c in tous]


def contenu_decrit(chemin: str, methode: str, statut: str) -> dict[str, Any]:
    """The content types of this answer, with their schemas."""
    operation = document()["paths"][chemin][methode]
    assert statut in operation["responses"], f"{methode.upper()} {chemin} ne décrit pas {statut}"
    return operation["responses"][statut].get("content", {})


@cache
def composants() -> Any:
    return _strict(document()["components"])


@cache
def valideur(chemin: str, methode: str, statut: str) -> jsonschema.Draft4Validator:
    contenu = contenu_decrit(chemin, methode, statut)
    schema = contenu.get("application/json", {}).get("schema", {"maxLength": 0, "type": "string"})
    strict = {**_strict(schema), "components": composants()}
    return jsonschema.Draft4Validator(strict, format_checker=jsonschema.FormatChecker())


def _strict(noeud: Any) -> Any:
    """A field that the document does not name is an error too; OpenAPI 3.0's `nullable` in the words of JSON Schema."""
    if isinstance(noeud, list):
        return [_strict(element) for element in noeud]
    if not isinstance(noeud, dict):
        return noeud
    strict = {cle: _strict(valeur) for cle, valeur in noeud.items()}
    if isinstance(strict.get("properties"), dict) and strict.get("type") == "object":
        strict.setdefault("additionalProperties", False)
    if strict.pop("nullable", False) is True:
        return {"anyOf": [{"type": "null"}, strict]}
    return strict


def verifier_reponse(methode: str, chemin: str, reponse: Any) -> None:
    """Fails where the document does not describe this route, this status, or this body."""
    est_une_page = chemin.rstrip("/").endswith(("openapi.json", "asyncapi.json", "docs", "docs/evenements", "redoc"))
    if est_une_page or not chemin.startswith(("/api/v1/", "/health", "/metrics")):
        return
    trouve = next((c for motif, c in chemins() if motif.fullmatch(chemin)), None)
    methode = "get" if methode == "head" else methode
    if trouve is None or methode not in document()["paths"][trouve]:
        corps = reponse.json()
        assert reponse.status_code in (400, 404, 405, 413), f"{methode.upper()} {chemin} n'est pas décrit"
        assert {"error", "message", "statusCode", "timestamp", "path", "code", "requestId"} <= corps.keys()
        return
    verifier_entetes(trouve, methode, reponse)
    type_ = reponse.headers.get("Content-Type", "").partition(";")[0]
    if type_ not in ("", "application/json"):
        decrits = contenu_decrit(trouve, methode, str(reponse.status_code)).keys()
        assert decrits & {type_, "*/*"}, f"{chemin} ne décrit pas {type_}"
        return
    corps = reponse.json() if reponse.content else ""
    if reponse.status_code in (500,):
        raise AssertionError(f"500 sur {methode.upper()} {chemin} : {corps}")
    valideur(trouve, methode, str(reponse.status_code)).validate(corps)


def verifier_entetes(chemin: str, methode: str, reponse: Any) -> None:
    """Each header that the document says of this answer is there, but for those that are said at times."""
    decrite = document()["paths"][chemin][methode]["responses"].get(str(reponse.status_code), {})
    recus = {nom.lower() for nom in reponse.headers}
    absents = {nom for nom in decrite.get("headers", {}).keys() - PARFOIS if nom.lower() not in recus}
    assert absents == set(), f"{methode.upper()} {chemin} {reponse.status_code} : sans {absents}"


class ClientApi(Client):
    """JSON in, JSON out; whose credentials it sends is decided once."""

    def __init__(self, *, jeton: str = "", guest_id: Any = None, **options: Any) -> None:
        super().__init__(raise_request_exception=False, **options)
        self.jeton = jeton
        self.guest_id = guest_id

    def generic(self, method: str, path: str, *args: Any, **extra: Any) -> Any:
        entetes = dict(extra.pop("headers", None) or {})
        if self.jeton:
            entetes.setdefault("Authorization", f"Bearer {self.jeton}")
        if self.guest_id:
            entetes.setdefault("X-Guest-Id", str(self.guest_id))
        reponse = super().generic(method, path, *args, headers=entetes, **extra)
        verifier_reponse(method.lower(), path.partition("?")[0], reponse)
        return reponse

    def envoyer(self, methode: str, url: str, corps: Any = None, **extra: Any) -> Any:
        """JSON, or a form where the body holds a file."""
        if isinstance(corps, dict) and any(hasattr(valeur, "read") for valeur in corps.values()):
            return self.generic(methode.upper(), url, encode_multipart(BOUNDARY, corps), MULTIPART_CONTENT, **extra)
        brut = corps if isinstance(corps, bytes) else b"" if corps is None else json.dumps(corps).encode()
        extra.setdefault("content_type", "application/json")
        return self.generic(methode.upper(), url, brut, **extra)

    def post(self, url: str, corps: Any = None, **extra: Any) -> Any:
        return self.envoyer("POST", url, corps, **extra)

    def put(self, url: str, corps: Any = None, **extra: Any) -> Any:
        return self.envoyer("PUT", url, corps, **extra)

    def patch(self, url: str, corps: Any = None, **extra: Any) -> Any:
        return self.envoyer("PATCH", url, corps, **extra)

    def delete(self, url: str, corps: Any = None, **extra: Any) -> Any:
        return self.envoyer("DELETE", url, corps, **extra)


def client_de(qui: Any) -> ClientApi:
    """The client of an account, of a guest session, or of nobody."""
    if qui is None:
        return ClientApi()
    if hasattr(qui, "guest_id"):
        return ClientApi(guest_id=qui.guest_id)
    return ClientApi(jeton=_ouvrir(Session(compte=qui)).token)


def dans_un_processus(script: str, dossier: Path, *mots: str) -> Any:
    """What the last line that this script prints says, in JSON, in a process of its own with a base of its own."""
    environ = {nom: valeur for nom, valeur in os.environ.items() if nom not in ("DATABASE_URL", "REDIS_URL")}
    environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(dossier),
        "ALLOWED_HOSTS": "testserver",
        "PYTHONPATH": str(settings.BASE_DIR),
    }
    lance = subprocess.run(  # noqa: S603 -- our own script
        [sys.executable, "-c", script, *mots], env=environ, capture_output=True, text=True, timeout=120, cwd=dossier
    )
    assert lance.returncode == 0, lance.stderr[-3000:]
    return json.loads(lance.stdout.splitlines()[-1])


def refermer(reponse: Any) -> None:
    """Close what a response sends, as the server does at its end, and not the database as `close()` would."""
    for fermer in reponse._resource_closers:
        fermer()


def champs_refuses(reponse: Any) -> set[str]:
    """The fields that a 422 names."""
    assert reponse.status_code == 422, reponse.content
    return {detail["field"] for detail in reponse.json()["details"]}


def acteur_de(qui: Any) -> Acteur:
    return ActeurInvite(invite=qui, guest_id=qui.guest_id) if hasattr(qui, "guest_id") else ActeurCompte(compte=qui)


@contextmanager
def evenements_publies() -> Iterator[list[dict[str, Any]]]:
    """The events that the block leaves in the outbox: type, canal, audience, payload, in order."""
    dernier = Evenement.objects.order_by("-id").values_list("id", flat=True).first() or 0
    recus: list[dict[str, Any]] = []
    try:
        yield recus
    finally:
        nouveaux = Evenement.objects.filter(id__gt=dernier).order_by("id")
        recus.extend(nouveaux.values("type", "canal", "audience", "payload"))
