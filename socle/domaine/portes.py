"""Doors in one round trip with what they lead to: who asked a moment ago is presumed, then looked at again.

The row that said who is asking is kept, with its version. When they ask again, the connection reads the version before
anything else, in the same round trip as the first thing they ask, and hands nothing out unless it is found as it was.
Where it's not, what the request has done until then is dropped, and it begins again by the door (`essais`).
"""

import threading
import time
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from socle.domaine.essais import essai_en_cours
from socle.domaine.lecteurs import Connexion
from socle.domaine.lectures import Demande, LecturePreparee, connexion_du_fil
from socle.domaine.plans import Plan, est_observee, sur_une_connexion
from socle.postgresql.rafale import Dit, Lignes

RETENUES_MAX = 1_024  # rows; the oldest is forgotten
RETENUE_SECONDES = 60.0  # then it is read by the door again
# A connection that has answered since then is not asked whether it still does: one that hangs is then found by the
# deadline of what is asked, and not by that of a probe. Who gains from one round trip less asks many.
FRAICHE_SECONDES = 0.1


class _Retenue(NamedTuple):
    """The row of a door, the plan that makes an object of it, its versions, and what reads these again."""

    quand: float
    lignes: Lignes
    plan: Plan
    versions: Lignes
    dit: Dit


_retenues: dict[Any, _Retenue] = {}
_verrou = threading.Lock()  # of those who change it


def premiere(lecture: LecturePreparee[...], *cles: UUID | str, sonde: float) -> Any:
    """The first row of a door's read with these keys, as `Demande.premiere`; within an `Essai` it may be presumed."""
    essai, connexion = essai_en_cours(), connexion_du_fil()
    if essai is None or not essai.peut_presumer or connexion.vendor != "postgresql" or est_observee(connexion):
        return lecture(*cles).premiere(sonde=sonde)
    cle = (lecture, *cles)
    retenue = _retenues.get(cle)
    if retenue is not None and _sert_encore(retenue, connexion):
        essai.presumer(connexion, retenue.dit, retenue.versions, partial(_oublier, cle))
    else:
        retenue = _lire(lecture(*cles), connexion, sonde)
        # A transaction may write a row twice under one version: nothing is learnt within one.
        if retenue.lignes and retenue.versions and not connexion.in_atomic_block:
            _retenir(cle, retenue)
    lues = retenue.plan.former(retenue.lignes, connexion)
    return lues[0] if lues else None


def _lire(demande: Demande, connexion: Connexion, sonde: float) -> _Retenue:
    """The versions first: a row that is written between the two is newer than they say, and will not be found again.

    One that was not there for them has none, and is not kept.
    """
    valeurs, plan = demande.valeurs, demande.une().plan(connexion)
    ordres = [demande.versions().plan(connexion).ordre(connexion, valeurs), plan.ordre(connexion, valeurs)]

    def lire() -> list[Lignes]:
        with connexion.wrap_database_errors:
            lues: list[Lignes] = connexion.connection.rafale.lire_ensemble(ordres, sans_effet=True)
            return lues

    versions, lignes = sur_une_connexion(connexion, sonde, lire)
    dit: Dit = connexion.connection.rafale.dire(*ordres[0])
    fige = Dit(dit.cle, tuple(map(bytes, dit.parametres)), dit.formats)
    return _Retenue(time.monotonic(), lignes, plan, versions, fige)


def oublier() -> None:
    """Presume nobody until they have come by the door again."""
    with _verrou:
        _retenues.clear()


def _sert_encore(retenue: _Retenue, connexion: Connexion) -> bool:
    """True for what is not too old, over a connection that has answered a moment ago."""
    pilote, maintenant = connexion.connection, time.monotonic()
    if pilote is None or maintenant - pilote.rafale.entendue >= FRAICHE_SECONDES:
        return False
    return maintenant - retenue.quand < RETENUE_SECONDES


def _retenir(cle: Any, neuve: _Retenue) -> None:
    """Keep it behind those that came before; those that are too old, or too many, go."""
    with _verrou:
        _retenues.pop(cle, None)
        while _retenues:
            premiere_venue, retenue = next(iter(_retenues.items()))
            if time.monotonic() - retenue.quand < RETENUE_SECONDES and len(_retenues) < RETENUES_MAX:
                break
            del _retenues[premiere_venue]
        _retenues[cle] = neuve


def _oublier(cle: Any) -> None:
    with _verrou:
        _retenues.pop(cle, None)
