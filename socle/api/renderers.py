"""JSON out: every success in its envelope, errors as the handler made them. Downloads go out as they are."""

from typing import Any

from django.utils.translation import get_language
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response

from socle.api.reponses import en_json, succes


class Reussite(Response):
    """A success that `EnveloppeRenderer` puts under this sentence, or under that of its operation."""

    def __init__(self, data: Any, status: int, message: Any = None) -> None:
        super().__init__(data, status)
        self.message = message


class EnveloppeRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        reponse = renderer_context["response"]
        if reponse.status_code == 204:
            return b""
        if reponse.status_code >= 400:
            return en_json(data)
        phrase = reponse.message or renderer_context["view"].operation.phrase(get_language())
        return en_json(succes(data, phrase, reponse.status_code))


class Telechargement(BaseRenderer):
    """Base of the renderers of private files, which have an ETag and answer 304 to it."""


class FichierRenderer(Telechargement):
    """A stored file, under its own type: the view sends it."""

    media_type = "*/*"
    format = "fichier"
    render_style = "binary"


class CalendrierRenderer(Telechargement):
    """An iCalendar file, already written."""

    media_type = "text/calendar"
    format = "ics"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return bytes(data or b"")


class ArchiveRenderer(BaseRenderer):
    """A ZIP that is written as it is sent: it has no ETag."""

    media_type = "application/zip"
    format = "zip"
    charset = None
    render_style = "binary"


class DocumentRenderer(BaseRenderer):
    """The OpenAPI document, already written."""

    media_type = "application/vnd.oai.openapi+json"
    format = "openapi"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return bytes(data or b"")


class DocumentEnJsonRenderer(DocumentRenderer):
    media_type = "application/json"
    format = "json"


class MetriquesRenderer(BaseRenderer):
    """The text form of Prometheus, already written."""

    media_type = "text/plain"
    format = "prometheus"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return bytes(data)
