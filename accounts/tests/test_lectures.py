from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from accounts.lectures import session_ouverte
from accounts.models import Session


@pytest.mark.postgres
def test_une_session_se_trouve_par_sa_cle_quel_qu_en_soit_le_nombre(etudiante):
    """A base that believes the table empty walked all of that account, by their index."""
    fin = timezone.now() + timedelta(days=1)
    siennes = Session.objects.bulk_create(Session(compte=etudiante, date_expiration=fin) for _ in range(300))
    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL enable_seqscan = off")
        curseur.execute("UPDATE pg_class SET relpages = 0, reltuples = 0 WHERE relname = 'accounts_session'")
        texte, valeurs = session_ouverte(siennes[0].pk, etudiante.pk).queryset().query.sql_with_params()
        curseur.execute(f"EXPLAIN {texte}", valeurs)
        plan = "\n".join(ligne for (ligne,) in curseur.fetchall())

    assert "using accounts_session_pkey" in plan
    assert "session_active_compte" not in plan
