"""Prepared writes, by statements that are written once: new rows of one model, columns and lock of one row."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import orjson
from django.db import DatabaseError, models
from django.db.transaction import TransactionManagementError
from psycopg.types.json import Jsonb
from psycopg.types.numeric import Int2, Int4, Int8

from socle.erreurs import Introuvable
from socle.moteur import ordinaire
from socle.moteur.choix import ORDINAIRE
from socle.moteur.compilee import est_observee, mettre_en_etat, sur_une_connexion
from socle.moteur.lectures import BASE, LecturePreparee, LectureRemplie, connexion_du_fil, ensemble
from socle.moteur.pipeline import Ordre

M = TypeVar("M", bound=models.Model)
ENSEMBLE_MAX = 16  # rows of one prepared statement; more go through `bulk_create`
# Fields whose values the driver takes as they are, where the database has their type.
_TELS_QUELS = (
    models.UUIDField,
    models.CharField,
    models.TextField,
    models.BooleanField,
    models.DateTimeField,
    models.DateField,
)
# The size of the column, whatever that of the number: a statement is prepared for its types.
_ENTIERS: dict[type[Any], Callable[[int], Any]] = {
    models.SmallIntegerField: Int2,
    models.PositiveSmallIntegerField: Int2,
    models.IntegerField: Int4,
    models.PositiveIntegerField: Int4,
    models.BigIntegerField: Int8,
    models.PositiveBigIntegerField: Int8,
}
# Dates and data classes are left to the encoder of the field.
_TEL_QUE_JSON = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
Colonne = Callable[[Any, Any, Any], Any]  # (row, its attribute, connection) -> what is stored


class _Ecriture(NamedTuple):
    texte: str  # as Django's cursors take it
    direct: Any  # as the driver takes it
    lire: Callable[[Any], tuple[Any, ...]]  # the attributes of a row, in the order of the columns
    colonnes: tuple[tuple[int, Colonne], ...]  # those that are not stored as they are, by their rank

    def valeurs(self, rangees: Iterable[Any], connexion: Any) -> list[Any]:
        valeurs: list[Any] = []
        for rangee in rangees:
            siennes = list(self.lire(rangee))
            for rang, colonne in self.colonnes:
                siennes[rang] = colonne(rangee, siennes[rang], connexion)
            valeurs += siennes
        return valeurs


def inserer(*lignes: models.Model, sauf_conflit: bool = False, preuve_de_connexion: float | None = None) -> int:
    """Insert new rows of one model, and return how many: with `sauf_conflit` one that a constraint refuses is left out.

    With `preuve_de_connexion` as well, outside of a transaction, they stand for the connection's health check: as in
    `sur_une_connexion` they may be sent twice, and the second finds a row of the first in its place.

    For rows whose key is known: nothing is read back. No signal is sent, as by `bulk_create`. Where PostgreSQL refuses
    one, the transaction's next statement says so, its commit at the latest.
    """
    if not lignes:
        return 0
    if ORDINAIRE:
        return ordinaire.inserer(lignes, sauf_conflit=sauf_conflit)
    modele = type(lignes[0])
    for ligne in lignes:
        getattr(ligne, "exiger_ouverte", _rien)()
    if len(lignes) > ENSEMBLE_MAX:
        modele._base_manager.bulk_create(lignes, ignore_conflicts=sauf_conflit)
        return len(lignes)
    nombre = _inserer(modele, lignes, sauf_conflit=sauf_conflit, preuve=preuve_de_connexion)
    for ligne in lignes:
        ligne._state.adding = False
        ligne._state.db = BASE
        getattr(ligne, "lu", _rien)()
    return nombre


def inserer_rangees(modele: type[models.Model], rangees: Sequence[Any]) -> None:
    """Insert rows given as objects that have a value for each column; up to ENSEMBLE_MAX, no model is made of them."""
    if len(rangees) > ENSEMBLE_MAX or ORDINAIRE:
        ordinaire.inserer_rangees(modele, rangees, [champ.attname for champ in _champs_ecrits(modele)])
    elif rangees:
        _inserer(modele, rangees)


def _inserer(
    modele: type[models.Model],
    rangees: Sequence[Any],
    *,
    sauf_conflit: bool = False,
    preuve: float | None = None,
) -> int:
    connexion = connexion_du_fil()
    insertion = _insertion(modele, len(rangees), sauf_conflit, connexion.vendor)
    valeurs = insertion.valeurs(rangees, connexion)
    if sauf_conflit:
        return _compter(insertion, valeurs, connexion, preuve)
    _ecrire(insertion, valeurs, connexion)
    return len(rangees)


def _rien(*_: Any) -> None: ...


def _champs_ecrits(modele: type[models.Model]) -> list[Any]:
    """All columns but the key that the database gives."""
    return [champ for champ in modele._meta.concrete_fields if not isinstance(champ, models.AutoField)]


@cache
def _insertion(modele: type[models.Model], nombre: int, sauf_conflit: bool, moteur: str) -> _Ecriture:
    champs = _champs_ecrits(modele)
    noms = ", ".join(f'"{champ.column}"' for champ in champs)
    rangee = f"({', '.join(['%s'] * len(champs))})"
    conflit = " ON CONFLICT DO NOTHING" if sauf_conflit else ""
    texte = f'INSERT INTO "{modele._meta.db_table}" ({noms}) VALUES {", ".join([rangee] * nombre)}{conflit}'  # noqa: S608
    return _ecriture(texte, champs, moteur, neuve=True)


def modifier(ligne: models.Model, *champs: str) -> None:
    """Write these columns of a row, by the names of their fields; DatabaseError where it is gone, as with `save`.

    On PostgreSQL the transaction's next statement says so, its commit at the latest.
    """
    if ORDINAIRE:
        ordinaire.modifier(ligne, champs)
        return
    getattr(ligne, "avant_d_ecrire", _rien)(champs)
    connexion = connexion_du_fil()
    ecriture = _modification(type(ligne), champs, connexion.vendor)
    _ecrire(ecriture, ecriture.valeurs([ligne], connexion), connexion)
    getattr(ligne, "retenir", _rien)(champs)


@cache
def _modification(modele: Any, noms: tuple[str, ...], moteur: str) -> _Ecriture:
    champs = [modele._meta.get_field(nom) for nom in noms]
    colonnes = ", ".join(f'"{champ.column}" = %s' for champ in champs)
    cle = modele._meta.pk
    texte = f'UPDATE "{modele._meta.db_table}" SET {colonnes} WHERE "{cle.column}" = %s'  # noqa: S608 -- our own names
    ecriture = _ecriture(texte, [*champs, cle], moteur, neuve=False)
    if moteur == "postgresql":  # whose next statement may be the commit: the database itself refuses a row that is gone
        compte = b"WITH ecrite AS (%s RETURNING 1) SELECT 1 / count(*) FROM ecrite" % ecriture.direct
        return ecriture._replace(direct=compte)
    return ecriture


def _ecriture(texte: str, champs: list[Any], moteur: str, *, neuve: bool) -> _Ecriture:
    if moteur == "postgresql":
        morceaux = texte.split("%s")
        numeros = [f"${rang}{morceau}" for rang, morceau in enumerate(morceaux[1:], start=1)]
        direct: Any = "".join([morceaux[0], *numeros]).encode()
    else:
        direct = texte.replace("%s", "?")
    colonnes = ((rang, _colonne(champ, moteur, neuve)) for rang, champ in enumerate(champs))
    converties = tuple((rang, colonne) for rang, colonne in colonnes if colonne is not None)
    return _Ecriture(texte, direct, attrgetter(*(champ.attname for champ in champs)), converties)


def _colonne(champ: Any, moteur: str, neuve: bool) -> Colonne | None:
    """Function that gets the value of one column, as its field would store it; None where it is the attribute."""
    base = champ.target_field if isinstance(champ, models.ForeignKey) else champ
    if moteur == "postgresql" and type(base) in _TELS_QUELS:
        return None
    if moteur == "postgresql" and (entier := _ENTIERS.get(type(base))) is not None:
        return lambda _ligne, valeur, _connexion: None if valeur is None else entier(valeur)
    if moteur == "postgresql" and type(base) is models.JSONField:
        return lambda _ligne, valeur, _connexion: _jsonb(valeur, base.encoder)
    return lambda ligne, _valeur, connexion: champ.get_db_prep_save(champ.pre_save(ligne, neuve), connexion)


def _jsonb(valeur: Any, encodeur: Any) -> Jsonb | None:
    return None if valeur is None else Jsonb(valeur, dumps=partial(_en_json, encodeur=encodeur))


def _en_json(valeur: Any, encodeur: Any) -> bytes | str:
    """As the field would write it; what the fast encoder does not write goes to the field's.

    A float that is no number, which no parser of ours lets in, is null, where PostgreSQL would refuse the row.
    """
    try:
        return orjson.dumps(valeur, option=_TEL_QUE_JSON)
    except TypeError:
        return json.dumps(valeur, cls=encodeur)


def _ecrire(ecriture: _Ecriture, valeurs: list[Any], connexion: Any) -> None:
    """Write every row: inside a transaction of PostgreSQL, with its next round trip."""
    if connexion.vendor == "postgresql" and connexion.in_atomic_block and not est_observee(connexion):
        mettre_en_etat(connexion)
        with connexion.wrap_database_errors:
            connexion.connection.en_pipeline.remettre(Ordre(ecriture.direct, valeurs))
    elif not _compter(ecriture, valeurs, connexion):
        raise DatabaseError("No row was there to be written.")


def _compter(ecriture: _Ecriture, valeurs: list[Any], connexion: Any, preuve: float | None = None) -> int:
    """Run the statement now; how many rows it has written. `preuve` as in `sur_une_connexion`."""
    if est_observee(connexion):
        with connexion.cursor() as curseur:
            curseur.execute(ecriture.texte, valeurs)
            return int(curseur.rowcount)

    def executer() -> int:
        pilote = connexion.connection
        with connexion.wrap_database_errors:
            if connexion.vendor == "postgresql":
                return int(pilote.en_pipeline.ecrire(ecriture.direct, valeurs))
            return int(pilote.execute(ecriture.direct, valeurs).rowcount)

    return sur_une_connexion(connexion, preuve, executer)


def de_cle(modele: type[M], pk: Any) -> M:
    """A row of which nothing but its key is known, for `verrouiller_ligne` to read; no other use of it is meant."""
    ligne = modele(pk=pk)
    ligne._state.adding, ligne._state.db = False, BASE
    return ligne


def verrouiller_ligne(ligne: models.Model, *ensuite: LectureRemplie) -> list[Any]:
    """Lock the row (FOR NO KEY UPDATE) and read its columns anew into the object; Introuvable where it is gone.

    Of a row that its model's `A_VERROUILLER` excludes, Introuvable too. It is not locked, unless it came to be excluded
    while this waited: PostgreSQL then keeps the lock until the transaction ends.

    Return the first row of each read of `ensuite`, or None, as they are once the lock is held.
    """
    if not connexion_du_fil().in_atomic_block:  # Django asks as it compiles: once
        raise TransactionManagementError("A lock is held by a transaction.")
    modele: Any = type(ligne)
    if ORDINAIRE:
        ordinaire.verrouiller(ligne, _a_verrouiller(modele))
        return [demande.premiere() for demande in ensuite]
    (lue, *lues) = (
        premieres[0] if premieres else None
        for premieres in ensemble(*(demande.une() for demande in (_verrou(modele)(ligne.pk), *ensuite)))
    )
    if lue is None:
        raise Introuvable  # deleted since its door
    vars(ligne).update(vars(lue), _state=ligne._state)
    ligne._state.adding, ligne._state.db = False, BASE  # of a row made by its key alone, too
    for relation in _relations(modele):
        if relation.is_cached(ligne):
            relation.delete_cached_value(ligne)
    getattr(ligne, "_prefetched_objects_cache", {}).clear()
    getattr(ligne, "lu", _rien)()
    return lues


@cache
def _relations(modele: Any) -> tuple[Any, ...]:
    """The fields by which a row keeps the rows that it refers to."""
    return tuple(champ for champ in modele._meta.concrete_fields if champ.is_relation)


def _a_verrouiller(modele: Any) -> models.Q:
    return getattr(modele, "A_VERROUILLER", models.Q())


@cache
def _verrou(modele: type[models.Model]) -> LecturePreparee[Any]:
    def verrou(pk: Any) -> models.QuerySet[Any]:
        # Without joins: a lock that had to wait would read joined rows as they were before the wait.
        return modele._base_manager.select_for_update(no_key=True).filter(_a_verrouiller(modele), pk=pk)

    verrou.__annotations__["pk"] = UUID
    return LecturePreparee(verrou)
