from importlib import import_module

import pytest
from django.apps import apps

from config.tests.outils import acteur_de
from forum.models import Commentaire
from forum.tests import fabriques

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("nombre", [0, 1, 5])
def test_les_commentaires_deja_la_deviennent_trouvables(etudiante, invite, poste, monkeypatch, nombre):
    migration = import_module("forum.migrations.0004_commentaires_indexes")
    monkeypatch.setattr(migration, "LOT", 2)
    for rang in range(nombre):
        fabriques.commentaire(acteur_de(etudiante), poste, f"Été {rang} {invite.guest_id}")
    Commentaire.objects.update(recherche="")

    migration.indexer(apps, None)

    textes = sorted(Commentaire.objects.values_list("recherche", flat=True))
    assert textes == [f"ete {rang} [identifiant masque]" for rang in range(nombre)]
