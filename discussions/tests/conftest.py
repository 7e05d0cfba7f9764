import pytest

from config.tests.outils import acteur_de
from discussions.tests import fabriques


@pytest.fixture
def discussion(etudiante, signalement):
    """The student's, about her report."""
    return fabriques.discussion(acteur_de(etudiante), signalement=signalement)


@pytest.fixture
def discussion_invitee(invite, signalement_invite):
    """The guest's, about their anonymous report."""
    return fabriques.discussion(acteur_de(invite), signalement=signalement_invite)
