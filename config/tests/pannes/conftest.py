"""Real processes, on servers that a test may kill and freeze."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from config.tests.pannes.machines import Postgres, RedisPropre, machine, peut_demarrer
from config.tests.serveur import Serveur

SECRETS = {
    "DEMO": "1",
    "SECRET_KEY": "secret-de-panne-" + "s" * 40,
    "HASH_KEY": "hachage-de-panne-" + "h" * 40,
    "FIELD_ENCRYPTION_KEYS": "dGVzdC10ZXN0LXRlc3QtdGVzdC10ZXN0LXRlc3QtMTI=",
    "PUBLIC_URL": "http://127.0.0.1:8000",
    "THROTTLE_ENABLED": "false",
}
Demarrer = Callable[..., Serveur]


@pytest.fixture
def pile() -> Iterator[ExitStack]:
    if not peut_demarrer():
        pytest.skip("demande les programmes de PostgreSQL et de Redis")
    with ExitStack() as pile:
        yield pile


@pytest.fixture
def postgres(pile: ExitStack, tmp_path: Path) -> Postgres:
    return pile.enter_context(machine(Postgres, tmp_path / "postgres"))  # type: ignore[return-value]


@pytest.fixture
def redis_propre(pile: ExitStack, tmp_path: Path) -> RedisPropre:
    return pile.enter_context(machine(RedisPropre, tmp_path / "redis"))  # type: ignore[return-value]


@pytest.fixture
def donnees(tmp_path: Path) -> Path:
    """A DATA_DIR: the service closes it to other users, and the servers beside it are another's."""
    dossier = tmp_path / "donnees"
    dossier.mkdir()
    return dossier


@pytest.fixture
def demarrer(pile: ExitStack, donnees: Path, postgres: Postgres, redis_propre: RedisPropre) -> Demarrer:
    """demarrer("--no-migrate", NOM="valeur"): one more serving process on these two servers."""

    def faire(*options: str, **reglages: str) -> Serveur:
        bases = {"DATABASE_URL": postgres.adresse, "REDIS_URL": redis_propre.adresse}
        serveur = Serveur(donnees, **{**SECRETS, **bases, **reglages})
        pile.callback(serveur.tuer)
        serveur.demarrer(*options)
        return serveur

    return faire
