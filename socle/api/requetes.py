"""The request that views read: DRF's, without the parts that each request would build anew."""

from functools import cache, lru_cache
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.datastructures import MultiValueDict
from rest_framework.exceptions import NotAcceptable
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Empty, Request

from socle.api.negotiation import Negociation

JSON = "application/json"
RETENU_MAX = 200  # characters of a header whose reading is remembered
_negociation = Negociation()


class Requete(Request):
    """`ApiViewSet` finds out who is asking, and sets `auth` and `user`; nothing here does it on its own."""

    auth: Any = None  # attributes, where DRF has properties that are asked a dozen times
    user: Any = None

    def __init__(self, request: HttpRequest, vue: Any) -> None:
        self._request = request
        self.META = request.META
        self.method = request.method
        self.parsers = vue.get_parsers()
        self.authenticators = ()
        self.negotiator = _negociation
        self.parser_context = {
            "view": vue,
            "args": vue.args,
            "kwargs": vue.kwargs,
            "request": self,
            "encoding": request.encoding or "utf-8",
        }
        vide: Any = Empty
        self._data = self._files = self._full_data = self._content_type = self._stream = vide
        self._authenticator = None
        self.refus: Exception | None = None
        if not request.META.get("QUERY_STRING"):
            request.GET = _SANS_PARAMETRE

    @property
    def data(self) -> Any:
        """DRF's, which a body of JSON reaches without a search for the parser of what it says it is.

        A body that was refused is refused again, and for the same reason: it has been read, and can't be read anew.
        """
        if self.refus is not None:
            raise self.refus
        try:
            if self._full_data is Empty and self.META.get("CONTENT_TYPE") == JSON and self.stream is not None:
                (parseur,) = self.parsers  # type: ignore[misc]
                if parseur.media_type == JSON:
                    self._files = MultiValueDict()
                    self._data = self._full_data = parseur.parse(self.stream, JSON, self.parser_context)
            return super().data
        except Exception as refus:
            self.refus = refus
            raise


_SANS_PARAMETRE = QueryDict("")  # immutable


@cache
def instances(classes: tuple[type, ...]) -> tuple[Any, ...]:
    """One of each, for good: authenticators hold no state."""
    return tuple(classe() for classe in classes)


def negocier(rendus: tuple[type[BaseRenderer], ...], demandes: str) -> str | None:
    """The type of the form among these that an Accept header prefers; None where it admits none."""
    return _negocie(rendus, demandes) if len(demandes) <= RETENU_MAX else _negocier(rendus, demandes)


def _negocier(rendus: tuple[type[BaseRenderer], ...], demandes: str) -> str | None:
    requete = HttpRequest()
    requete.META["HTTP_ACCEPT"] = demandes
    try:
        rendu, _type = _negociation.select_renderer(Request(requete), [rendu() for rendu in rendus])
    except NotAcceptable:
        return None
    return f"{rendu.media_type}; charset={rendu.charset}" if rendu.charset else str(rendu.media_type)


_negocie = lru_cache(maxsize=512)(_negocier)
