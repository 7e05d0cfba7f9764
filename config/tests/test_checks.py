from datetime import timedelta

import pytest
from django.core.checks import registry
from django.db import OperationalError, connection

from config.checks import exiger_coherence, journal_de_postgresql, reglages_coherents
from config.env import ReglageInvalide


@pytest.mark.parametrize(
    ("reglages", "numero"),
    [
        ({"ACCESS_TOKEN_LIFETIME": timedelta(days=30)}, "campus.E001"),
        ({"FORUM_MODERATOR": "forum.moderation.absente"}, "campus.E003"),
        ({"FORUM_MODERATOR": "forum.moderation.journal"}, "campus.E003"),
        ({"FORUM_MODERATOR": "absente.moderation.par_mots"}, "campus.E003"),
        ({"HASH_KEY": "x" * 40, "SECRET_KEY": "x" * 40}, "campus.E002"),
    ],
)
def test_un_serveur_ne_demarre_pas_sur_des_reglages_qui_se_contredisent(settings, reglages, numero):
    for nom, valeur in reglages.items():
        setattr(settings, nom, valeur)

    with pytest.raises(ReglageInvalide, match=numero):
        exiger_coherence()


def test_postgresql_sans_redis_avertit_sans_arreter(settings):
    settings.EMBARQUE, settings.REDIS_URL = False, ""

    exiger_coherence()

    assert [probleme.id for probleme in reglages_coherents(None)] == ["campus.W001"]


def test_le_journal_de_postgresql_est_relu_avant_d_ouvrir_seulement():
    assert journal_de_postgresql in registry.registry.deployment_checks
    assert journal_de_postgresql not in registry.registry.registered_checks


@pytest.mark.postgres
@pytest.mark.django_db
def test_le_journal_de_postgresql_avertit_de_ce_qu_il_peut_recevoir():
    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL log_error_verbosity = 'default'; SET LOCAL log_min_duration_statement = 500")
    (bavard,) = journal_de_postgresql(None)
    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL log_error_verbosity = 'terse'; SET LOCAL log_parameter_max_length = 0")

    assert journal_de_postgresql(None) == []

    assert bavard.id == "campus.W002"
    assert "log_error_verbosity = terse" in bavard.hint
    assert "log_parameter_max_length = 0" in bavard.hint


@pytest.mark.postgres
def test_une_base_absente_n_arrete_pas_la_relecture_des_reglages(monkeypatch):
    def refuser() -> None:
        raise OperationalError

    monkeypatch.setattr(connection, "cursor", refuser)

    assert journal_de_postgresql(None) == []
