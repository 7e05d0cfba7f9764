"""JSON in: strict. An object, UTF-8, bounded in size and depth, no NaN, no lone surrogates."""

import hashlib
from contextlib import suppress
from typing import Any

import orjson
from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, TemporaryFileUploadHandler
from django.http import UnreadablePostError
from django.utils.translation import gettext as _
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser, MultiPartParser

from socle.erreurs import (
    ChampsInvalides,
    CorpsTropGrand,
    FichierTropGrand,
    RequeteMalformee,
    ServiceIndisponible,
)


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


class UnSeulFichier(FileUploadHandler):
    """Upload handler that hashes one file as it streams; 422 at a second file, 413 at the first byte over the limit."""

    def __init__(self, request: Any, limite: int) -> None:
        super().__init__(request)
        self.limite = limite
        self.recus: int | None = None
        self.condensat = hashlib.sha256()

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self.recus is not None:
            raise ChampsInvalides.pour("max_length", file=_("Envoyez un seul fichier à la fois."))
        self.recus = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.recus = (self.recus or 0) + len(raw_data)
        if self.recus > self.limite:
            raise FichierTropGrand(self.limite)
        self.condensat.update(raw_data)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Return None: the next handler, which writes to disk, gives the file."""


class FichierParser(MultiPartParser):
    """Multipart parser: one file streamed to disk, with its SHA-256 as `condensat`, and the text fields beside it."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        requete = parser_context["view"].requete
        limite = settings.TELEVERSEMENTS[requete.path.rstrip("/")]
        seul, sur_disque = UnSeulFichier(requete, limite), TemporaryFileUploadHandler(requete)
        requete.upload_handlers = [seul, sur_disque]
        try:
            lu: Any = super().parse(stream, media_type, {**parser_context, "request": requete})
            for fichier in lu.files.values():
                fichier.condensat = seul.condensat.hexdigest()
            return lu
        except BaseException as panne:
            with suppress(OSError):  # a full disk may refuse to close it too; it is removed all the same
                sur_disque.upload_interrupted()
            if isinstance(panne, UnreadablePostError):
                raise RequeteMalformee from panne
            if isinstance(panne, OSError):
                raise ServiceIndisponible(attente=60) from panne
            raise


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
