import pytest

from config.tests.outils.clients import acteur_de
from echeances.services import choisir


@pytest.fixture
def dates(admin):
    """An administrator has said yes: the three legal delays are active."""
    return choisir(acteur=acteur_de(admin), accepte=True)
