"""Content negotiation: which of the types that a client accepts is served."""

from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation

PROBLEME = "application/problem+json"


class Negociation(DefaultContentNegotiation):
    """DRF's negotiation with `application/problem+json` as an alias of `application/json`.

    A client that asks for errors in that form reads JSON, and a 406 would hide the error from it. It gets our envelope
    as `application/json`, for errors and successes alike.
    """

    def get_accept_list(self, request: Any) -> list[str]:
        return [_en_json(type_) for type_ in super().get_accept_list(request)]


def _en_json(accepte: str) -> str:
    nu, separe, parametres = accepte.partition(";")
    return f"application/json{separe}{parametres}" if nu.strip().lower() == PROBLEME else accepte
