"""A team of one person, and a case of theirs."""

import pytest

from accounts.tests import fabriques as comptes
from equipes.tests import fabriques as equipes


@pytest.fixture
def nadia(db):
    return comptes.gestionnaire(email="nadia@campus.test", nom="Benali", prenom="Nadia")


@pytest.fixture
def equipe(nadia):
    return equipes.equipe(nadia)


@pytest.fixture
def dossier(signalement, equipe):
    return equipes.confier(signalement, equipe)
