"""The accesses of a base that has lived reach the present columns, and both ways are open."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from guests.tests.fabriques import session_invitee
from portail.models import Acces
from portail.tests.outils import Visiteuse
from signalements.tests.test_migrations import migrer

AVANT = [("portail", "0001_acces")]


@pytest.fixture
def jusqu_ici(transactional_db):
    """Whatever happens, the base is up to date again afterwards."""
    yield
    migrer(MigrationExecutor(connection).loader.graph.leaf_nodes())


def test_les_acces_des_invites_restent_et_ceux_des_comptes_ne_reviennent_pas(jusqu_ici, etudiante):
    visiteuse = Visiteuse()
    visiteuse.signaler()
    Visiteuse().se_connecter(etudiante)
    garde = Acces.objects.get(invite__isnull=False)

    ancienne = migrer(AVANT).get_model("portail", "Acces")
    assert list(ancienne.objects.values_list("pk", flat=True)) == [garde.pk]
    ancienne.objects.create(jeton_empreinte="x" * 64, invite_id=session_invitee().pk)
    migrer(MigrationExecutor(connection).loader.graph.leaf_nodes())

    assert visiteuse.get("/dossiers/").status_code == 200
    assert Acces.objects.filter(session=None, a_rattacher=None, garde_jusqu_a=None).count() == 2
