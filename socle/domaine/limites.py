"""Rate limits: fixed windows counted in the shared cache, and in this process while the cache is away."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache

from socle.domaine.chiffrement import empreinte
from socle.erreurs import TropDeRequetes

journal = logging.getLogger("campus.limites")
ATTENTE_D_UNE_PLACE = 30  # seconds to wait for what one person does once at a time
PAUSE_APRES_PANNE = 5.0  # seconds during which a cache that failed is not asked again


@dataclass(frozen=True)
class Taux:
    """`nombre` calls in each window of `duree` seconds."""

    nombre: int
    duree: int

    @classmethod
    def lire(cls, texte: str) -> "Taux":
        """Parse 60/min, 120/h, 10/15min; ValueError or KeyError for anything else."""
        nombre, _, fenetre = texte.strip().partition("/")
        unite = fenetre.lstrip("0123456789")
        secondes = {"s": 1, "min": 60, "h": 3600, "j": 86400}[unite]
        taux = cls(int(nombre), int(fenetre[: len(fenetre) - len(unite)] or "1") * secondes)
        if taux.nombre < 1 or taux.duree < 1:
            raise ValueError(texte)
        return taux


class Reste(NamedTuple):
    """Remainder of a limit: calls, of how many, and seconds to the end of the window."""

    appels: int
    nombre: int
    secondes: int


class CompteursLocaux:
    """Counters of this process: {key: (count, end of window)}, expired ones dropped when there are many."""

    def __init__(self) -> None:
        self._valeurs: dict[str, tuple[int, float]] = {}
        self._verrou = threading.Lock()

    def ajouter(self, cle: str, pas: int, fin: float) -> int:
        with self._verrou:
            if len(self._valeurs) > 50_000:
                maintenant = time.time()
                self._valeurs = {c: v for c, v in self._valeurs.items() if v[1] > maintenant}
            total = self._valeurs.get(cle, (0, fin))[0] + pas
            self._valeurs[cle] = (total, fin)
            return total

    def vider(self) -> None:
        with self._verrou:
            self._valeurs.clear()


locaux = CompteursLocaux()
_cache_revient_a = 0.0


def _ajouter(cle: str, pas: int, fin: float, duree: int) -> int:
    global _cache_revient_a
    if time.monotonic() < _cache_revient_a:
        return locaux.ajouter(cle, pas, fin)
    try:
        if pas == 0:
            return int(cache.get(cle) or 0)
        try:
            return int(cache.incr(cle, pas))
        except ValueError:  # first call of the window
            cache.add(cle, 0, duree + 1)
            return int(cache.incr(cle, pas))
    except Exception as panne:
        # Whatever the cache raises, a limit never becomes an error nor disappears.
        _cache_revient_a = time.monotonic() + PAUSE_APRES_PANNE
        journal.warning("cache absent, limites comptées dans ce processus (%s)", type(panne).__name__)
        return locaux.ajouter(cle, pas, fin)


def consommer(portee: str, cle: str, *, pas: int = 1, refus: type[TropDeRequetes] = TropDeRequetes) -> Reste | None:
    """Add `pas` to the counter of this limit, or raise `refus` with the seconds to wait; `pas=0` only looks.

    None where nothing is counted.
    """
    if not settings.THROTTLE_ENABLED:
        return None
    taux: Taux = settings.THROTTLES[portee]
    nom, fin = _fenetre(portee, cle, taux)
    total = _ajouter(nom, pas, fin, taux.duree)
    if total > taux.nombre or (pas == 0 and total >= taux.nombre):
        raise refus(attente=_attente(fin))
    return Reste(taux.nombre - total, taux.nombre, _attente(fin))


def compter(portee: str, cle: str, taux: Taux) -> int:
    """Add one to the counter of this window, and return its total: to notice, where nothing is refused."""
    nom, fin = _fenetre(portee, cle, taux)
    return _ajouter(nom, 1, fin, taux.duree)


@contextmanager
def reserver(
    portee: str, cle: str, *, pas: int = 1, taux: Taux | None = None, refus: type[TropDeRequetes] = TropDeRequetes
) -> Iterator[None]:
    """Reserve `pas` under the limit while the block runs; keep it on success, give it back on an error."""
    if not settings.THROTTLE_ENABLED:
        yield
        return
    taux = taux or settings.THROTTLES[portee]
    nom, fin = _fenetre(portee, cle, taux)
    try:
        if _ajouter(nom, pas, fin, taux.duree) > taux.nombre:
            raise refus(attente=_attente(fin))
        yield
    except BaseException:
        _ajouter(nom, -pas, fin, taux.duree)
        raise


def occuper(portee: str, cle: str, duree: int, *, refus: type[TropDeRequetes]) -> None:
    """Take the one place of this key until `liberer`, or raise `refus`; `duree` seconds give it back after a crash."""
    nom = _place(portee, cle)
    if _ajouter(nom, 1, time.time() + duree, duree) > 1:
        _ajouter(nom, -1, time.time() + duree, duree)
        raise refus(attente=ATTENTE_D_UNE_PLACE)


def liberer(portee: str, cle: str, duree: int) -> None:
    """Give back the place that `occuper` took; nothing where its time is over."""
    nom = _place(portee, cle)
    if _ajouter(nom, 0, 0.0, duree) > 0:
        _ajouter(nom, -1, time.time() + duree, duree)


def oublier(portee: str, cle: str) -> None:
    """Reset the counter of this window: a success wipes the failures before it."""
    if not settings.THROTTLE_ENABLED:
        return
    taux: Taux = settings.THROTTLES[portee]
    nom, fin = _fenetre(portee, cle, taux)
    if total := _ajouter(nom, 0, fin, taux.duree):
        _ajouter(nom, -total, fin, taux.duree)


def _place(portee: str, cle: str) -> str:
    return f"place:{portee}:{empreinte('limite', cle)[:32]}"


def _attente(fin: float) -> int:
    return max(1, int(fin - time.time()) + 1)


def _fenetre(portee: str, cle: str, taux: Taux) -> tuple[str, float]:
    """`(counter name, end)` of the present window; the key is hashed in the name."""
    maintenant = time.time()
    fin = maintenant - maintenant % taux.duree + taux.duree
    return f"limite:{portee}:{int(fin)}:{empreinte('limite', cle)[:32]}", fin
