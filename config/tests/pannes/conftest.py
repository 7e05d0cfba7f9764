"""Real processes, on servers that a test may kill and freeze."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from config.tests.outils.serveur import SECRETS, Serveur
from config.tests.pannes.machines import Postgres, RedisPropre, machine, peut_demarrer

REGLAGES = {**SECRETS, "THROTTLE_ENABLED": "false"}
Demarrer = Callable[..., Serveur]


class Installation(NamedTuple):
    """What a first start made: a cluster that is stopped, and the folder of the service."""

    grappe: Path
    donnees: Path


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    if not peut_demarrer():
        manque = pytest.fail if os.environ.get("PREUVES") else pytest.skip  # a proof that was asked for is not left out
        manque("demande les programmes de PostgreSQL et de Redis")
    donnees = tmp_path_factory.mktemp("installation")
    with machine(Postgres) as grappe:
        serveur = Serveur(donnees, **{**REGLAGES, "DATABASE_URL": grappe.adresse})
        try:
            serveur.demarrer()
            assert serveur.terminer() == 0
        finally:
            serveur.tuer()
        grappe.arreter()
        yield Installation(grappe.dossier, donnees)


@pytest.fixture
def pile() -> Iterator[ExitStack]:
    with ExitStack() as pile:
        yield pile


@pytest.fixture
def postgres(pile: ExitStack, installation: Installation) -> Postgres:
    """A copy of the installed cluster."""
    return pile.enter_context(machine(Postgres, copie_de=installation.grappe))


@pytest.fixture
def postgres_vide(pile: ExitStack) -> Postgres:
    if not peut_demarrer():
        manque = pytest.fail if os.environ.get("PREUVES") else pytest.skip  # a proof that was asked for is not left out
        manque("demande les programmes de PostgreSQL et de Redis")
    return pile.enter_context(machine(Postgres))


@pytest.fixture
def redis_propre(pile: ExitStack, installation: Installation) -> RedisPropre:
    return pile.enter_context(machine(RedisPropre))


@pytest.fixture
def donnees(tmp_path: Path, installation: Installation) -> Path:
    """A copy of the folder of the service."""
    return shutil.copytree(installation.donnees, tmp_path / "donnees")


@pytest.fixture
def demarrer(pile: ExitStack, donnees: Path, postgres: Postgres, redis_propre: RedisPropre) -> Demarrer:
    """demarrer(NOM="valeur"): one more serving process on these two servers, whose base is migrated."""

    def faire(*options: str, **reglages: str) -> Serveur:
        bases = {"DATABASE_URL": postgres.adresse, "REDIS_URL": redis_propre.adresse}
        serveur = Serveur(donnees, **{**REGLAGES, **bases, **reglages})
        pile.callback(serveur.tuer)
        serveur.demarrer("--no-migrate", *options)
        return serveur

    return faire
