"""Periodic check of identity and rights for all the sockets of a process, in batches."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import Protocol

from django.conf import settings
from django.db import Error as ErreurDeBase

from socle.moteur.executeur import communs
from socle.realtime.auth import Identite, Revoir
from socle.realtime.canaux import toutes

journal = logging.getLogger(__name__)
LOT = 500
PAS = 3  # rounds in the time that a socket may go unchecked


class Surveille(Protocol):
    canal: str
    verifie_a: float

    @property
    def identite(self) -> Identite: ...

    def entendre(self, audiences: list[str]) -> None: ...

    async def reverifier(self) -> None: ...


class Garde:
    def __init__(self, surveilles: Callable[[], Iterable[Surveille]], revoir: Revoir) -> None:
        self._surveilles = surveilles
        self._revoir = revoir

    async def tour(self) -> None:
        """Sleep a third of the period, then check the sockets due, in batches."""
        boucle = asyncio.get_running_loop()
        periode: float = settings.SOCKET_REVALIDATION_SECONDS
        await asyncio.sleep(periode / PAS)
        limite = boucle.time() - periode * (PAS - 1) / PAS
        dus = [prise for prise in self._surveilles() if prise.verifie_a <= limite]
        for debut in range(0, len(dus), LOT):
            await self._verifier(dus[debut : debut + LOT])

    async def _verifier(self, prises: list[Surveille]) -> None:
        """Check a batch at once; a socket left in doubt checks itself alone, which gives the reason to close it."""
        maintenant = asyncio.get_running_loop().time()
        demandes = [(prise.identite, prise.canal) for prise in prises]
        try:
            entendues = await communs.en_fil(revoir_ensemble, self._revoir, demandes)
        except ErreurDeBase as panne:  # a database that is away proves nothing, and has no event to send
            journal.warning("Vérification des sockets remise (%s).", type(panne).__name__)
            return
        doutes: list[Awaitable[None]] = []
        for prise, audiences in zip(prises, entendues, strict=True):
            prise.verifie_a = maintenant
            if audiences:
                prise.entendre(audiences)
            else:
                doutes.append(prise.reverifier())
        await asyncio.gather(*doutes)


def revoir_ensemble(revoir: Revoir, demandes: Collection[tuple[Identite, str]]) -> list[list[str]]:
    """The audiences of each pair, in order; [] where the identity is in doubt or the channel refused."""
    sures = revoir([identite for identite, _canal in demandes])
    entendues = iter(toutes([(identite.acteur, canal) for identite, canal in demandes if identite in sures]))
    return [next(entendues) if identite in sures else [] for identite, _canal in demandes]
