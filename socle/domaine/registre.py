"""A seam: a lower app declares a Registre, higher apps fill it at start."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Registre:
    """Named functions; a name is taken once, so that two apps cannot answer the same question."""

    def __init__(self) -> None:
        self._entrees: dict[str, Callable[..., Any]] = {}

    def __call__(self, nom: str) -> Callable[[F], F]:
        def inscrire(fonction: F) -> F:
            if nom in self._entrees:
                raise ValueError(f"« {nom} » est déjà inscrit.")
            self._entrees[nom] = fonction
            return fonction

        return inscrire

    def get(self, nom: str) -> Callable[..., Any] | None:
        return self._entrees.get(nom)

    def items(self) -> Iterator[tuple[str, Callable[..., Any]]]:
        return iter(self._entrees.items())
