"""JSON in: strict. An object, UTF-8, bounded in size and depth, no NaN, no lone surrogates."""

from typing import Any

import orjson
from django.conf import settings
from django.http import UnreadablePostError
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser

from config.domaine.erreurs import CorpsTropGrand, RequeteMalformee


class JsonStrictParser(BaseParser):
    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        charset = parser_context["request"].content_params.get("charset", "utf-8") if parser_context else "utf-8"
        if charset.lower() not in ("utf-8", "utf8"):
            raise UnsupportedMediaType(media_type)
        try:
            brut = stream.read(settings.JSON_MAX_OCTETS + 1)
        except UnreadablePostError as panne:
            raise RequeteMalformee from panne
        if len(brut) > settings.JSON_MAX_OCTETS:
            raise CorpsTropGrand
        return lire_objet(brut)


def lire_objet(brut: bytes) -> dict[str, Any]:
    try:
        objet = orjson.loads(brut)
    except orjson.JSONDecodeError as erreur:
        raise RequeteMalformee from erreur
    if not isinstance(objet, dict) or _trop_profond(objet):
        raise RequeteMalformee
    return objet


def _trop_profond(objet: Any) -> bool:
    niveau = [objet]
    for _profondeur in range(settings.JSON_MAX_PROFONDEUR):
        niveau = [
            enfant
            for noeud in niveau
            for enfant in (noeud.values() if isinstance(noeud, dict) else noeud)
            if isinstance(enfant, dict | list)
        ]
        if not niveau:
            return False
    return True
