"""Prepared reads: a queryset written and compiled once per shape, then run with new values.

`@preparee` turns a function that writes a queryset into a read. What decides the SQL is its shape: the kind and rights
of the actor, an argument that is None, a flag. What only fills it is a placeholder: the actor's key, an id, a date.
"""

import threading
from collections.abc import Callable
from datetime import date, datetime
from functools import update_wrapper
from inspect import Parameter, signature
from types import UnionType
from typing import Any, Generic, NamedTuple, ParamSpec, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from django.db import connections, models
from django.db.models.expressions import Expression

from socle.domaine import plans
from socle.domaine.acteurs import Acteur, ActeurCompte, ActeurInvite
from socle.domaine.conditions import Place
from socle.domaine.lecteurs import Connexion
from socle.domaine.plans import Plan
from socle.domaine.variantes import (
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


PLANS_MAX = 128  # of one read; past it the oldest is compiled again
_UUID = models.UUIDField()
_CHAMPS: dict[type, models.Field[Any, Any]] = {
    UUID: _UUID,
    datetime: models.DateTimeField(),
    date: models.DateField(),
    int: models.BigIntegerField(),
    str: models.TextField(),
}


class Attendu(Expression):
    """A value that each run gives, in the place of the value itself."""

    def __init__(self, nom: str, output_field: models.Field[Any, Any]) -> None:
        super().__init__(output_field=output_field)
        self.nom = nom

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", [Place(self.nom, self.output_field)]


class ActeurAttendu(Attendu):
    """The account or the guest session of the actor: its role belongs to the shape, its key is a placeholder."""

    role = ""

    @property
    def pk(self) -> "ActeurAttendu":
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
    """The read that `@preparee` makes; called, it gives a `Demande` with these values."""

    def __init__(self, ecrire: Callable[P, models.QuerySet[Any]]) -> None:
        self.ecrire: Callable[..., models.QuerySet[Any]] = ecrire
        types = get_type_hints(ecrire)
        parametres = signature(ecrire).parameters
        self._defauts = {nom: p.default for nom, p in parametres.items() if p.default is not Parameter.empty}
        self._champs = {nom: _champ(types[nom]) for nom in parametres}
        self._acteurs = {nom for nom in parametres if Acteur in (types[nom], *get_args(types[nom]))}
        self._places = tuple((nom, champ, nom in self._acteurs) for nom, champ in self._champs.items())
        self._plans: dict[Any, Plan] = {}
        update_wrapper(self, ecrire)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> "Demande":
        donnees = {**self._defauts, **dict(zip(self._champs, args)), **kwargs}  # noqa: B905 -- some come by name
        forme: list[Any] = []
        valeurs: dict[str, Any] = {}
        for nom, champ, est_acteur in self._places:
            valeur = donnees[nom]
            if valeur is None:
                forme.append(None)
            elif champ is not None:
                forme.append(Attendu)
                est_un_texte = champ is _UUID and isinstance(valeur, str)
                valeurs[nom] = UUID(valeur) if est_un_texte else valeur
            elif est_acteur:
                forme.append((valeur.source, valeur.droits))
                valeurs[nom] = valeur.pk
            else:
                forme.append(valeur)
        return Demande(self, donnees, tuple(forme), valeurs)

    def plan(self, demande: "Demande", variante: Variante, connexion: Connexion) -> Plan:
        cle = (connexion.vendor, variante, demande.forme)
        plan = self._plans.get(cle)
        if plan is None:
            if len(self._plans) >= PLANS_MAX:
                self._plans.pop(next(iter(self._plans)), None)
            plan = self._plans[cle] = Plan(self.ecrire(**self._attendus(demande)), connexion, variante)
        return plan

    def oublier(self) -> None:
        """Compile anew at the next run."""
        self._plans.clear()

    def _attendus(self, demande: "Demande") -> dict[str, Any]:
        return {nom: self._attendu(nom, valeur, demande.valeurs) for nom, valeur in demande.donnees.items()}

    def _attendu(self, nom: str, valeur: Any, valeurs: dict[str, Any]) -> Any:
        if nom in self._acteurs and valeur is not None:
            return _sans_nom(nom, valeur)
        champ = self._champs[nom]
        return Attendu(nom, champ) if champ is not None and nom in valeurs else valeur


def preparee(ecrire: Callable[P, models.QuerySet[Any]]) -> LecturePreparee[P]:
    """Make a prepared read of a function that writes a queryset.

    Arguments annotated UUID, str, int, date or datetime are placeholders where they are not None; the others, and the
    kind and rights of an `Acteur`, belong to the shape. The function must not look at a placeholder.
    """
    lecture = LecturePreparee(ecrire)
    PREPAREES.append(lecture)
    return lecture


class Demande:
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

    def liee(self, **objets: Any) -> "Demande":
        """Each row read refers to these objects by these relations, as one of a related manager does to its own."""
        self._liens = objets
        return self

    def queryset(self) -> Any:
        """The queryset as it is written without preparation, to be narrowed further."""
        return self._lecture.ecrire(**self.donnees)

    def lignes(self) -> list[Any]:
        return self._lire(self.toutes())

    def premiere(self, *, sonde: float | None = None) -> Any:
        """The first row in the queryset's order (by key, if it has none), or None; `sonde` as in `Plan.lire`."""
        lues = self._lire(self.une(), sonde=sonde)
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
        """How many rows there are: exactly, or up to `plafond`, where counting stops."""
        return Passage(self, NOMBRE if plafond is None else Nombre(plafond))

    def somme(self, taille: int | None = None) -> "Passage":
        """The sum of the one column that is read, over the first so many rows, or over all."""
        return Passage(self, Somme(taille))

    def quelques(self, debut: int, taille: int) -> "Passage":
        """Rows from an offset on. The limit is written out: PostgreSQL plans an unknown one as a tenth of the table."""
        if debut == 0:
            return Passage(self, Tranche(taille))
        return Passage(self, Tranche(taille, decalee=True), debut)

    def bornee(self, bornes: dict[str, datetime]) -> "Demande":
        """The same read with other values for these arguments."""
        return self._lecture(**{**self.donnees, **bornes}).liee(**self._liens)

    def _lire(self, passage: "Passage", *, sonde: float | None = None) -> list[Any]:
        connexion = connexion_du_fil()
        return self._lier(passage.plan(connexion).lire(connexion, passage.valeurs(), sonde), passage.variante)

    def _lier(self, lues: list[Any], variante: Variante) -> list[Any]:
        if self._liens and est_une_lecture(variante):
            for nom, objet in self._liens.items():
                for ligne in lues:
                    ligne._state.fields_cache[nom] = objet
        return lues


class Passage(NamedTuple):
    """One statement of a prepared read, to be run."""

    demande: Demande
    variante: Variante
    debut: int | None = None

    def plan(self, connexion: Connexion) -> Plan:
        return self.demande._lecture.plan(self.demande, self.variante, connexion)

    def valeurs(self) -> dict[str, Any]:
        valeurs = self.demande.valeurs
        return valeurs if self.debut is None else {**valeurs, DEBUT.nom: self.debut}


def ensemble(*passages: Passage) -> list[list[Any]]:
    """What each reads, run in this order, numbers last: on PostgreSQL in one round trip.

    Behind a lock, each sees what was committed before it was held.
    """
    connexion = connexion_du_fil()
    a_lire = [(passage.plan(connexion), passage.valeurs()) for passage in passages]
    lues = plans.lire_ensemble(connexion, *a_lire)
    return [passage.demande._lier(siennes, passage.variante) for passage, siennes in zip(passages, lues, strict=True)]


def _champ(type_: Any) -> models.Field[Any, Any] | None:
    """The field of a placeholder of this type; None for a type that belongs to the shape."""
    types = get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)
    return next((_CHAMPS[un] for un in types if un in _CHAMPS), None)


def _sans_nom(nom: str, acteur: Acteur) -> Acteur:
    """An actor of this kind and role whose key is a placeholder: nothing of the first one who asks stays in a plan."""
    qui: Any = ActeurAttendu(nom, _CHAMPS[UUID])
    if acteur.est_invite:
        return ActeurInvite(invite=qui)
    qui.role = acteur.compte.role
    return ActeurCompte(compte=qui)
