import pytest

from campus import interrupteurs
from portail.tests.conftest import _sans_fil, autre_visiteuse, visiteuse

__all__ = ["_sans_fil", "autre_visiteuse", "visiteuse"]


@pytest.fixture(autouse=True)
def _base_relue():
    """What a process has read of its base once is of this test alone."""
    interrupteurs._est_nouvelle.cache_clear()
    yield
    interrupteurs._est_nouvelle.cache_clear()


@pytest.fixture
def elle(visiteuse, etudiante):
    """A student, signed in at the portal."""
    visiteuse.se_connecter(etudiante)
    return visiteuse
