import pytest

from espace.tests.outils import Equipiere


@pytest.fixture
def equipiere():
    """equipiere(gestionnaire): the browser of this account, signed in to the admin site."""
    return Equipiere


@pytest.fixture
def elle(gestionnaire):
    """The browser of the manager."""
    return Equipiere(gestionnaire)
