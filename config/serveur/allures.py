"""Limits on a slow body: as long as bytes move within reason it is waited for, and few may be slow at a time."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

SILENCE_SECONDES = 30.0  # without a byte
FENETRE_SECONDES = 60.0  # over which a slow body is measured
OCTETS_PAR_SECONDE = 100  # of a slow body, at the least: a sixth of what the worst of lines carries
LENTS = 100  # slow bodies of a process at a time: each keeps 1 MB of memory at the most
LENTS_PAR_ADRESSE = 20


class Allure(NamedTuple):
    """`franchise`: the seconds that any body may take; past them it is a slow one, up to `total`."""

    franchise: float
    total: float


TEXTE = Allure(30.0, 1800.0)  # a story of 45 000 letters at 600 bytes a second takes two minutes and a half
ENVOI = Allure(600.0, 3600.0)  # a film of 10 MB at 12 kB a second takes a quarter of an hour


class Places:
    """The slow bodies of this process, by address; one more than the bounds is not waited for."""

    def __init__(self, total: int = LENTS, par_adresse: int = LENTS_PAR_ADRESSE) -> None:
        self._total = total
        self._par_adresse = par_adresse
        self._prises: Counter[str] = Counter()

    def prendre(self, adresse: str) -> bool:
        if self._prises.total() >= self._total or self._prises[adresse] >= self._par_adresse:
            return False
        self._prises[adresse] += 1
        return True

    def rendre(self, adresse: str) -> None:
        self._prises[adresse] -= 1
        if not self._prises[adresse]:
            del self._prises[adresse]


def _maintenant() -> float:
    return asyncio.get_running_loop().time()


class Reception:
    """The pace of one body: `attendre` says how long its next piece may take, and raises TimeoutError past a bound."""

    def __init__(self, allure: Allure, places: Places, adresse: Callable[[], str]) -> None:
        self._allure = allure
        self._places = places
        self._dire = adresse
        self._place: str | None = None  # once it is a slow one
        self._debut = self._mesure = _maintenant()
        self._recus = 0

    @contextmanager
    def en_cours(self) -> Iterator["Reception"]:
        try:
            yield self
        finally:
            if self._place is not None:
                self._places.rendre(self._place)

    def recu(self, octets: int) -> None:
        self._recus += octets

    def attendre(self) -> asyncio.Timeout:
        maintenant = _maintenant()
        if maintenant - self._debut >= self._allure.franchise:
            self._ralentir(maintenant)
        return asyncio.timeout_at(min(maintenant + SILENCE_SECONDES, self._debut + self._allure.total))

    def _ralentir(self, maintenant: float) -> None:
        if self._place is None:
            adresse = self._dire()
            if not self._places.prendre(adresse):
                raise TimeoutError
            self._place, self._mesure, self._recus = adresse, maintenant, 0
        elif maintenant - self._mesure >= FENETRE_SECONDES:
            if self._recus < OCTETS_PAR_SECONDE * (maintenant - self._mesure):
                raise TimeoutError
            self._mesure, self._recus = maintenant, 0
