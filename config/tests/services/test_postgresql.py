"""What our connections ask of PostgreSQL."""

import pytest
from django.db import connection

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def test_aucune_requete_n_est_compilee():
    with connection.cursor() as curseur:
        curseur.execute("SHOW jit")

        assert curseur.fetchone() == ("off",)
