"""Log formatter: one JSON object a line, secrets masked by pattern, in messages of libraries too."""

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
_CHAMPS = ("methode", "route", "statut", "ms", "acteur", "adresse", "requestId")


def caviarder(texte: str) -> str:
    for motif, remplacement in _SECRETS:
        texte = motif.sub(remplacement, texte)
    return texte


class Lignes(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        ligne: dict[str, object] = {
            "temps": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "niveau": record.levelname,
            "journal": record.name,
            "message": caviarder(record.getMessage()),
        }
        ligne |= {nom: getattr(record, nom) for nom in _CHAMPS if hasattr(record, nom)}
        if record.exc_info:
            ligne["erreur"] = caviarder(self.formatException(record.exc_info))
        return orjson.dumps(ligne, default=str).decode()
