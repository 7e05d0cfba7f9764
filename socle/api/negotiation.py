"""Content negotiation: which of the types that a client accepts is served."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from socle.erreurs import FormatRefuse

PROBLEME = "application/problem+json"
RETENU_MAX = 200  # characters of a header whose reading is remembered


class Negociation(DefaultContentNegotiation):
    """DRF's negotiation, remembered, with `application/problem+json` as an alias of `application/json`.

    A client that asks for errors in that form reads JSON, and a 406 would hide the error from it. It gets our envelope
    as `application/json`, for errors and successes alike.
    """

    def get_accept_list(self, request: Any) -> list[str]:
        return [_en_json(type_) for type_ in super().get_accept_list(request)]

    def select_renderer(
        self, request: Any, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The renderer that Accept prefers, and its type; FormatRefuse (406) where it admits none."""
        admis, demandes = list(renderers), request.META.get("HTTP_ACCEPT", "*/*")
        choisir = choisi if len(demandes) <= RETENU_MAX else choisi.__wrapped__
        choix = choisir(demandes, tuple(rendu.__class__ for rendu in admis))
        if choix is None:
            raise FormatRefuse
        rang, type_ = choix
        return admis[rang], type_


@lru_cache(maxsize=512)
def choisi(demandes: str, rendus: tuple[type[BaseRenderer], ...]) -> tuple[int, str] | None:
    """Choose the form that this header prefers: its rank, and its type; None where it admits none."""
    requete = HttpRequest()
    requete.META["HTTP_ACCEPT"] = demandes
    admis = [rendu() for rendu in rendus]
    try:
        rendu, type_ = DefaultContentNegotiation.select_renderer(_negociation, Request(requete), admis)
    except NotAcceptable:
        return None
    return admis.index(rendu), type_


def _en_json(accepte: str) -> str:
    nu, separe, parametres = accepte.partition(";")
    return f"application/json{separe}{parametres}" if nu.strip().lower() == PROBLEME else accepte


_negociation = Negociation()
