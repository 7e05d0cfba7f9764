"""The AsyncAPI document: channels, frames and close codes, from the declarations and the components of OpenAPI's."""

from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import orjson
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from socle.api.copies import Copie, copies
from socle.api.document import document
from socle.api.evenements import REFERENCE, composant, declares, exemple_de
from socle.api.renderers import en_json
from socle.realtime.canaux import CanalOuvert, ouverts
from socle.realtime.declarations import Declaration
from socle.realtime.fermetures import FERMETURES
from socle.realtime.vocabulaire import EN_PROTOCOLE, PROTOCOLE

TITRE = _("Signalements de campus : les événements")
# How a socket lives, a sentence or two a thing.
MANIERES = (
    _("Un canal est un WebSocket. Il est accepté, puis jugé : `connected` est la première trame d'un socket admis."),
    _(
        "Un client ignore les types et les champs qu'il ne connaît pas : il en vient de nouveaux sans que la version "
        "change."
    ),
    _(
        "`ping` (ce texte seul) reçoit `pong` ; tout autre message reçoit `error`, et le socket reste ouvert. Une "
        "trame du client a 4 Ko au plus."
    ),
    _(
        "Rien ne se perd : garder le dernier `eventId` reçu (au départ, celui du `payload` de `connected`), et revenir "
        "avec `?depuis=`. Après `connected` viennent les événements manqués, dans l'ordre, au moins une fois : un "
        "client laisse un `eventId` qu'il a déjà vu. `depuis=0` rend tout ce qui est gardé."
    ),
    _(
        "Quand une part de la suite n'est plus gardée (24 heures, réglable), un seul `refresh_required` vient à la "
        "place : relire la ressource, puis repartir du `eventId` de son `payload`. Sans socket, "
        "`GET /api/v1/evenements` rend la même suite."
    ),
)
JETON, INVITE = "token", "guestId"
# Ways to say who opens a socket, and where each is read; of several, the address alone counts, else the headers.
IDENTIFIANTS: dict[str, dict[str, Any]] = {
    "jeton": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": _("Un programme, avec le jeton d'un compte : `Authorization: Bearer …`."),
    },
    "invite": {
        "type": "httpApiKey",
        "in": "header",
        "name": "X-Guest-Id",
        "description": _("Un programme, pour un invité : sur les canaux de son dossier seulement."),
    },
    "protocole": {
        "type": "httpApiKey",
        "in": "header",
        "name": "Sec-WebSocket-Protocol",
        "description": _(
            "Un navigateur, qui n'envoie pas d'en-tête : offrir `campus.v1`, que le service choisit, et "
            "`campus.jeton.` ou `campus.invite.` suivi du jeton ou du `guestId`, qu'il ne redit jamais."
        ),
    },
    "jetonDansLAdresse": {
        "type": "httpApiKey",
        "in": "query",
        "name": JETON,
        "description": _("Le jeton d'un compte, dans l'adresse : des journaux la gardent, préférer les autres façons."),
    },
    "inviteDansLAdresse": {
        "type": "httpApiKey",
        "in": "query",
        "name": INVITE,
        "description": _("Le `guestId` d'un invité, dans l'adresse : de même."),
    },
}
DEPUIS = _("Le dernier `eventId` reçu : la suite vient après `connected`.")
CLE = _("L'identifiant de la ressource, un UUID en minuscules.")


def documenter(langue: str = "fr") -> dict[str, Any]:
    """The document in one language, made once."""
    return _faire(langue)


@cache
def imprimer(langue: str = "fr") -> dict[bool, Copie]:
    """The document as bytes, compact (False) and gzipped (True); see `copies`."""
    return copies(en_json(documenter(langue)))


@cache
def _faire(langue: str) -> dict[str, Any]:
    formes = document(langue)["components"]["schemas"]
    with override(langue):
        fait: dict[str, Any] = orjson.loads(en_json(_document(formes)))  # sentences in this language
    return fait


def _document(formes: dict[str, Any]) -> dict[str, Any]:
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": TITRE,
            "version": settings.SPECTACULAR_SETTINGS["VERSION"],
            "description": "\n\n".join([*map(str, MANIERES), _fermetures()]),
            "contact": settings.SPECTACULAR_SETTINGS["CONTACT"],
            "license": settings.SPECTACULAR_SETTINGS["LICENSE"],
            "externalDocs": {"url": f"{settings.PUBLIC_URL}/api/v1/docs/evenements"},
        },
        "defaultContentType": "application/json",
        "servers": {"service": _serveur()},
        "channels": {canal.nom: _canal(canal) for canal in ouverts()},
        "operations": dict(_operations()),
        "components": {
            "messages": {"ping": _mot("ping"), "pong": _mot("pong"), **{une.type: _message(une) for une in declares()}},
            "schemas": _citees(formes),
            "securitySchemes": IDENTIFIANTS,
        },
        "x-fermetures": [fermeture._asdict() for fermeture in FERMETURES],
    }


def _fermetures() -> str:
    """The close codes as a Markdown table, which the pages made of the document show."""
    fermeture, sens, suite = _("Fermeture"), _("Sens"), _("Que faire")
    lignes = [f"| {un.code} | {un.sens} | {un.suite} |" for un in FERMETURES]
    return "\n".join([f"| {fermeture} | {sens} | {suite} |", "|---|---|---|", *lignes])


def _serveur() -> dict[str, Any]:
    """The server: the format has no relative address, so its host is a variable."""
    adresse = urlsplit(settings.PUBLIC_URL)
    return {
        "host": "{hote}",
        "pathname": "/api/v1/ws",
        "protocol": "wss" if adresse.scheme == "https" else "ws",
        "description": _("Le service qui sert ce document ; `/ws` vaut `/api/v1/ws`."),
        "variables": {"hote": {"default": adresse.netloc, "description": _("L'hôte, et son port s'il en a un.")}},
        "security": [{"$ref": f"#/components/securitySchemes/{nom}"} for nom in IDENTIFIANTS],
    }


def messages_de(canal: CanalOuvert) -> list[Declaration]:
    """The types of events that a channel tells, those of the socket itself first."""
    return [une for une in declares() if not une.canaux or canal.motif in une.canaux]


def _canal(canal: CanalOuvert) -> dict[str, Any]:
    noms = [une.type for une in messages_de(canal)]
    decrit: dict[str, Any] = {
        "address": f"/{canal.motif}",
        "title": canal.motif,
        "summary": canal.qui,
        "description": _("Qui l'entend : %(qui)s") % {"qui": canal.qui},
        "servers": [{"$ref": "#/servers/service"}],
        "messages": {nom: {"$ref": f"#/components/messages/{nom}"} for nom in ("ping", "pong", *noms)},
        "bindings": {"ws": _poignee()},
    }
    if canal.motif != canal.nom:
        decrit["parameters"] = {"id": {"description": CLE}}
    return decrit


def _poignee() -> dict[str, Any]:
    texte = {"type": "string"}
    offerts = ", ".join(f"{debut}…" for debut in EN_PROTOCOLE)
    return {
        "method": "GET",
        "query": {
            "type": "object",
            "properties": {
                JETON: {**texte, "description": IDENTIFIANTS["jetonDansLAdresse"]["description"]},
                INVITE: {**texte, "description": IDENTIFIANTS["inviteDansLAdresse"]["description"]},
                "depuis": {**texte, "pattern": "^[0-9]{1,18}$", "description": DEPUIS},
            },
        },
        "headers": {
            "type": "object",
            "properties": {
                "Authorization": {**texte, "description": IDENTIFIANTS["jeton"]["description"]},
                "X-Guest-Id": {**texte, "description": IDENTIFIANTS["invite"]["description"]},
                "Sec-WebSocket-Protocol": {
                    **texte,
                    "description": IDENTIFIANTS["protocole"]["description"],
                    "examples": [f"{PROTOCOLE}, {offerts}"],
                },
            },
        },
        "bindingVersion": "0.1.0",
    }


def _operations() -> Iterator[tuple[str, dict[str, Any]]]:
    """For each channel: the service sends events, and answers a ping."""
    for canal in ouverts():
        ref = f"#/channels/{canal.nom}"
        noms = [une.type for une in messages_de(canal)]
        yield (
            f"dire_{canal.nom}",
            {
                "action": "send",
                "channel": {"$ref": ref},
                "summary": _("Ce que dit `%(canal)s`.") % {"canal": canal.motif},
                "messages": [{"$ref": f"{ref}/messages/{nom}"} for nom in noms],
            },
        )
        yield (
            f"repondre_{canal.nom}",
            {
                "action": "receive",
                "channel": {"$ref": ref},
                "summary": _("`ping` reçoit `pong`."),
                "messages": [{"$ref": f"{ref}/messages/ping"}],
                "reply": {"channel": {"$ref": ref}, "messages": [{"$ref": f"{ref}/messages/pong"}]},
            },
        )


def _mot(mot: str) -> dict[str, Any]:
    return {"name": mot, "title": mot, "contentType": "text/plain", "payload": {"type": "string", "const": mot}}


def _message(declaration: Declaration) -> dict[str, Any]:
    return {
        "name": declaration.type,
        "title": declaration.type,
        "summary": declaration.quand,
        "contentType": "application/json",
        "payload": {"$ref": f"{REFERENCE}{composant(declaration)}"},
        "examples": [{"payload": exemple_de(declaration.type)}],
    }


def _citees(formes: dict[str, Any]) -> dict[str, Any]:
    """The components that whole events refer to, near or far, in the words of JSON Schema."""
    a_lire, citees = [composant(une) for une in declares()], {}
    while a_lire:
        nom = a_lire.pop()
        if nom not in citees:
            citees[nom] = en_schema_json(formes[nom])
            a_lire += [ref.removeprefix(REFERENCE) for ref in _references(formes[nom])]
    return dict(sorted(citees.items()))


def _references(noeud: Any) -> Iterator[str]:
    if isinstance(noeud, dict):
        if isinstance(noeud.get("$ref"), str):
            yield noeud["$ref"]
        for valeur in noeud.values():
            yield from _references(valeur)
    elif isinstance(noeud, list):
        for valeur in noeud:
            yield from _references(valeur)


def en_schema_json(noeud: Any) -> Any:
    """A schema of OpenAPI 3.0 as JSON Schema draft 7 has it: null is a type among others."""
    if isinstance(noeud, list):
        return [en_schema_json(un) for un in noeud]
    if not isinstance(noeud, dict):
        return noeud
    schema = {nom: en_schema_json(valeur) for nom, valeur in noeud.items()}
    if schema.pop("nullable", None) is not True:
        return schema
    if "type" in schema and "allOf" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    schema.pop("type", None)
    return {"anyOf": [schema, {"type": "null"}]}
