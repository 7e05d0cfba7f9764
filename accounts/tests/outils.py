"""Logging in, reading mails, and doing several things at the very same time."""

import re
import secrets
import threading
from base64 import b32decode, b32encode
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote

from django.db import connection, connections
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP

from accounts.models import DemandeAdresse, SecondFacteur
from accounts.services.preuves import tirer_les_codes
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


def hors_surete(messages: Iterable[Any]) -> list[Any]:
    """Mails but those that tell a person what their password was used for."""
    return [message for message in messages if message.subject != "À propos de votre compte"]


def lien_recu(message: Any) -> str:
    return _lien_lu(message.body)


def _lien_lu(texte: str) -> str:
    return re.search(r"https?://\S+\?token=\S+", texte).group()


def jeton_recu(message: Any) -> str:
    return jeton_lu(message.body)


def jeton_lu(texte: str) -> str:
    return unquote(_lien_lu(texte).partition("?token=")[2])


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


class Application:
    """The authenticator of a person; `ecart` in steps of thirty seconds from now."""

    def __init__(self, secret: str) -> None:
        self._totp = TOTP(b32decode(secret))

    def code(self, ecart: int = 0) -> str:
        self._totp.drift = ecart
        return f"{self._totp.token():06d}"

    def faux(self) -> str:
        """Six digits that are no code of now, nor of a few steps around."""
        justes = {self.code(ecart) for ecart in range(-3, 4)}
        return next(code for code in (f"{n:06d}" for n in range(10)) if code not in justes)


def munir(compte: Any) -> tuple[Application, list[str]]:
    """Give the account a second factor that no code has served yet; its application, and its recovery codes."""
    secret = b32encode(secrets.token_bytes(20)).decode()
    facteur = SecondFacteur(compte=compte, secret=secret, date_activation=timezone.now())
    codes = tirer_les_codes(facteur)
    facteur.save(force_insert=True)
    return Application(secret), codes


def demander_une_adresse(compte: Any) -> DemandeAdresse:
    """An address that waits for its confirmation, without the mails."""
    fin = timezone.now() + DemandeAdresse.DUREE
    return DemandeAdresse.objects.create(
        compte=compte, par=compte, email=f"autre-{compte.email}", ancienne=compte.email, date_expiration=fin
    )


def attendre_un_verrou():
    """Until another connection waits for a lock of this one."""
    with connection.cursor() as curseur:
        for _essai in range(500):
            curseur.execute("SELECT 1 FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid)) LIMIT 1")
            if curseur.fetchone():
                return
            threading.Event().wait(0.01)
    raise AssertionError("personne n'attend")
