"""The desk where sockets open: those that come together are judged together, in a thread."""

import asyncio
from collections import deque
from collections.abc import Sequence

from django.db import InterfaceError, OperationalError

from socle.moteur.delais import REPONSE_SECONDES
from socle.moteur.executeur import communs
from socle.realtime.auth import DemandeDeSocket, Ecoute, Portier, etablir

LOT = 100
ENSEMBLE = 2
PATIENCE = 0.5  # two threads judge half as fast as one; past this a batch hangs, and a second one passes it by

Entree = tuple[DemandeDeSocket, str]


class Guichet:
    """Batches openings without making the first wait: a batch is what has come while another was judged."""

    def __init__(self, portier: Portier) -> None:
        self._portier = portier
        self._file: deque[tuple[Entree, asyncio.Future[Ecoute]]] = deque()
        self._lots: set[asyncio.Task[None]] = set()
        # Those that will still look at the queue. A task leaves `_lots` one turn of the loop after its last look: who
        # came in between would wait for nobody.
        self._au_travail = 0

    async def etablir(self, demande: DemandeDeSocket, canal: str) -> Ecoute:
        """Judge one opening; raises IdentiteRefusee, or OperationalError past REPONSE_SECONDES."""
        futur: asyncio.Future[Ecoute] = asyncio.get_running_loop().create_future()
        self._file.append(((demande, canal), futur))
        if not self._au_travail:
            self._commencer()
        try:
            async with asyncio.timeout(REPONSE_SECONDES):
                return await futur
        except TimeoutError as trop_tard:
            raise OperationalError("not judged in time") from trop_tard

    def _commencer(self) -> None:
        if self._file and self._au_travail < ENSEMBLE:
            self._au_travail += 1
            lot = asyncio.create_task(self._juger())
            self._lots.add(lot)
            lot.add_done_callback(self._lots.discard)

    async def _juger(self) -> None:
        try:
            await self._juger_ce_qui_vient()
        finally:
            self._au_travail -= 1

    async def _juger_ce_qui_vient(self) -> None:
        while lot := [self._file.popleft() for _ in range(min(LOT, len(self._file)))]:
            futurs = [futur for _entree, futur in lot]
            reponses: Sequence[Ecoute | Exception]
            relais = asyncio.get_running_loop().call_later(PATIENCE, self._commencer)
            try:
                entrees = [entree for entree, _futur in lot]
                reponses = await communs.en_fil(etablir_chacune, self._portier, entrees)
            except Exception as panne:
                reponses = [panne] * len(lot)
            finally:
                relais.cancel()
            for futur, reponse in zip(futurs, reponses, strict=True):
                if futur.done():  # late, or the client is gone
                    continue
                if isinstance(reponse, Exception):
                    futur.set_exception(reponse)
                else:
                    futur.set_result(reponse)


def etablir_chacune(portier: Portier, entrees: Sequence[Entree]) -> list[Ecoute | Exception]:
    """`etablir`; where it fails and the database is there, each alone, so that nobody else bears one's failure."""
    try:
        return [*etablir(portier, entrees)]
    except (OperationalError, InterfaceError):
        raise
    except Exception as panne:
        if len(entrees) == 1:
            return [panne]
        return [reponse for entree in entrees for reponse in etablir_chacune(portier, [entree])]
