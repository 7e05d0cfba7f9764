"""Doors in one round trip with what they lead to: who asked a moment ago is presumed, then looked at again.

The row that said who is asking is kept. When they ask again, the connection reads that row before anything else, in the
same round trip as the first thing they ask, and hands nothing out unless it is found as it was. Where it's not, what
the request has done until then is dropped, and it begins again by the door.
"""

import threading
import time
from collections import OrderedDict
from contextlib import suppress
from typing import Any

from socle.domaine.lecteurs import Connexion
from socle.domaine.lectures import Demande, connexion_du_fil
from socle.domaine.plans import est_observee
from socle.postgresql.rafale import Lignes, Ordre, Rafale

RETENUES_MAX = 1_024  # rows; the oldest is forgotten
FRAICHE_SECONDES = 1.0  # a connection that has answered since then is not asked whether it still does
_retenues: OrderedDict[Any, Lignes] = OrderedDict()


class PresomptionFausse(Exception):
    """The row is not as it was."""


class _DuFil(threading.local):
    essai: "Essai | None" = None


_du_fil = _DuFil()


class Essai:
    """Context manager around a request that only reads: within it, `premiere` may presume the row of a door.

    At its end `tient` is False where that row was not found as presumed, or not found out: what the block has answered
    must not leave, nor what it raised.
    """

    __slots__ = ("_attendues", "_cle", "_connexion", "_rafale", "tient")

    def __init__(self) -> None:
        self.tient = True
        self._connexion: Connexion = None

    def __enter__(self) -> "Essai":
        _du_fil.essai = self
        return self

    def __exit__(self, _classe: object, erreur: BaseException | None, _trace: object) -> bool:
        est_tenu = self.conclure()
        _du_fil.essai = None
        if est_tenu:
            return False
        _retenues.pop(self._cle, None)
        self._connexion.health_check_done = False  # the door will look to it
        return isinstance(erreur, Exception)

    @property
    def a_presume(self) -> bool:
        """True once a row was: the connection looks for one at a time."""
        return self._connexion is not None

    def presumer(self, connexion: Connexion, ordre: Ordre, cle: Any, attendues: Lignes) -> None:
        """Have the connection look for these rows before whatever it is asked next."""
        self.tient = False
        self._connexion, self._cle, self._attendues = connexion, cle, attendues
        connexion.health_check_done = True
        self._rafale: Rafale = connexion.connection.rafale
        self._rafale.faire_preceder(ordre, self._juger)

    def conclure(self) -> bool:
        """Look now, where nothing was asked since; True where the rows are as presumed, or nothing was."""
        if not self.tient:
            # Whatever goes wrong here goes wrong at the door as well, which says so.
            with suppress(Exception), self._connexion.wrap_database_errors:
                self._rafale.franchir()
            self._rafale.ouvrir()
        return self.tient

    def _juger(self, lignes: Lignes) -> None:
        if lignes != self._attendues:
            raise PresomptionFausse
        self.tient = True


def est_franchie() -> bool:
    """False where this thread's request was let in by a presumption that is false, or that nothing confirms."""
    return _du_fil.essai is None or _du_fil.essai.conclure()


def premiere(demande: Demande, *, sonde: float) -> Any:
    """The row of a door, as `Demande.premiere`; within an `Essai`, one that was read before may be presumed."""
    essai, connexion = _du_fil.essai, connexion_du_fil()
    if essai is None or essai.a_presume or connexion.vendor != "postgresql" or est_observee(connexion):
        return demande.premiere(sonde=sonde)
    passage = demande.une()
    plan, valeurs = passage.plan(connexion), passage.valeurs()
    cle = (plan, *valeurs.values())
    lignes = _retenues.get(cle)
    if lignes is not None and _est_fraiche(connexion):
        essai.presumer(connexion, plan.ordre(connexion, valeurs), cle, lignes)
    else:
        lignes = plan.directement(connexion, valeurs, sonde)
        if lignes:
            _retenir(cle, lignes)
    lues = plan.former(lignes, connexion)
    return lues[0] if lues else None


def oublier() -> None:
    """Presume nobody until they have come by the door again."""
    _retenues.clear()


def _est_fraiche(connexion: Connexion) -> bool:
    pilote = connexion.connection
    return pilote is not None and time.monotonic() - pilote.rafale.entendue < FRAICHE_SECONDES


def _retenir(cle: Any, lignes: Lignes) -> None:
    if len(_retenues) >= RETENUES_MAX:
        with suppress(KeyError):  # another thread has just emptied it
            _retenues.popitem(last=False)
    _retenues[cle] = lignes
