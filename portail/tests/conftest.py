import pytest

from portail.pages import sortie
from portail.tests.outils import Visiteuse


@pytest.fixture
def visiteuse():
    """Somebody with a browser, who has nothing here yet."""
    return Visiteuse()


@pytest.fixture
def autre_visiteuse():
    return Visiteuse()


@pytest.fixture(autouse=True)
def _sans_fil(monkeypatch):
    """What a thread of its own does beside the answer is done before it: a test has one connection."""
    monkeypatch.setattr(sortie, "terminer_a_part", sortie.terminer)
