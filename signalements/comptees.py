"""The columns of a report that the counters look at, and a guard: none of them is written uncounted.

`suivre` and `suivre_lignes` (`compteurs.suivi`) open the guard; it costs no query, and a read some microseconds a row.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db import models

from socle.domaine.modeles import AbsorbableQuerySet


class Ligne(NamedTuple):
    """Named tuple of a report's counted columns: a cell that looks at another column gets an AttributeError."""

    statut: str
    type: str
    priorite: str
    mode_identification: str
    compte_id: UUID | None
    invite_id: UUID | None
    fusionne_de_id: UUID | None
    gestionnaire_id: UUID | None
    date_creation: datetime
    date_resolution: datetime | None
    absorbe_par_id: UUID | None
    ouvert_a: str
    equipe_id: UUID | None
    echeances: list[dict[str, Any]]


COMPTEES = Ligne._fields
# Ids of the rows that `suivre_lignes` counts before and after; None outside of it.
_en_masse: ContextVar[frozenset[UUID] | None] = ContextVar("en_masse", default=None)


class ChangementNonCompte(RuntimeError):
    """Raised where a counted column would be written outside `suivre`: every number would be wrong from then on."""


@contextmanager
def ouvrir_lignes(cles: Iterable[UUID]) -> Iterator[None]:
    """Let statements write the counted columns of these rows."""
    jeton = _en_masse.set(frozenset(cles))
    try:
        yield
    finally:
        _en_masse.reset(jeton)


class LignesComptees(AbsorbableQuerySet):
    """Guard bulk writes of counted columns; `update` and `delete` know no rows: any open `suivre_lignes` lets them."""

    def update(self, **valeurs: Any) -> int:
        _exiger(_en_masse.get() is not None or not _comptees_parmi(valeurs), "update()")
        return super().update(**valeurs)

    def bulk_update(self, objs: Iterable[Any], fields: Iterable[str], batch_size: int | None = None) -> int:
        lignes, champs = tuple(objs), tuple(fields)
        if _comptees_parmi(champs):
            _exiger(all(ligne.est_ouverte for ligne in lignes), "bulk_update()")
        nombre = super().bulk_update(lignes, champs, batch_size)
        for ligne in lignes:
            ligne.retenir(champs)
        return nombre

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        lignes = list(objs)
        _exiger(all(ligne.est_ouverte for ligne in lignes), "bulk_create()")
        creees = super().bulk_create(lignes, *args, **options)
        for ligne in creees:
            ligne.retenir()
        return creees

    def delete(self) -> tuple[int, dict[str, int]]:
        _exiger(_en_masse.get() is not None, "delete()")
        return super().delete()


class LigneComptee(models.Model):
    """Guard of one row: `comptees` holds its counted columns as they were read, or last written."""

    comptees: dict[str, Any] | None = None  # None for a row that is not written yet
    _ouverte = False

    class Meta:
        abstract = True

    def save(self, *, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        champs = None if update_fields is None else list(update_fields)
        self.avant_d_ecrire(champs)
        super().save(update_fields=champs, **options)
        self.retenir(champs)

    def delete(self, using: Any = None, keep_parents: bool = False) -> tuple[int, dict[str, int]]:
        _exiger(self.pk in (_en_masse.get() or ()), "delete()")
        return super().delete(using, keep_parents)

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **options: Any) -> Self:
        ligne = super().from_db(db, field_names, values, **options)
        ligne.lu()
        return ligne

    def lu(self) -> None:
        """Hook of whoever makes a row out of the database: `from_db`, and prepared reads."""
        ici = self.__dict__
        self.comptees = {nom: ici[nom] for nom in COMPTEES if nom in ici}

    def refresh_from_db(self, using: str | None = None, fields: Any = None, from_queryset: Any = None) -> None:
        super().refresh_from_db(using=using, fields=fields, from_queryset=from_queryset)
        self.retenir(fields)

    def avant_d_ecrire(self, champs: Iterable[str] | None = None) -> None:
        """Refuse to write a counted column that has changed outside `suivre`; hook of `modifier`."""
        if not self.est_ouverte:
            changees = [nom for nom in _comptees_parmi(champs) if self._a_change(nom)]
            _exiger(not changees, f"save(), {', '.join(changees)}")

    def exiger_ouverte(self) -> None:
        """Hook of `inserer`."""
        _exiger(self.est_ouverte, "inserer()")

    @property
    def est_ouverte(self) -> bool:
        return self._ouverte or self.pk in (_en_masse.get() or ())

    @contextmanager
    def ouvrir(self) -> Iterator[None]:
        """Let this row be saved, whatever has changed in it."""
        _exiger(not self.est_ouverte, "suivre() dans suivre()")
        self._ouverte = True
        try:
            yield
        finally:
            self._ouverte = False

    def retenir(self, champs: Iterable[str] | None = None) -> None:
        """Record the counted columns, or those of `champs`, as the values that the database now holds."""
        ici = {nom: self.__dict__[nom] for nom in _comptees_parmi(champs) if nom in self.__dict__}
        self.comptees = ici if self.comptees is None else self.comptees | ici

    def _a_change(self, nom: str) -> bool:
        """True where the column differs from its recorded value; False for one not loaded: it is not written either."""
        connues, ici = self.comptees or {}, self.__dict__
        return nom in ici and (nom not in connues or connues[nom] != ici[nom])


def _comptees_parmi(champs: Iterable[str] | None) -> tuple[str, ...]:
    """Filter `champs` to the counted columns, all of them for None; a relation goes by its name or its column's."""
    if champs is None:
        return COMPTEES
    noms = set(champs)
    return tuple(nom for nom in COMPTEES if nom in noms or nom.removesuffix("_id") in noms)


def _exiger(compte: bool, acte: str) -> None:
    if not compte:
        raise ChangementNonCompte(f"Un signalement changerait sans être compté : {acte}, hors de suivre().")
