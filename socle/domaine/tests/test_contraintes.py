"""A unique constraint with columns beside holds on each database, and has them where the database can."""

import pytest
from django.db import connection

from discussions.models import Message


@pytest.mark.django_db
def test_l_unicite_tient_et_porte_ce_que_l_on_compte():
    with connection.cursor() as curseur:
        contrainte = connection.introspection.get_constraints(curseur, Message._meta.db_table)["message_origine_unique"]
        assert contrainte["unique"]
        if connection.vendor == "postgresql":
            curseur.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'message_origine_unique'")
            (definition,) = curseur.fetchone()
            assert definition.endswith("(origine_id, numero_origine) INCLUDE (compte_id, invite_id, discussion_id)")
        else:
            assert contrainte["columns"] == ["origine_id", "numero_origine"]


@pytest.mark.django_db
def test_aucun_avertissement_ne_dit_qu_elle_manque():
    assert [dit for dit in Message.check(databases=["default"]) if not dit.is_silenced()] == []
