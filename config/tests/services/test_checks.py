from datetime import timedelta

import pytest
from django.core.checks import registry
from django.db import OperationalError, connection

from config.checks import (
    courriels_envoyes,
    exiger_coherence,
    hash_key_longue,
    journal_de_postgresql,
    reglages_coherents,
    secrets_longs,
)
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


CONSOLE = "django.core.mail.backends.console.EmailBackend"
LOCAL = {"HOST": "127.0.0.1", "PUBLIC_URL": "http://localhost:8000", "ALLOWED_HOSTS": ["localhost", "[::1]"]}


@pytest.mark.parametrize(
    ("reglages", "averti"),
    [
        ({"EMAIL_BACKEND": CONSOLE}, False),
        ({"EMAIL_BACKEND": CONSOLE, "PUBLIC_URL": "https://campus.example.org"}, True),
        ({"EMAIL_BACKEND": CONSOLE, "HOST": "0.0.0.0"}, True),  # noqa: S104 -- the case
        ({"EMAIL_BACKEND": CONSOLE, "ALLOWED_HOSTS": ["*"]}, True),
        ({"EMAIL_BACKEND": "socle.courriel.Courrier", "PUBLIC_URL": "https://campus.example.org"}, False),
    ],
)
def test_un_service_public_sans_serveur_de_courriel_avertit(settings, reglages, averti):
    for nom, valeur in {**LOCAL, **reglages}.items():
        setattr(settings, nom, valeur)

    assert [probleme.id for probleme in courriels_envoyes(None)] == (["campus.W003"] if averti else [])


@pytest.mark.parametrize(
    ("cle", "jetons", "nommes"),
    [
        (50, 50, None),
        (49, 50, "SECRET_KEY : "),
        (50, 49, "SIGNING_SECRET : "),
        (32, 32, "SECRET_KEY et SIGNING_SECRET : "),
    ],
)
def test_un_secret_court_avertit(settings, cle, jetons, nommes):
    settings.SECRET_KEY, settings.SIGNING_SECRET = "c" * cle, "j" * jetons

    assert [p.msg.partition("moins")[0] for p in secrets_longs(None)] == ([nommes] if nommes else [])


def test_un_secret_qui_suit_l_autre_n_est_dit_qu_une_fois(settings):
    settings.SECRET_KEY = settings.SIGNING_SECRET = "c" * 40

    assert [probleme.msg.partition(" ")[0] for probleme in secrets_longs(None)] == ["SECRET_KEY"]


@pytest.mark.parametrize(("longueur", "numeros"), [(49, ["campus.W005"]), (50, [])])
def test_une_cle_d_empreinte_courte_avertit_avant_d_ouvrir(settings, longueur, numeros):
    settings.HASH_KEY = "h" * longueur

    assert [probleme.id for probleme in hash_key_longue(None)] == numeros


@pytest.mark.parametrize("relecture", [journal_de_postgresql, hash_key_longue])
def test_ce_qui_ne_se_demande_qu_avant_d_ouvrir_attend_ce_moment(relecture):
    assert relecture in registry.registry.deployment_checks
    assert relecture not in registry.registry.registered_checks


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
