"""A guest and an account with something to merge."""

import pytest

from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from signalements.tests import fabriques as signalements


@pytest.fixture
def echanges(invite, gestionnaire, signalement_invite):
    """A discussion of the guest about their report, with a word of each, and one about nothing in particular."""
    du_dossier = discussions.discussion(acteur_de(invite), signalement=signalement_invite)
    for qui in (invite, gestionnaire, invite):
        discussions.message(acteur_de(qui), du_dossier, f"de {qui.pk}")
    return du_dossier, discussions.discussion(acteur_de(invite), "Une question")


@pytest.fixture
def en_conflit(invite, etudiante):
    """A report of the guest under the reference of one of the account's, and a discussion of each."""
    dossier = signalements.signalement(acteur_de(etudiante), description="Sac pris au vestiaire.")
    champs = {"reference": dossier.reference, "mode_identification": "IDENTIFIE"}
    apporte = signalements.signalement(acteur_de(invite), description="Mon sac a disparu.", **champs)
    de_l_invite, du_compte = (
        discussions.discussion(acteur_de(qui), f"De {qui.pk}", objet)
        for qui, objet in ((invite, apporte), (etudiante, dossier))
    )
    return [(apporte, dossier), (de_l_invite, du_compte)]
