"""Logging in, reading mails, and doing several things at the very same time."""

import re
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote

from django.db import connections
from django.test import Client

from accounts.tests.fabriques import MOT_DE_PASSE
from config.tests.outils import ClientApi

AUTH = "/api/v1/auth/"


def se_connecter(compte: Any, **champs: Any) -> Any:
    """The answer of a login."""
    return ClientApi().post(f"{AUTH}login", {"email": compte.email, "motDePasse": MOT_DE_PASSE, **champs})


def entrer(email, mot_de_passe=MOT_DE_PASSE, client=None, **extra):
    """A client of the admin site, after its login form."""
    client = client or Client(**extra)
    client.post("/admin/login/?next=/admin/", {"username": email, "password": mot_de_passe})
    return client


def renouveler(jeton: str) -> Any:
    return ClientApi().post(f"{AUTH}refresh", {"refreshToken": jeton})


def statut_du_jeton(jeton: str) -> int:
    """200 while the access token opens something, 401 from then on."""
    return ClientApi(jeton=jeton).get(f"{AUTH}validate").status_code


def lien_recu(message: Any) -> str:
    return re.search(r"https?://\S+\?token=\S+", message.body).group()


def jeton_recu(message: Any) -> str:
    return unquote(lien_recu(message).partition("?token=")[2])


def ensemble(actes: Iterable[Callable[[], Any]]) -> list[Any]:
    """What each returns or raises, all started at once, each on its own connection."""
    actes = list(actes)
    depart = threading.Barrier(len(actes))

    def courir(acte: Callable[[], Any]) -> Any:
        depart.wait(timeout=10)
        try:
            return acte()
        except Exception as echec:
            return echec
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actes)) as fils:
        return list(fils.map(courir, actes))
