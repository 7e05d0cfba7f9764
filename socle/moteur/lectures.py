"""Prepared reads: a queryset written and compiled once per shape, then run with new values.

`@preparee` turns a function that writes a queryset into a read. What decides the SQL is its shape: the kind and rights
of the actor, an argument that is None, a flag. What only fills it is a placeholder: the actor's key, an id, a date.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from datetime import date, datetime
from functools import update_wrapper
from inspect import Parameter, signature
from types import UnionType
from typing import Any, Generic, NamedTuple, ParamSpec, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from django.db import connections, models
from django.db.models.expressions import Expression

from socle.moteur import compilee, ordinaire
from socle.moteur.choix import ORDINAIRE
from socle.moteur.compilee import RequeteCompilee
from socle.moteur.conditions import Cles, Place
from socle.moteur.rangees import Connexion
from socle.moteur.variantes import (
    CHACUNE,
    DEBUT,
    NOMBRE,
    TOUT,
    UNE,
    Nombre,
    Somme,
    Tranche,
    Variante,
    est_une_lecture,
)

P = ParamSpec("P")
BASE = "default"


class _DuFil(threading.local):
    connexion: Connexion = None


_du_fil = _DuFil()


def connexion_du_fil() -> Connexion:
    """This thread's `connections[BASE]`, which Django looks up through three objects, several times a statement.

    For a thread without a loop: those of a loop's tasks are not its thread's.
    """
    if _du_fil.connexion is None:
        _du_fil.connexion = connections[BASE]
    return _du_fil.connexion


COMPILEES_MAX = 128  # of one read; past it the oldest is compiled again
_UUID = models.UUIDField()
_CHAMPS: dict[Any, models.Field[Any, Any]] = {
    UUID: _UUID,
    datetime: models.DateTimeField(),
    date: models.DateField(),
    int: models.BigIntegerField(),
    str: models.TextField(),
    list[UUID]: Cles(),
}


class Attendu(Expression):
    """A value that each run gives, in the place of the value itself."""

    def __init__(self, nom: str, output_field: models.Field[Any, Any]) -> None:
        super().__init__(output_field=output_field)
        self.nom = nom

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", (Place(self.nom, self.output_field),)


class Personne(ABC):
    """Argument of a prepared read of which the rights belong to the shape, and the key is a placeholder."""

    pk: Any

    @property
    @abstractmethod
    def forme(self) -> Hashable:
        """Part of the argument that decides the statement."""

    @abstractmethod
    def sans_nom(self, cle: "CleAttendue") -> "Personne":
        """Somebody of this kind and these rights, with the placeholder for a key: no plan keeps who asked first."""


class CleAttendue(Attendu):
    """The placeholder of somebody's key, which is that somebody as well; `role` is what the shape knows of them."""

    role = ""

    @property
    def pk(self) -> "CleAttendue":
        return self


def uuid_ou_attendu(valeur: Any) -> Any:
    """The expression of an id: the placeholder as it is, a UUID or its text as a value."""
    if isinstance(valeur, Expression):
        return valeur
    return models.Value(UUID(str(valeur)), output_field=_CHAMPS[UUID])


def derive_ou_attendu(valeur: Any, champ: models.Field[Any, Any]) -> Expression:
    """The expression of what this field makes of a value, or of the placeholder of one."""
    if isinstance(valeur, Attendu):
        return Attendu(valeur.nom, champ)
    return models.Value(valeur, output_field=champ)


# Those of the whole service, for its tests.
PREPAREES: list["LecturePreparee[Any]"] = []


class LecturePreparee(Generic[P]):
    """The read that `@preparee` makes; called, it gives a `LectureRemplie` with these values."""

    def __init__(self, ecrire: Callable[P, models.QuerySet[Any]]) -> None:
        self.ecrire: Callable[..., models.QuerySet[Any]] = ecrire
        types = get_type_hints(ecrire)
        parametres = signature(ecrire).parameters
        self._defauts = {nom: p.default for nom, p in parametres.items() if p.default is not Parameter.empty}
        self._champs = {nom: _champ(types[nom]) for nom in parametres}
        self._personnes = {nom for nom in parametres if any(map(_est_une_personne, _types(types[nom])))}
        self._places = tuple((nom, champ, nom in self._personnes) for nom, champ in self._champs.items())
        self._compilees: dict[Any, RequeteCompilee] = {}
        update_wrapper(self, ecrire)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> "LectureRemplie":
        if len(args) > len(self._champs):
            raise TypeError(f"{self.ecrire.__name__} : {len(args)} arguments pour {len(self._champs)}.")
        donnees = {**self._defauts, **dict(zip(self._champs, args)), **kwargs}  # noqa: B905 -- some come by name
        forme: list[Any] = []
        valeurs: dict[str, Any] = {}
        for nom, champ, est_une_personne in self._places:
            valeur = donnees[nom]
            if valeur is None:
                forme.append(None)
            elif champ is not None:
                forme.append(Attendu)
                est_un_texte = champ is _UUID and isinstance(valeur, str)
                valeurs[nom] = UUID(valeur) if est_un_texte else valeur
            elif est_une_personne:
                forme.append(valeur.forme)
                valeurs[nom] = valeur.pk
            else:
                forme.append(valeur)
        return LectureRemplie(self, donnees, tuple(forme), valeurs)

    def compilee(self, demande: "LectureRemplie", variante: Variante, connexion: Connexion) -> RequeteCompilee:
        cle = (connexion.vendor, variante, demande.forme)
        compilee = self._compilees.get(cle)
        if compilee is None:
            if len(self._compilees) >= COMPILEES_MAX:
                self._compilees.pop(next(iter(self._compilees)), None)
            compilee = self._compilees[cle] = RequeteCompilee(
                self.ecrire(**self._attendus(demande)), connexion, variante
            )
        return compilee

    def oublier(self) -> None:
        """Compile anew at the next run."""
        self._compilees.clear()

    def _attendus(self, demande: "LectureRemplie") -> dict[str, Any]:
        return {nom: self._attendu(nom, valeur, demande.valeurs) for nom, valeur in demande.donnees.items()}

    def _attendu(self, nom: str, valeur: Any, valeurs: dict[str, Any]) -> Any:
        if nom in self._personnes and valeur is not None:
            return valeur.sans_nom(CleAttendue(nom, _CHAMPS[UUID]))
        champ = self._champs[nom]
        return Attendu(nom, champ) if champ is not None and nom in valeurs else valeur


def preparee(ecrire: Callable[P, models.QuerySet[Any]]) -> LecturePreparee[P]:
    """Make a prepared read of a function that writes a queryset.

    Arguments annotated UUID, list[UUID], str, int, date or datetime are placeholders where they are not None; the
    others, and the `forme` of a `Personne`, belong to the shape. The function must not look at a placeholder.
    """
    lecture = LecturePreparee(ecrire)
    PREPAREES.append(lecture)
    return lecture


class LectureRemplie:
    """A prepared read with its values; each method runs one statement, and those of its prefetches."""

    __slots__ = ("_lecture", "_liens", "donnees", "forme", "valeurs")

    def __init__(
        self, lecture: LecturePreparee[Any], donnees: dict[str, Any], forme: tuple[Any, ...], valeurs: dict[str, Any]
    ) -> None:
        self._lecture = lecture
        self.donnees = donnees
        self.forme = forme
        self.valeurs = valeurs
        self._liens: dict[str, Any] = {}

    def liee(self, **objets: Any) -> "LectureRemplie":
        """Each row read refers to these objects by these relations, as one of a related manager does to its own."""
        self._liens = objets
        return self

    def queryset(self) -> Any:
        """The queryset as it is written without preparation, to be narrowed further."""
        return self._lecture.ecrire(**self.donnees)

    def lignes(self) -> list[Any]:
        return self._lire(self.toutes())

    def premiere(self, *, preuve_de_connexion: float | None = None) -> Any:
        """The first row in the queryset's order (by key, if it has none), or None.

        `preuve_de_connexion` as in `sur_une_connexion`.
        """
        lues = self._lire(self.une(), preuve=preuve_de_connexion)
        return lues[0] if lues else None

    def tranche(self, debut: int, taille: int) -> list[Any]:
        return self._lire(self.quelques(debut, taille))

    def nombre(self) -> int:
        return int(self._lire(self.combien())[0])

    def toutes(self) -> "Passage":
        return Passage(self, TOUT)

    def une(self) -> "Passage":
        return Passage(self, UNE)

    def par_chacune(self) -> "Passage":
        """Of sums by columns of text, the sums by each of these columns alone; the others are None in its rows."""
        return Passage(self, CHACUNE)

    def combien(self, plafond: int | None = None) -> "Passage":
        """Number of rows: exact, or up to `plafond`, where counting stops."""
        return Passage(self, NOMBRE if plafond is None else Nombre(plafond))

    def somme(self, taille: int | None = None) -> "Passage":
        """The sum of the one column that is read, over the first so many rows, or over all."""
        return Passage(self, Somme(taille))

    def quelques(self, debut: int, taille: int) -> "Passage":
        """Rows from an offset on. The limit is written out: PostgreSQL plans an unknown one as a tenth of the table."""
        if debut == 0:
            return Passage(self, Tranche(taille))
        return Passage(self, Tranche(taille, decalee=True), debut)

    def bornee(self, bornes: dict[str, datetime]) -> "LectureRemplie":
        """The same read with other values for these arguments."""
        return self._lecture(**{**self.donnees, **bornes}).liee(**self._liens)

    def _lire(self, passage: "Passage", *, preuve: float | None = None) -> list[Any]:
        if ORDINAIRE:
            return self._lier(
                ordinaire.lire(passage.demande.queryset(), passage.variante, passage.debut or 0), passage.variante
            )
        connexion = connexion_du_fil()
        return self._lier(passage.compilee(connexion).lire(connexion, passage.valeurs(), preuve), passage.variante)

    def _lier(self, lues: list[Any], variante: Variante) -> list[Any]:
        if self._liens and lues and est_une_lecture(variante):
            for nom, objet in self._liens.items():
                lier = lues[0]._meta.get_field(nom).set_cached_value
                for ligne in lues:
                    lier(ligne, objet)
        return lues


class Passage(NamedTuple):
    """One statement of a prepared read, to be run."""

    demande: LectureRemplie
    variante: Variante
    debut: int | None = None

    def compilee(self, connexion: Connexion) -> RequeteCompilee:
        return self.demande._lecture.compilee(self.demande, self.variante, connexion)

    def valeurs(self) -> dict[str, Any]:
        valeurs = self.demande.valeurs
        return valeurs if self.debut is None else {**valeurs, DEBUT.nom: self.debut}


def ensemble(*passages: Passage) -> list[list[Any]]:
    """Run these reads in this order, numbers last, and return the rows of each: on PostgreSQL in one round trip.

    Behind a lock, each sees what was committed before it was held.
    """
    if ORDINAIRE:
        return [passage.demande._lire(passage) for passage in passages]
    connexion = connexion_du_fil()
    a_lire = [(passage.compilee(connexion), passage.valeurs()) for passage in passages]
    lues = compilee.lire_ensemble(connexion, *a_lire)
    return [passage.demande._lier(siennes, passage.variante) for passage, siennes in zip(passages, lues, strict=True)]


def _champ(type_: Any) -> models.Field[Any, Any] | None:
    """The field of a placeholder of this type; None for a type that belongs to the shape."""
    return next((_CHAMPS[un] for un in _types(type_) if un in _CHAMPS), None)


def _types(type_: Any) -> tuple[Any, ...]:
    return get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)


def _est_une_personne(type_: Any) -> bool:
    return isinstance(type_, type) and issubclass(type_, Personne)
