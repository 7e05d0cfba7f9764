"""Log formatters, one line of JSON or of text a record; secrets masked by pattern, in messages of libraries too."""

import logging
import re
from datetime import UTC, datetime

import orjson

_SECRETS = (
    (re.compile(r"eyJ[\w-]{8,}\.[\w-]+\.[\w-]*"), "[jeton]"),
    (re.compile(r"(?i)\b(token|guestid|cle|depuis)=[^&\s\"']+"), r"\1=[masqué]"),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"), "[courriel]"),
    (re.compile(r"\+\d[\d ]{7,}\d"), "[téléphone]"),
    (re.compile(r"(?i)(x-guest-id['\": ]+)[0-9a-f-]{32,36}"), r"\1[masqué]"),
    (re.compile(r"(guest/sessions/)[^/\s\"']+"), r"\1[masqué]"),
    # A database quotes the row that a constraint refused.
    (re.compile(r"(?m)^(DETAIL|LINE \d+):.*$"), r"\1: [masqué]"),
)
# Attribute of a record -> key of the line, as the usual collectors name it.
_CHAMPS = {
    "methode": "method",
    "route": "route",
    "statut": "status",
    "ms": "duration_ms",
    "acteur": "actor",
    "adresse": "client_address",
    "requestId": "request_id",
}


def caviarder(texte: str) -> str:
    if texte.isalpha():  # nothing that is masked is made of letters alone
        return texte
    for motif, remplacement in _SECRETS:
        texte = motif.sub(remplacement, texte)
    return texte


class Lignes(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        ligne: dict[str, object] = {
            "timestamp": _moment(record).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": caviarder(record.getMessage()),
            **_champs(record),
        }
        if record.exc_info:
            ligne["exception"] = caviarder(self.formatException(record.exc_info))
        return orjson.dumps(ligne, default=str).decode()


class Console(logging.Formatter):
    """The same for somebody who reads along: `12:04:31 WARNING campus.base message key=value`."""

    def format(self, record: logging.LogRecord) -> str:
        champs = "".join(f" {nom}={valeur}" for nom, valeur in _champs(record).items())
        message = caviarder(record.getMessage())
        ligne = f"{_moment(record):%H:%M:%S} {record.levelname} {record.name} {message}{champs}"
        if record.exc_info:
            ligne += f"\n{caviarder(self.formatException(record.exc_info))}"
        return ligne


def _champs(record: logging.LogRecord) -> dict[str, object]:
    dits = vars(record)
    return {cle: dits[nom] for nom, cle in _CHAMPS.items() if nom in dits}


def _moment(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)
