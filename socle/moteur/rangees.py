"""Readers of rows: how what a compiled queryset reads becomes values and objects, worked out once a shape."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db import models
from django.db.models import ForeignKey, IntegerField, JSONField
from django.db.models.base import ModelState
from django.db.models.query import FlatValuesListIterable, ModelIterable, ValuesIterable, ValuesListIterable

Connexion = Any  # a DatabaseWrapper, whose health check the stubs do not know
Lire = Callable[[Sequence[Any]], Any]
Convertir = Callable[[Any, Any, Connexion], Any]
Rang = tuple[int, Convertir, Any]


def convertisseurs(compilateur: Any) -> tuple[Rang, ...]:
    colonnes = (expression for expression, _sql, _alias in compilateur.select)
    convertisseurs = compilateur.get_converters(colonnes)
    return tuple(
        (rang, _l_un_apres_l_autre(fonctions), expression) for rang, (fonctions, expression) in convertisseurs.items()
    )


def _l_un_apres_l_autre(fonctions: Sequence[Convertir]) -> Convertir:
    if len(fonctions) == 1:
        return fonctions[0]

    def convertir_de_suite(valeur: Any, expression: Any, connexion: Connexion) -> Any:
        for fonction in fonctions:
            valeur = fonction(valeur, expression, connexion)
        return valeur

    return convertir_de_suite


def est_du_json(rang: Rang) -> bool:
    return isinstance(rang[2].output_field, JSONField)


def est_entier(rang: Rang) -> bool:
    """True where the column goes through nothing but what Django makes whole numbers with."""
    _rang, fonction, expression = rang
    return fonction is expression.convert_value and isinstance(expression.output_field, IntegerField)


def sont_entiers(lignes: Sequence[Sequence[Any]], rangs: Sequence[Rang]) -> bool:
    """True where these columns of `est_entier` are whole numbers already, as they are unless they are sums."""
    for rang, _fonction, _expression in rangs:
        for ligne in lignes:
            if ligne[rang].__class__ is not int:
                return False
    return True


def convertir(lignes: Sequence[Sequence[Any]], rangs: tuple[Rang, ...], connexion: Connexion) -> Iterator[list[Any]]:
    for ligne in map(list, lignes):
        for rang, fonction, expression in rangs:
            ligne[rang] = fonction(ligne[rang], expression, connexion)
        yield ligne


def lecteur(lignes: models.QuerySet[Any], compilateur: Any, base: str) -> Lire:
    """The reader of one row, as the queryset's iterator would read it."""
    iterable: type = lignes._iterable_class
    if iterable is ModelIterable:
        return _lecteur_d_objets(compilateur, base)
    if iterable is FlatValuesListIterable:
        return premier
    if iterable is ValuesListIterable:
        return tuple
    if iterable is ValuesIterable and (noms := tuple(lignes.query.selected or ())):
        return lambda ligne: dict(zip(noms, ligne, strict=True))
    raise TypeError(f"{iterable.__name__} : cette lecture ne se prépare pas.")


def premier(ligne: Sequence[Any]) -> Any:
    return ligne[0]


def _lecteur_d_objets(compilateur: Any, base: str) -> Lire:
    info = compilateur.klass_info
    creer = _createur(info, compilateur.select, base)
    annotations = tuple((alias, rang) for rang, (*_, alias) in enumerate(compilateur.select) if alias)

    def lire(ligne: Sequence[Any]) -> Any:
        objet = creer(ligne)
        for nom, rang in annotations:
            setattr(objet, nom, ligne[rang])
        return objet

    return lire if annotations else creer


def _createur(info: Any, select: Any, base: str) -> Lire:
    """The maker of one model object from a row, with the objects that `select_related` joined to it.

    The columns go straight into the object, where `Model.from_db` would put them one by one through `__init__`: of a
    page of twenty reports that is a quarter of the time. A model that does more as it is read says so in `lu()`, which
    its `from_db` calls too.
    """
    modele, rangs = info["model"], info["select_fields"]
    if info.get("from_parent"):
        raise TypeError(f"{modele.__name__} : cette lecture ne se prépare pas.")
    noms = tuple(select[rang][0].target.attname for rang in rangs)
    debut, fin = rangs[0], rangs[-1] + 1
    lu: Callable[[Any], None] | None = getattr(modele, "lu", None)
    joints = tuple(_jointure(sous, select, base) for sous in info.get("related_klass_infos", ()))
    neuf = modele.__new__

    def creer(ligne: Sequence[Any]) -> Any:
        objet = neuf(modele)
        etat = ModelState()
        etat.adding = False
        etat.db = base
        colonnes = objet.__dict__
        colonnes["_state"] = etat
        colonnes.update(zip(noms, ligne[debut:fin]))  # noqa: B905 -- of one length, by the statement
        if lu is not None:
            lu(objet)
        for joindre in joints:
            joindre(ligne, objet)
        return objet

    return creer


def _jointure(info: Any, select: Any, base: str) -> Callable[[Sequence[Any], Any], None]:
    creer = _createur(info, select, base)
    cle = info["model"]._meta.pk.attname
    rang_cle = next(rang for rang in info["select_fields"] if select[rang][0].target.attname == cle)
    poser_ici, poser_la = info["local_setter"], info["remote_setter"]
    champ = getattr(poser_ici, "__self__", None)
    if type(champ) is ForeignKey and not champ.unique:  # the joined row keeps nothing of the one that refers to it

        def joindre_de_loin(ligne: Sequence[Any], objet: Any) -> None:
            poser_ici(objet, None if ligne[rang_cle] is None else creer(ligne))

        return joindre_de_loin

    def joindre(ligne: Sequence[Any], objet: Any) -> None:
        joint = None if ligne[rang_cle] is None else creer(ligne)
        poser_ici(objet, joint)
        if joint is not None:
            poser_la(joint, objet)

    return joindre
