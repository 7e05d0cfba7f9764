"""Helpers of the tests; `from config.tests.outils import …` gives those of `clients`.

Settings and a plugin of pytest are here too, and are imported before Django is ready: `clients`, which needs its
models, is not imported until one of its names is asked for.
"""

from importlib import import_module
from typing import Any

DE_CLIENTS = {
    "ClientApi",
    "acteur_de",
    "champs_refuses",
    "chemins",
    "client_de",
    "dans_un_processus",
    "document",
    "evenements_publies",
    "refermer",
    "verifier_reponse",
}


def __getattr__(nom: str) -> Any:
    if nom not in DE_CLIENTS:
        raise AttributeError(f"module {__name__!r} has no attribute {nom!r}")
    return getattr(import_module(f"{__name__}.clients"), nom)
