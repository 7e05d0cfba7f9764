"""A rate as the environment writes it; apart from its users, because the settings read it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Taux:
    """`nombre` calls in each window of `duree` seconds."""

    nombre: int
    duree: int

    @classmethod
    def lire(cls, texte: str) -> "Taux":
        """60/min, 120/h, 10/15min."""
        nombre, _, fenetre = texte.strip().partition("/")
        unite = fenetre.lstrip("0123456789")
        secondes = {"s": 1, "min": 60, "h": 3600, "j": 86400}[unite]
        taux = cls(int(nombre), int(fenetre[: len(fenetre) - len(unite)] or "1") * secondes)
        if taux.nombre < 1 or taux.duree < 1:
            raise ValueError(texte)
        return taux
