"""The doors of the engine by the ORM alone, as its documentation says: what `MOTEUR=ordinaire` serves with.

Slower, and the same answers: it is what the engine is compared with, and what runs where a new Django breaks it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from django.db import models, transaction
from django.db.models import Sum

from socle.erreurs import Introuvable
from socle.moteur.variantes import (
    CHACUNE,
    UNE,
    Nombre,
    Somme,
    Tranche,
    Variante,
    colonne_sommee,
    groupees_et_sommees,
    tranche_de,
)

M = TypeVar("M", bound=models.Model)


def lire(lignes: Any, variante: Variante, debut: int) -> list[Any]:
    """Run a statement by its queryset as it is written, and return what it reads."""
    if isinstance(variante, Nombre):
        return [_compter(lignes, variante.plafond)]
    if isinstance(variante, Somme):
        sommees = lignes[: variante.taille] if variante.taille is not None else lignes
        return [int(sommees.aggregate(somme=Sum(colonne_sommee(lignes.query)))["somme"] or 0)]
    if isinstance(variante, Tranche):
        return list(tranche_de(lignes, debut, variante.taille))
    if variante == UNE:
        return list((lignes if lignes.ordered else lignes.order_by("pk"))[:1])
    return _par_chacune(lignes) if variante == CHACUNE else list(lignes)


def _compter(lignes: Any, plafond: int | None) -> int:
    return int((lignes if plafond is None else lignes[:plafond]).count())


def _par_chacune(lignes: Any) -> list[Any]:
    """The sums by each column of text alone, of the sums by all of them together."""
    groupees, sommees = map(len, groupees_et_sommees(lignes.query))
    totaux: dict[tuple[int, Any], list[int]] = {}
    for ligne in lignes:
        for rang in range(groupees):
            siennes = totaux.setdefault((rang, ligne[rang]), [0] * sommees)
            for place, nombre in enumerate(ligne[groupees:]):
                siennes[place] += nombre or 0
    return [
        (*(valeur if rang == groupee else None for rang in range(groupees)), *sommes)
        for (groupee, valeur), sommes in totaux.items()
    ]


def inserer(lignes: Sequence[models.Model], *, sauf_conflit: bool) -> int:
    """Insert them all, with Django's signals; how many there are then.

    With `sauf_conflit` those that are there already are left out, and Django sends no signal.
    """
    modele = type(lignes[0])
    with transaction.atomic():
        if sauf_conflit:
            modele._base_manager.bulk_create(lignes, ignore_conflicts=True)
            return modele._base_manager.filter(pk__in=[ligne.pk for ligne in lignes]).count()
        for ligne in lignes:
            ligne.save(force_insert=True)
    return len(lignes)


def inserer_rangees(modele: type[models.Model], rangees: Iterable[Any], noms: Iterable[str]) -> None:
    modele._base_manager.bulk_create(modele(**{nom: getattr(rangee, nom) for nom in noms}) for rangee in rangees)


def modifier(ligne: models.Model, champs: Sequence[str]) -> None:
    ligne.save(update_fields=champs)


def verrouiller(ligne: models.Model, a_verrouiller: models.Q) -> None:
    """Lock the row and read its columns anew into the object; Introuvable where it is gone, or excluded."""
    modele: Any = type(ligne)
    lues = modele._base_manager.select_for_update(no_key=True).filter(a_verrouiller)
    try:
        ligne.refresh_from_db(from_queryset=lues)
    except modele.DoesNotExist as disparue:
        raise Introuvable from disparue
    ligne._state.adding = False  # known by its key alone until now: to change it is no insert
