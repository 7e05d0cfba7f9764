"""The real thing, for journeys: `manage.py serve` as a process, spoken to over HTTP and WebSocket."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import httpx
import psycopg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from config.tests.outils.ouvriers import redis_a_soi

RACINE = Path(__file__).resolve().parents[3]
DELAI = 10.0
PORTS_DU_SYSTEME = 32_768  # the first that Linux gives to a connection, or to a socket that asks for any
_hasard = random.SystemRandom()
_donnes: set[int] = set()
# What a service draws for itself where everything is embedded, and is given elsewhere.
SECRETS = {
    "DEMO": "1",
    "SECRET_KEY": "secret-de-parcours-" + "s" * 40,
    "HASH_KEY": "hachage-de-parcours-" + "h" * 40,
    "FIELD_ENCRYPTION_KEYS": "dGVzdC10ZXN0LXRlc3QtdGVzdC10ZXN0LXRlc3QtMTI=",
    "PUBLIC_URL": "http://127.0.0.1:8000",
}


def _entendre_ctrl_c() -> None:
    """A shell has what it starts in the background ignore Ctrl-C, and all that starts there in turn."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Serveur:
    """One process; what it prints goes to `sortie`, what it logs to `journal`."""

    def __init__(self, dossier: Path, **reglages: str) -> None:
        self.port = port_libre()
        self.sortie = dossier / f"sortie-{self.port}"
        self.journal = dossier / f"journal-{self.port}"
        self.url = f"http://127.0.0.1:{self.port}"
        self._reglages = {"DATA_DIR": str(dossier), "PORT": str(self.port), **reglages}
        self._processus: subprocess.Popen[bytes] | None = None

    def regler(self, **reglages: str) -> None:
        """For its next start."""
        self._reglages |= reglages

    @property
    def _environnement(self) -> dict[str, str]:
        garde = {nom: os.environ[nom] for nom in ("PATH", "HOME", "LANG", "MOTEUR") if nom in os.environ}
        return {**garde, "PYTHONUNBUFFERED": "1", **self._reglages}

    def lancer(self, *commande: str) -> None:
        """A command that goes on; `demarrer` waits until the service answers."""
        self.executer("manage.py", *commande)

    def executer(self, *mots: str) -> None:
        """Python with these words, in a group of its own: what it starts itself ends with it."""
        with self.sortie.open("ab") as sortie, self.journal.open("ab") as journal:
            self._processus = subprocess.Popen(  # noqa: S603 -- our own command; the hook sets one signal
                [sys.executable, *mots],
                cwd=RACINE,
                env=self._environnement,
                stdout=sortie,
                stderr=journal,
                process_group=0,
                preexec_fn=_entendre_ctrl_c,
            )

    def demarrer(self, *options: str, secondes: float = 60) -> None:
        self.lancer("serve", *options)
        self.attendre_une_reponse(secondes)

    def attendre_une_reponse(self, secondes: float = 60) -> None:
        attendre(self._repond, f"le service sur le port {self.port}", secondes)

    def _repond(self) -> bool:
        if self._processus is not None and self._processus.poll() is not None:
            raise AssertionError(f"le service s'est arrêté :\n{self.journal.read_text()}")
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/health").status_code == 200
        return False

    @property
    def pid(self) -> int:
        assert self._processus is not None
        return self._processus.pid

    def terminer(self) -> int:
        """SIGTERM, and the code it ends with."""
        assert self._processus is not None
        self._processus.send_signal(signal.SIGTERM)
        return self._processus.wait(timeout=15)

    def interrompre(self) -> None:
        """Ctrl-C."""
        self._signaler(signal.SIGINT)

    def attendre_la_fin(self, secondes: float = 15) -> int:
        """The code it ends with, of itself."""
        assert self._processus is not None
        return self._processus.wait(timeout=secondes)

    def lignes(self, journal: str) -> list[dict[str, Any]]:
        """What this logger has written."""
        lues = [json.loads(ligne) for ligne in self.journal.read_text().splitlines() if ligne.startswith("{")]
        return [ligne for ligne in lues if ligne["logger"] == journal]

    def commander(self, *commande: str, secondes: float = 30) -> str:
        """What a command says on the same data; it must succeed."""
        rendu = subprocess.run(  # noqa: S603 -- our own command
            [sys.executable, "manage.py", *commande],
            cwd=RACINE,
            env=self._environnement,
            capture_output=True,
            text=True,
            timeout=secondes,
        )
        assert rendu.returncode == 0, rendu.stdout + rendu.stderr
        return rendu.stdout

    def geler(self) -> None:
        """SIGSTOP: it keeps its connections and does nothing."""
        self._signaler(signal.SIGSTOP)

    def degeler(self) -> None:
        self._signaler(signal.SIGCONT)

    def _signaler(self, signe: signal.Signals) -> None:
        assert self._processus is not None
        self._processus.send_signal(signe)

    def tuer(self) -> None:
        if self._processus is not None and self._processus.poll() is None:
            os.killpg(self._processus.pid, signal.SIGKILL)
            self._processus.wait()

    def client(self, *, jeton: str = "", guest_id: str = "") -> "Api":
        return Api(self, jeton=jeton, guest_id=guest_id)

    def ecouter(self, canal: str, **parametres: str) -> "Prise":
        return Prise(f"ws://127.0.0.1:{self.port}/api/v1/ws/{canal}?{urlencode(parametres)}")


class Api:
    """A client that says what went wrong: a call names the status it expects."""

    def __init__(self, serveur: Serveur, *, jeton: str = "", guest_id: str = "") -> None:
        entetes = {nom: valeur for nom, valeur in _identite(jeton, guest_id).items() if valeur}
        self.jeton = jeton
        self._http = httpx.Client(base_url=f"{serveur.url}/api/v1", headers=entetes, timeout=DELAI)

    def __call__(self, methode: str, chemin: str, corps: Any = None, *, statut: int = 200, **entetes: str) -> Any:
        """`Idempotency_Key="…"` is the header Idempotency-Key."""
        en_tetes = {nom.replace("_", "-"): valeur for nom, valeur in entetes.items()}
        reponse = self._http.request(methode, chemin, json=corps, headers=en_tetes)
        assert reponse.status_code == statut, f"{methode} {chemin} : {reponse.status_code} {reponse.text}"
        return reponse.json()["data"] if reponse.is_success and reponse.content else None


class Prise:
    """A socket; every envelope it has received is kept."""

    def __init__(self, url: str) -> None:
        self._pile = ExitStack()
        self._socket = self._pile.enter_context(connect(url, open_timeout=DELAI))
        self.recus: list[dict[str, Any]] = []

    def dire(self, texte: str) -> None:
        self._socket.send(texte)

    def entendre(self) -> str:
        return str(self._socket.recv(timeout=DELAI))

    def attendre(self, type_: str) -> dict[str, Any]:
        """The next event of this type; what comes before it is kept too."""
        while True:
            enveloppe = json.loads(self.entendre())
            self.recus.append(enveloppe)
            if enveloppe["type"] == type_:
                return enveloppe

    @property
    def types(self) -> list[str]:
        return [enveloppe["type"] for enveloppe in self.recus]

    @property
    def dernier(self) -> str:
        """Where to go on from: the `eventId` of the latest event."""
        return next(e["eventId"] for e in reversed(self.recus) if "eventId" in e)

    def fermer(self) -> None:
        self._pile.close()

    def code_de_fermeture(self) -> int:
        with suppress(ConnectionClosed):
            while True:
                self.recus.append(json.loads(self.entendre()))
        return self._socket.close_code or 0


def attendre(condition: Any, quoi: str, secondes: float = DELAI) -> Any:
    """The first true value of `condition`, asked again and again."""
    limite = time.monotonic() + secondes
    while time.monotonic() < limite:
        if valeur := condition():
            return valeur
        time.sleep(0.05)
    raise AssertionError(f"toujours pas après {secondes} s : {quoi}")


@contextmanager
def base_neuve(adresse: str, *, copie: bool = False) -> Iterator[str]:
    """A database of its own on the PostgreSQL of this address, empty or a copy of that one; dropped at the end."""
    racine, _separe, modele = adresse.rpartition("/")
    nom = f"campus_parcours_{uuid4().hex[:12]}"
    with psycopg.connect(adresse, autocommit=True) as connexion:
        connexion.execute(f'CREATE DATABASE "{nom}" TEMPLATE "{modele if copie else "template1"}"')
        try:
            yield f"{racine}/{nom}"
        finally:
            connexion.execute(f'DROP DATABASE "{nom}" WITH (FORCE)')


@contextmanager
def services() -> Iterator[dict[str, str]]:
    """Of what TEST_DATABASE_URL and TEST_REDIS_URL name, on a database of its own; {} where they name nothing."""
    base, redis = os.environ.get("TEST_DATABASE_URL"), os.environ.get("TEST_REDIS_URL")
    if not (base and redis):
        yield {}
        return
    with base_neuve(base) as neuve:
        yield {**SECRETS, "DATABASE_URL": neuve, "REDIS_URL": redis_a_soi(redis)}


@contextmanager
def en_marche(dossier: Path, **reglages: str) -> Iterator[Serveur]:
    """A service that answers, with its demonstration, on these `services`."""
    with services() as siens:
        serveur = Serveur(dossier, **{**siens, **reglages})
        if siens:
            serveur.regler(PUBLIC_URL=serveur.url)
        try:
            serveur.demarrer()
            yield serveur
        finally:
            serveur.tuer()


def _identite(jeton: str, guest_id: str) -> dict[str, str]:
    return {"Authorization": jeton and f"Bearer {jeton}", "X-Guest-Id": guest_id}


def port_libre() -> int:
    """A free port that no outgoing connection takes: below those that the system hands out, by chance, none twice."""
    while True:
        port = _hasard.randrange(10_000, PORTS_DU_SYSTEME)
        with socket.socket() as prise, suppress(OSError):
            prise.bind(("127.0.0.1", port))
            if port not in _donnes:
                _donnes.add(port)
                return port
