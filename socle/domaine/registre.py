"""A seam: a lower app declares a Registre, higher apps fill it at start."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

ARRETENT = "campus"  # the tag of the system checks that stop a server

V = TypeVar("V")
F = TypeVar("F", bound=Callable[..., Any])


class CoutureVide(LookupError):
    """Look-up of a name that nobody has filled in a seam: the service is badly put together."""


class Registre(Generic[V]):
    """Seam: a dictionary of values, mostly functions, by name; ValueError for a name that is already taken.

    `attendus` are the names that its callers look up; `comme` adds those filled in another seam.
    """

    def __init__(self, nom: str, *, attendus: Iterable[str] = (), comme: "Registre[Any] | None" = None) -> None:
        self.nom = nom
        self._attendus = tuple(attendus)
        self._comme = comme
        self._entrees: dict[str, V] = {}
        registres.append(self)

    def inscrire(self, nom: str, valeur: V) -> None:
        if nom in self._entrees:
            raise ValueError(f"« {nom} » est déjà inscrit.")
        self._entrees[nom] = valeur

    def __call__(self, nom: str) -> Callable[[F], F]:
        def inscrire(fonction: F) -> F:
            self.inscrire(nom, fonction)  # type: ignore[arg-type]
            return fonction

        return inscrire

    def __getitem__(self, nom: str) -> V:
        self.exiger(nom)
        return self._entrees[nom]

    def exiger(self, nom: str) -> None:
        if nom not in self._entrees:
            raise CoutureVide(f"Personne n'a rempli « {nom} » de la couture « {self.nom} ».")

    def __contains__(self, nom: object) -> bool:
        return nom in self._entrees

    def __iter__(self) -> Iterator[str]:
        return iter(self._entrees)

    def items(self) -> Iterator[tuple[str, V]]:
        """Iterate over all entries; CoutureVide where an expected one is missing."""
        for nom in self.manquants:
            self.exiger(nom)
        return iter(self._entrees.items())

    def retirer(self, nom: str) -> None:
        """Free a name that a test has filled in."""
        self._entrees.pop(nom, None)

    @property
    def manquants(self) -> list[str]:
        """The expected names that nobody has filled in; ["*"] for an empty seam that expects no name in particular."""
        attendus = [*self._attendus, *(self._comme._entrees if self._comme is not None else ())]
        return [nom for nom in attendus or self._entrees or "*" if nom not in self._entrees]


registres: list[Registre[Any]] = []
