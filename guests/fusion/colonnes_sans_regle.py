"""Columns of which nobody said what a merge does to them: a merge would lose them without a word."""

from collections.abc import Iterable, Iterator
from typing import Any

from socle.domaine.fusions import COMMUNES, colonnes
from socle.domaine.modeles import Absorbable


def oubliees(modeles: Iterable[type[Any]]) -> Iterator[str]:
    """Of these models, which own or are joined; and of any other that points at a row that may be joined."""
    modeles = list(modeles)
    for modele in modeles:
        yield from _colonnes(modele)
        if issubclass(modele, Absorbable):
            yield from _dependances(modele, modeles)


def _colonnes(modele: type[Any]) -> Iterator[str]:
    """Each column is named once, and what is named is a column."""
    nom = modele._meta.label
    dites = colonnes[nom].toutes if nom in colonnes else []
    presentes = [champ.name for champ in modele._meta.concrete_fields if champ.name not in COMMUNES]
    for colonne in dict.fromkeys([*presentes, *dites]):
        if colonne not in presentes or dites.count(colonne) != 1:
            yield f"{nom}.{colonne}"


def _dependances(modele: type[Any], connus: list[type[Any]]) -> Iterator[str]:
    """A model that owns nothing says what becomes of it, column by column as the others."""
    for relation in modele._meta.get_fields(include_hidden=True):
        if relation.auto_created and not relation.concrete and relation.related_model not in connus:
            if relation.related_model._meta.label in colonnes:
                yield from _colonnes(relation.related_model)
            else:
                yield f"{relation.related_model._meta.label}.{relation.field.name}"
