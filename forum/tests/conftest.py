import pytest

from config.tests.outils import acteur_de
from forum.tests import fabriques


@pytest.fixture
def poste(etudiante, gestionnaire):
    """The student's, approved by the manager."""
    return fabriques.poste(acteur_de(etudiante), par=acteur_de(gestionnaire))


@pytest.fixture
def poste_nouveau(etudiante):
    """The student's, that nobody has judged."""
    return fabriques.poste(acteur_de(etudiante))
