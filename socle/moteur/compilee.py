"""Compiled form of a prepared read: its statement, where its values go, and the reader of its rows.

What Django's compiler and iterators work out for each run of a queryset is kept: they are asked once a shape.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import models
from django.db.models import Prefetch
from django.db.models.query import prefetch_related_objects
from django.db.transaction import TransactionManagementError
from django.db.utils import InterfaceError, OperationalError
from psycopg import sql as litteraux

from socle.moteur.conditions import Parmi, Place
from socle.moteur.delais import echeance
from socle.moteur.pipeline import Lignes, Ordre
from socle.moteur.rangees import (
    Connexion,
    Lire,
    Rang,
    convertir,
    convertisseurs,
    est_du_json,
    est_entier,
    lecteur,
    premier,
    sont_entiers,
)
from socle.moteur.variantes import TOUT, Variante, completer, est_une_lecture, marquer_le_debut, se_reunit, varier

T = TypeVar("T")
_MARQUE = re.compile(r"%([%s])")
REUNIONS_MAX = 64  # statements that several numbers make together
_LITTERAUX = (str, int, float, UUID, date, datetime, type(None))


class RequeteCompilee:
    """One statement of one shape on one database, and the reader of its rows."""

    def __init__(self, lignes: models.QuerySet[Any], connexion: Connexion, variante: Variante) -> None:
        lues = varier(lignes, variante)
        compilateur = lues.query.get_compiler(connection=connexion)
        self._fixes: list[Any] | None = None
        self._est_un_nombre = not est_une_lecture(variante)
        self._se_reunit = se_reunit(variante)
        try:
            texte, parametres = marquer_le_debut(*compilateur.as_sql())
        except EmptyResultSet:  # nothing can be found in this shape: no statement is run
            self._fixes = [0] if self._est_un_nombre else []
            return
        self._postgresql = connexion.vendor == "postgresql"
        texte = completer(texte, lues.query, variante, postgresql=self._postgresql)
        self._sql, self._parametres = texte, parametres
        self._direct, self._valeurs = _preparer(texte, parametres, postgresql=self._postgresql)
        self._lire: Lire = premier
        self._rangs: tuple[Rang, ...] = ()
        self._lots: tuple[Lot, ...] = ()
        self._prefetch: tuple[Any, ...] = ()
        if not self._est_un_nombre:
            self._lire = lecteur(lues, compilateur, connexion.alias)
            self._rangs = convertisseurs(compilateur)
            self._lots, self._prefetch = _lots(lues, connexion)
        # The binary form of a JSON column arrives read.
        rangs = tuple(rang for rang in self._rangs if not (self._postgresql and est_du_json(rang)))
        self._rangs_directs = tuple(rang for rang in rangs if not est_entier(rang))
        self._rangs_entiers = tuple(rang for rang in rangs if est_entier(rang))
        sont_des_ids = self._postgresql and all(map(_est_la_place_d_un_id, self._valeurs))
        self._ids = tuple(place.nom for place in self._valeurs) if sont_des_ids else None

    def lire(self, connexion: Connexion, valeurs: dict[str, Any], preuve: float | None = None) -> list[Any]:
        """Run with these values, by the names of their places; `preuve` as in `sur_une_connexion`."""
        if self._fixes is not None:
            return list(self._fixes)
        if est_observee(connexion):
            return self._former(self._par_un_curseur(connexion, valeurs), self._rangs, connexion)
        return self.former(self._directement(connexion, valeurs, preuve), connexion)

    def _directement(self, connexion: Connexion, valeurs: dict[str, Any], preuve: float | None) -> Any:
        if est_en_etat(connexion):
            return self._executer(connexion, self._remplir(connexion, valeurs))
        return sur_une_connexion(
            connexion, preuve, lambda: self._executer(connexion, self._remplir(connexion, valeurs))
        )

    def former(self, lignes: Sequence[Sequence[Any]], connexion: Connexion) -> list[Any]:
        """Build what is read of rows as the driver itself reads them."""
        rangs = self._rangs_directs
        if self._rangs_entiers and not sont_entiers(lignes, self._rangs_entiers):
            rangs += self._rangs_entiers
        return self._former(lignes, rangs, connexion)

    def ordre(self, connexion: Connexion, valeurs: dict[str, Any]) -> Ordre:
        """The statement for PostgreSQL."""
        return Ordre(self._direct, self._remplir(connexion, valeurs))

    def _former(self, lignes: Sequence[Sequence[Any]], rangs: tuple[Rang, ...], connexion: Connexion) -> list[Any]:
        if rangs:
            lignes = list(convertir(lignes, rangs, connexion))
        lues = [self._lire(ligne) for ligne in lignes]
        if lues:
            for lot in self._lots:
                lot.joindre(lues, connexion)
            if self._prefetch:
                prefetch_related_objects(lues, *self._prefetch)
        return lues

    def _par_un_curseur(self, connexion: Connexion, valeurs: dict[str, Any]) -> Sequence[Sequence[Any]]:
        remplis = [_en_base(p, valeurs[p.nom], connexion) if isinstance(p, Place) else p for p in self._parametres]
        with connexion.cursor() as curseur:
            curseur.execute(self._sql, remplis)
            lues: Sequence[Sequence[Any]] = curseur.fetchall()
            return lues

    def _remplir(self, connexion: Connexion, valeurs: dict[str, Any]) -> list[Any]:
        if self._ids is not None:
            return [valeurs[nom] for nom in self._ids]
        return [_en_base(p, valeurs[p.nom], connexion) if p.__class__ is Place else p for p in self._valeurs]

    def _executer(self, connexion: Connexion, remplis: list[Any]) -> Sequence[Sequence[Any]]:
        with connexion.wrap_database_errors:
            if self._postgresql:
                lues: Sequence[Sequence[Any]] = connexion.connection.en_pipeline.lire(self._direct, remplis)
                return lues
            return connexion.connection.execute(self._direct, remplis).fetchall()  # type: ignore[no-any-return]


def est_en_etat(connexion: Connexion) -> bool:
    """True where `sur_une_connexion` would find nothing to do before it runs."""
    return (
        connexion.connection is not None
        and (connexion.health_check_done or not connexion.health_check_enabled)
        and not _est_perdue(connexion)
    )


def _est_perdue(connexion: Connexion) -> bool:
    """True in a transaction that can only be rolled back."""
    return connexion.in_atomic_block and connexion.get_rollback()  # type: ignore[no-any-return]


def mettre_en_etat(connexion: Connexion) -> None:
    """Open the connection, or check one that was kept, as whoever asks Django for a cursor has it done."""
    if est_en_etat(connexion):
        return
    connexion.cursor().close()
    if _est_perdue(connexion):
        raise TransactionManagementError("This transaction has failed: it runs nothing until it is rolled back.")


def sur_une_connexion(connexion: Connexion, preuve: float | None, executer: Callable[[], T]) -> T:
    """Run on an open connection, in a transaction that may go on.

    With `preuve`, in seconds, the run stands for the health check of a kept connection: one that fails
    by then is opened anew, and it is run again.
    """
    a_prouver = (
        preuve is not None
        and connexion.connection is not None
        and connexion.health_check_enabled
        and not connexion.health_check_done
        and not connexion.in_atomic_block
    )
    if not a_prouver:
        mettre_en_etat(connexion)
        return executer()
    try:
        with echeance(preuve):  # type: ignore[arg-type]
            rendu = executer()
        connexion.health_check_done = True
    except (OperationalError, InterfaceError):
        connexion.close()
        connexion.ensure_connection()
        rendu = executer()
    return rendu


# For the statement behind it, the last of its round trip. To plan the numbers of a dashboard takes 5 ms, as long as to
# count them; they ask for one person's, whoever it is: one plan serves all.
PLAN_GARDE = Ordre(b"SELECT set_config('plan_cache_mode', 'force_generic_plan', true)", [])


def lire_ensemble(connexion: Connexion, *lectures: tuple[RequeteCompilee, dict[str, Any]]) -> list[list[Any]]:
    """Read each statement with its values, in this order, numbers last: on PostgreSQL in one round trip."""
    if (
        connexion.vendor != "postgresql"
        or est_observee(connexion)
        or any(lecture._fixes is not None for lecture, _ in lectures)
    ):
        return [lecture.lire(connexion, valeurs) for lecture, valeurs in lectures]
    mettre_en_etat(connexion)
    nombres = [(lecture, valeurs) for lecture, valeurs in lectures if lecture._se_reunit]
    reunis = len(nombres) > 1
    ordres = [lecture.ordre(connexion, valeurs) for lecture, valeurs in lectures if not (reunis and lecture._se_reunit)]
    if reunis:
        remplis = [rempli for lecture, valeurs in nombres for rempli in lecture._remplir(connexion, valeurs)]
        reunion = Ordre(_reunir(tuple([lecture for lecture, _ in nombres])), remplis)
        ordres += [reunion] if connexion.in_atomic_block else [PLAN_GARDE, reunion]
    lues = envoyer(connexion, ordres)
    lus = iter(lues.pop()[0] if reunis else ())  # beyond the others nothing is taken: what the setting answered stays
    lignes = iter(lues)
    return [
        [next(lus)] if reunis and lecture._se_reunit else lecture.former(next(lignes), connexion)
        for lecture, _ in lectures
    ]


def envoyer(connexion: Connexion, ordres: Sequence[Ordre]) -> list[Lignes]:
    """Run statements on an open connection of PostgreSQL in one round trip: the rows of each, or an error of Django."""
    with connexion.wrap_database_errors:
        lues: list[Lignes] = connexion.connection.en_pipeline.lire_ensemble(ordres)
        return lues


@lru_cache(REUNIONS_MAX)
def _reunir(nombres: tuple[RequeteCompilee, ...]) -> bytes:
    """One statement, whose only row has the number of each, in this order: two less to send, 4 % of a dashboard."""
    texte = ", ".join([f"({lecture._sql})" for lecture in nombres])
    parametres = [parametre for lecture in nombres for parametre in lecture._parametres]
    direct, _places = _preparer(f"SELECT {texte}", parametres, postgresql=True)
    return bytes(direct)


def est_observee(connexion: Connexion) -> bool:
    """True where somebody watches what the cursors run: it is given to them."""
    return bool(connexion.execute_wrappers or connexion.queries_logged)


class Lot:
    """A prefetch of rows that refer to those read, into a list of theirs (`to_attr`), in one prepared statement."""

    def __init__(self, prefetch: Prefetch[Any], relation: models.ManyToOneRel, connexion: Connexion) -> None:
        self._cle = relation.field
        self._attribut = str(prefetch.to_attr)
        lignes = prefetch.queryset if prefetch.queryset is not None else relation.related_model._default_manager.all()
        self._compilee = RequeteCompilee(lignes.filter(Parmi(models.F(self._cle.name), "parents")), connexion, TOUT)

    def joindre(self, parents: list[Any], connexion: Connexion) -> None:
        par_cle: dict[Any, list[Any]] = {parent.pk: [] for parent in parents}
        de_cle = {parent.pk: parent for parent in parents}
        for enfant in self._compilee.lire(connexion, {"parents": list(par_cle)}):
            cle = getattr(enfant, self._cle.attname)
            par_cle[cle].append(enfant)
            self._cle.set_cached_value(enfant, de_cle[cle])
        for parent in parents:
            setattr(parent, self._attribut, par_cle[parent.pk])


def _lots(lignes: models.QuerySet[Any], connexion: Connexion) -> tuple[tuple[Lot, ...], tuple[Any, ...]]:
    """The prefetches that prepare, and those that are left to Django."""
    lots: list[Lot] = []
    autres: list[Any] = []
    for prefetch in lignes._prefetch_related_lookups:  # type: ignore[attr-defined]
        relation = _relation(lignes.model, prefetch)
        if relation is None:
            autres.append(prefetch)
        else:
            lots.append(Lot(prefetch, relation, connexion))
    return tuple(lots), tuple(autres)


def _relation(modele: Any, prefetch: Any) -> models.ManyToOneRel | None:
    if not isinstance(prefetch, Prefetch) or not prefetch.to_attr or "__" in prefetch.prefetch_through:
        return None
    champs = {champ.get_accessor_name(): champ for champ in modele._meta.related_objects}
    relation = champs.get(prefetch.prefetch_through)
    return relation if type(relation) is models.ManyToOneRel else None


def _preparer(texte: str, parametres: Sequence[Any], *, postgresql: bool) -> tuple[Any, list[Any]]:
    """The statement as the driver itself takes it, and its values.

    What is constant in the shape is written out: a condition on a placeholder proves no partial index on PostgreSQL,
    and on SQLite none by a list of them, nor an index on an expression.
    """
    ecrire = _litteral_pour_postgresql if postgresql else _litteral_pour_sqlite
    suivants: Iterator[Any] = iter(parametres)
    valeurs: list[Any] = []

    def remplacer(marque: "re.Match[str]") -> str:
        if marque[1] == "%":
            return "%"
        valeur = next(suivants)
        if (litteral := ecrire(valeur)) is not None:
            return litteral
        valeurs.append(valeur)
        return f"${len(valeurs)}" if postgresql else "?"

    direct = _MARQUE.sub(remplacer, texte)
    return (direct.encode() if postgresql else direct), valeurs


def _litteral_pour_postgresql(valeur: Any) -> str | None:
    return litteraux.quote(valeur) if isinstance(valeur, _LITTERAUX) else None


def _litteral_pour_sqlite(valeur: Any) -> str | None:
    if isinstance(valeur, str):
        return "'" + str(valeur).replace("'", "''") + "'"
    return str(int(valeur)) if isinstance(valeur, int) else None


def _est_la_place_d_un_id(valeur: Any) -> bool:
    return isinstance(valeur, Place) and type(valeur.champ) is models.UUIDField


def _en_base(place: Place, valeur: Any, connexion: Connexion) -> Any:
    """The value as its field would store it."""
    if valeur.__class__ is UUID and place.champ.__class__ is models.UUIDField:
        return valeur if connexion.features.has_native_uuid_field else valeur.hex
    return place.champ.get_db_prep_value(valeur, connexion)
