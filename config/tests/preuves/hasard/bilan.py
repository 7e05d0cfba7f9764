"""What was asked and what came back, counted for the table of figures."""

import time
from collections import Counter
from typing import Any


class Comptes:
    """Requests of one proof: statuses, operations that succeeded, faults with one example each."""

    def __init__(self) -> None:
        self.statuts: Counter[int] = Counter()
        self.fautes: dict[str, str] = {}
        self._vues: set[str] = set()
        self._reussies: set[str] = set()
        self._debut = time.monotonic()

    @property
    def requetes(self) -> int:
        return self.statuts.total()

    def noter(self, operation: str, statut: int) -> None:
        self.statuts[statut] += 1
        self._vues.add(operation)
        if statut < 400:
            self._reussies.add(operation)

    def accuser(self, operation: str, faute: str, exemple: str) -> None:
        self.fautes.setdefault(f"{operation} : {faute}", exemple)

    @property
    def dites(self) -> str:
        """The faults as a text; "" without any."""
        return "\n".join(f"{faute}\n    {exemple}" for faute, exemple in self.fautes.items())

    @property
    def resume(self) -> str:
        secondes = round(time.monotonic() - self._debut, 1)
        statuts = " ".join(f"{statut}:{nombre}" for statut, nombre in sorted(self.statuts.items()))
        reussies = f"{len(self._reussies)} opérations réussies sur {len(self._vues)}"
        return f"{self.requetes} requêtes en {secondes} s ; {statuts} ; {reussies} ; {len(self.fautes)} fautes"


def en_bref(**nombres: Any) -> str:
    return " ; ".join(f"{nom} {valeur}" for nom, valeur in nombres.items())
