"""What the clients of a load were told, kept outside the service, and what of it is there afterwards."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from uuid import uuid4


@dataclass
class Cahier:
    """Every write has a mark of its own in its text."""

    confirmes: dict[str, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))  # kind -> mark -> answer
    incertains: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # no answer, or a 503
    refuses: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    statuts: Counter[str] = field(default_factory=Counter)
    fautes: list[str] = field(default_factory=list)
    _verrou: Any = field(default_factory=Lock)

    @staticmethod
    def marque() -> str:
        return f"marque-{uuid4().hex}"

    def noter(self, sorte: str, marque: str, statut: int | None, donnees: Any = None) -> None:
        """The last word on a write; no status: nothing was answered."""
        with self._verrou:
            if statut is None or statut in (503, 429):
                self.incertains[sorte].add(marque)
            elif statut >= 400:
                self.refuses[sorte].add(marque)
            else:
                self.confirmes[sorte][marque] = donnees

    def compter(self, statut: int | None, quoi: str, texte: str = "") -> None:
        """Every answer; the only error of the server that may be seen is 503."""
        with self._verrou:
            self.statuts["sans réponse" if statut is None else str(statut)] += 1
            if statut is not None and statut >= 500 and statut != 503:
                self.fautes.append(f"{quoi} : {statut} {texte[:300]}")

    def juger(self, sorte: str, presentes: Counter[str]) -> list[str]:
        """What is wrong with the marks of this kind that the base holds."""
        sures, refusees = set(self.confirmes[sorte]), self.refuses[sorte]
        return [
            *(f"{sorte} perdu : {marque}" for marque in sures - set(presentes)),
            *(f"{sorte} {combien} fois : {marque}" for marque, combien in presentes.items() if combien > 1),
            *(f"{sorte} refusé, et fait : {marque}" for marque in refusees & set(presentes)),
        ]
