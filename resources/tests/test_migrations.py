from importlib import import_module

import pytest
from django.apps import apps

from config.tests.outils import acteur_de
from resources.models import Fichier
from resources.tests import fabriques


@pytest.mark.django_db
def test_les_fichiers_deja_la_deviennent_trouvables(etudiante, monkeypatch):
    migration = import_module("resources.migrations.0005_fichiers_indexes")
    monkeypatch.setattr(migration, "LOT", 2)
    for rang in range(3):
        fabriques.fichier(acteur_de(etudiante), nom=f"Été {rang}.txt")
    Fichier.objects.update(recherche="")

    migration.indexer(apps, None)

    assert sorted(Fichier.objects.values_list("recherche", flat=True)) == [f"ete {rang}.txt" for rang in range(3)]
