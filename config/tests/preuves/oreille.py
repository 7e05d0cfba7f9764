"""A subscriber that comes back whenever its socket is cut, and keeps what it heard."""

import json
import threading
from contextlib import suppress
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from config.tests.outils.serveur import Serveur
from demo.textes import GESTIONNAIRE, MOT_DE_PASSE


class Oreille:
    """Hears of each new report, on one process."""

    def __init__(self, serveur: Serveur, fin: threading.Event) -> None:
        self._serveur = serveur
        self._fin = fin
        self._jeton = ""
        self._depuis = ""
        self.crees: list[str] = []
        self.numeros: list[str] = []
        self.coupures = 0
        self.prete = threading.Event()
        self._fil = threading.Thread(target=self._ecouter, daemon=True)
        self._fil.start()

    def attendre_la_fin(self) -> None:
        self._fil.join(timeout=30)

    def _ecouter(self) -> None:
        while not self._fin.is_set():
            with suppress(OSError, WebSocketException, httpx.TransportError, KeyError):
                if not self._jeton:
                    corps = {"email": GESTIONNAIRE.email, "motDePasse": MOT_DE_PASSE}
                    ouverte = httpx.post(f"{self._serveur.url}/api/v1/auth/login", json=corps, timeout=30)
                    self._jeton = ouverte.json()["data"]["token"]
                self._entendre()
            self.coupures += 1
            self._fin.wait(0.3)

    def _entendre(self) -> None:
        depuis = f"&depuis={self._depuis}" if self._depuis else ""
        adresse = f"ws://127.0.0.1:{self._serveur.port}/api/v1/ws/signalements?token={self._jeton}{depuis}"
        with connect(adresse, open_timeout=10, ping_interval=5, ping_timeout=10) as prise:
            while not self._fin.is_set():
                with suppress(TimeoutError):
                    self._noter(json.loads(prise.recv(timeout=1)))

    def _noter(self, enveloppe: dict[str, Any]) -> None:
        if enveloppe["type"] == "connected":
            self.prete.set()
        numero = enveloppe.get("eventId")
        if numero is None:
            return
        self._depuis = numero
        self.numeros.append(numero)
        if enveloppe["type"] == "signalement_created":
            self.crees.append(enveloppe["payload"]["id"])
