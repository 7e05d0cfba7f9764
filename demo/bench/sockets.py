"""Figures of sockets: many on one discussion, the cost of opening them, and of each message that all of them hear."""

import asyncio
import time
from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any

import uvloop
from django.conf import settings

from accounts.services.comptes import creer
from demo.bench.connexion import ConnexionHttp, Prise
from demo.bench.routes import MESSAGE, Campus, connecter
from demo.bench.service import Service
from demo.textes import DOMAINE, MOT_DE_PASSE
from socle.domaine.droits import Role

ENSEMBLE = 50  # sockets that arrive together
UN_PAR_UN, RAFALE, AUTEURS = 20, 200, 4
PATIENCE_SECONDES = 60


def mesurer(campus: Campus, service: Service, nombre: int, *, rapide: bool) -> Iterator[dict[str, Any]]:
    jetons = [_lecteur(rang) for rang in range(-(-(nombre + 1) // settings.SOCKETS_PAR_ACTEUR))]
    un_par_un, rafale = (2, 4) if rapide else (UN_PAR_UN, RAFALE)
    yield uvloop.run(_Auditoire(campus, service, jetons, nombre).mesurer(un_par_un, rafale))


def _lecteur(rang: int) -> str:
    """The token of a manager who listens; sockets are limited by person."""
    email = f"lecteur-{rang}@{DOMAINE}"
    creer(
        email=email, mot_de_passe=MOT_DE_PASSE, prenom="Inès", nom=f"Okafor {rang}", type_utilisateur=Role.GESTIONNAIRE
    )
    return connecter(email).entetes["Authorization"].removeprefix("Bearer ")


class _Auditoire:
    def __init__(self, campus: Campus, service: Service, jetons: list[str], nombre: int) -> None:
        self._service = service
        self._jetons = jetons
        self._nombre = nombre
        self._canal = f"discussion:{campus.discussion}"
        self._message = campus.gestionnaire.demande("POST", f"/discussions/{campus.discussion}/messages", MESSAGE)
        self._prises: list[Prise] = []
        self._connectees = self._livraisons = 0
        self._change = asyncio.Event()

    async def mesurer(self, un_par_un: int, rafale: int) -> dict[str, Any]:
        await self._ouvrir(1)  # warms up
        avant, memoire = self._service.processeur(), self._service.memoire()
        await self._ouvrir(self._nombre)
        ouvert, tenue = self._service.processeur(), self._service.memoire()
        derniers = [await self._publier(1, 1) for _un in range(un_par_un)]
        livre = self._service.processeur()
        duree = await self._publier(rafale, AUTEURS)
        for prise in self._prises:
            prise.fermer()
        return {
            "quoi": "sockets",
            "nom": f"{self._nombre} sur une discussion",
            "ouverture": _par(avant, ouvert, self._nombre),
            "livraison": _par(ouvert, livre, un_par_un * len(self._prises)),
            "derniere": median(derniers),
            "rafale": rafale * len(self._prises) / duree,
            "octets": _par(memoire, tenue, self._nombre),
        }

    async def _ouvrir(self, nombre: int) -> None:
        boucle, attendues = asyncio.get_running_loop(), len(self._prises) + nombre
        while len(self._prises) < attendues:
            for _une in range(min(ENSEMBLE, attendues - len(self._prises))):
                jeton = self._jetons[len(self._prises) % len(self._jetons)]
                faire = partial(Prise, self._canal, jeton, self._entendre)
                _transport, prise = await boucle.create_connection(faire, "127.0.0.1", self._service.port)
                self._prises.append(prise)
            await self._jusqu_a(lambda: self._connectees == len(self._prises), "ouverts")

    async def _publier(self, messages: int, auteurs: int) -> float:
        """Post through the API, this many authors at once; return the seconds until every socket has heard it all."""
        connexions = [await ConnexionHttp.ouvrir(self._service.port) for _un in range(auteurs)]
        octets, attendues = self._message.octets(), self._livraisons + messages * len(self._prises)

        async def ecrire(connexion: ConnexionHttp) -> None:
            for _un in range(messages // auteurs):
                await connexion.demander(self._message, octets)

        debut = time.perf_counter()
        await asyncio.gather(*map(ecrire, connexions))
        await self._jusqu_a(lambda: self._livraisons == attendues, "servis")
        duree = time.perf_counter() - debut
        for connexion in connexions:
            connexion.fermer()
        return duree

    def _entendre(self, trame: bytes) -> None:
        if b'"message_created"' in trame:
            self._livraisons += 1
        elif b'"connected"' in trame:
            self._connectees += 1
        self._change.set()

    async def _jusqu_a(self, condition: Any, quoi: str) -> None:
        async with asyncio.timeout(PATIENCE_SECONDES):
            while not condition():
                if perdues := sum(prise.fermee for prise in self._prises):
                    raise RuntimeError(f"{perdues} sockets fermés par le service, {quoi} : {self._connectees}")
                self._change.clear()
                await self._change.wait()


def _par(avant: float | None, apres: float | None, nombre: int) -> float | None:
    return None if avant is None or apres is None else (apres - avant) / nombre
