"""Rows by the thousand, as fast as the database takes them."""

import json
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from django.db import connection, models


def inserer(modele: type[models.Model], lignes: list[Any]) -> None:
    """By COPY where there is one: half the time of an INSERT."""
    if connection.vendor != "postgresql":
        modele._default_manager.bulk_create(lignes)
        return
    noms = [champ.attname for champ in modele._meta.concrete_fields]
    valeurs = _lecteur(modele)
    copier = f"COPY {modele._meta.db_table} ({', '.join(noms)}) FROM STDIN"
    with connection.wrap_database_errors, connection.cursor() as curseur, curseur.copy(copier) as copie:
        for ligne in lignes:
            copie.write_row(valeurs(ligne))


def _lecteur(modele: type[models.Model]) -> Callable[[Any], list[Any]]:
    """The values of a row as COPY takes them: a list would become an array, where JSON is stored."""
    champs = modele._meta.concrete_fields
    lire = attrgetter(*(champ.attname for champ in champs))
    en_json = [rang for rang, champ in enumerate(champs) if isinstance(champ, models.JSONField)]

    def valeurs(ligne: Any) -> list[Any]:
        lues = list(lire(ligne))
        for rang in en_json:
            lues[rang] = json.dumps(lues[rang])
        return lues

    return valeurs
