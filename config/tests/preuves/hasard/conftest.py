"""A real service with its demonstration, whose limits are out of the way, and what a run is made of.

Short or long as the other proofs, unless these say otherwise: PREUVES_REQUETES (how many in all), PREUVES_PRISES (idle
sockets), PREUVES_REPOS (for how many seconds), PREUVES_EVENEMENTS (that a slow socket does not read), PREUVES_GRAINE
(what chance begins with).
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from config.tests.outils.serveur import Serveur, en_marche
from config.tests.preuves.hasard.acteurs import ACTEURS, Actrice

COURTE = {"requetes": 400, "prises": 200, "repos": 5, "evenements": 200, "graine": 2026}
LONGUE = COURTE | {"requetes": 20_000, "prises": 2_000, "repos": 60, "evenements": 2_000}


class Course(NamedTuple):
    """What a run is given."""

    requetes: int
    prises: int
    repos: int
    evenements: int
    graine: int

    def part(self, fraction: float) -> int:
        """The requests of one actor for a part of the proofs."""
        return max(1, round(self.requetes * fraction / len(ACTEURS)))


@pytest.fixture(scope="session")
def course(longue: bool) -> Course:
    tailles = LONGUE if longue else COURTE
    return Course(**{nom: int(os.environ.get(f"PREUVES_{nom.upper()}", taille)) for nom, taille in tailles.items()})


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serveur]:
    """One process for each file, on SQLite alone or on what TEST_DATABASE_URL and TEST_REDIS_URL name."""
    reglages = {"THROTTLE_ENABLED": "false", "FILE_QUOTA_MB": "100000"}
    with en_marche(tmp_path_factory.mktemp("preuves"), **reglages) as serveur:
        yield serveur


@pytest.fixture(scope="module", params=ACTEURS)
def actrice(request: pytest.FixtureRequest, service: Serveur) -> Actrice:
    return Actrice(service, request.param)
