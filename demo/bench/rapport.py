"""Table of the figures of readings: a row a reading, a column a size, and the ratio of the last size to the first."""

from typing import Any

LARGEUR = 28


class Rapport:
    def __init__(self) -> None:
        self._secondes: dict[str, dict[int, float]] = {}
        self._requetes: dict[str, int | None] = {}
        self._exports: list[str] = []

    def ajouter(self, mesure: dict[str, Any]) -> None:
        nom, taille = mesure["nom"], mesure["signalements"]
        self._secondes.setdefault(nom, {})[taille] = mesure["secondes"]
        self._requetes[nom] = mesure.get("requetes")
        if "octets" in mesure:
            memoire, debit = mesure["octets"] / 1_000_000, mesure["lignes"] / mesure["secondes"]
            self._exports.append(f"Export de {mesure['lignes']} : {debit:.0f} lignes par seconde, {memoire:.0f} Mo\n")

    def texte(self) -> str:
        if not self._secondes:
            return ""
        tailles = sorted({taille for durees in self._secondes.values() for taille in durees})
        colonnes = "".join(f"{taille:>12}" for taille in tailles)
        entete = f"{'millisecondes':<{LARGEUR}}{'requêtes':>10}{colonnes}{'croissance':>12}\n"
        return entete + "".join(self._ligne(nom, tailles) for nom in self._secondes) + "".join(self._exports) + "\n"

    def _ligne(self, nom: str, tailles: list[int]) -> str:
        durees = self._secondes[nom]
        colonnes = "".join(f"{durees[taille] * 1000:>12.1f}" for taille in tailles)
        croissance = durees[tailles[-1]] / durees[tailles[0]]
        return f"{nom:<{LARGEUR}}{self._requetes[nom] or '':>10}{colonnes}{croissance:>12.1f}\n"
