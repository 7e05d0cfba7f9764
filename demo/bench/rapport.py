"""Tables of the figures: of readings by size, of routes beside a bare view, of sockets."""

from collections.abc import Callable
from typing import Any

LARGEUR = 28


class Rapport:
    """A row a reading, a column a size, and the ratio of the last size to the first."""

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


class RapportServi:
    """A row a route; CPU and time as ratios to a bare view, so that a run compares with another machine's."""

    def __init__(self) -> None:
        self._routes: list[dict[str, Any]] = []
        self._sockets: list[dict[str, Any]] = []

    def ajouter(self, mesure: dict[str, Any]) -> None:
        (self._routes if mesure["quoi"] == "http" else self._sockets).append(mesure)

    def texte(self) -> str:
        return _table(COLONNES_HTTP, "route", self._routes) + _table(COLONNES_SOCKETS, "sockets", self._sockets)


def _ms(valeur: float | None) -> str:
    return "-" if valeur is None else f"{valeur * 1000:.2f}"


Colonnes = dict[str, Callable[[dict[str, Any]], str]]
COLONNES_HTTP: Colonnes = {
    "par s": lambda m: f"{m['debit']:.0f}",
    "p50 ms": lambda m: _ms(m["p50"]),
    "p99 ms": lambda m: _ms(m["p99"]),
    "CPU ms": lambda m: _ms(m["processeur"]),
    "requêtes": lambda m: str(m["requetes"]),
    "interne ms": lambda m: _ms(m["interne"]),
    "SQL nu ms": lambda m: _ms(m["sql"]),
    "vue nue ms": lambda m: _ms(m["nue"]),
    "CPU × nue": lambda m: "-" if m["processeur"] is None else f"{m['processeur'] / m['processeur_nue']:.1f}",
    "temps × nue": lambda m: f"{m['rapport']:.1f}",
    "calcul × nue": lambda m: f"{m['calcul']:.1f}",
}
COLONNES_SOCKETS: Colonnes = {
    "ouvrir ms": lambda m: _ms(m["ouverture"]),
    "livrer µs": lambda m: "-" if m["livraison"] is None else f"{m['livraison'] * 1e6:.0f}",
    "dernier ms": lambda m: _ms(m["derniere"]),
    "rafale par s": lambda m: f"{m['rafale']:.0f}",
    "Kio": lambda m: "-" if m["octets"] is None else f"{m['octets'] / 1024:.1f}",
}


def _table(colonnes: Colonnes, quoi: str, mesures: list[dict[str, Any]]) -> str:
    if not mesures:
        return ""
    lignes = [f"{quoi:<{LARGEUR}}" + "".join(f"{titre:>13}" for titre in colonnes)]
    for mesure in mesures:
        dites = "".join(f"{dire(mesure):>13}" for dire in colonnes.values())
        lignes.append(f"{mesure['nom']:<{LARGEUR}}{dites}")
    return "\n".join(lignes) + "\n\n"
