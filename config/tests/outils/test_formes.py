"""An event that is not as its type declares is seen, whoever sends it."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from config.tests.outils.formes import FAUTES, fautes_de
from socle.realtime.diffusion import BEAUCOUP, publier
from socle.realtime.enveloppe import masquer_a

pytestmark = pytest.mark.django_db
BON = {"messageId": str(uuid4()), "estLu": True}


@pytest.fixture
def fautes():
    yield FAUTES
    FAUTES.clear()  # they were meant


@pytest.mark.parametrize(
    ("payload", "faute"),
    [
        ({"messageId": str(uuid4())}, "estLu"),
        ({**BON, "estLue": True}, "estLue"),
        ({**BON, "estLu": "oui"}, "payload.estLu"),
        ({**BON, "messageId": "1409d022"}, "uuid"),
        ({**BON, "messageId": None}, "payload.messageId"),
    ],
)
def test_un_champ_absent_de_trop_ou_d_un_autre_type_se_voit(fautes, payload, faute):
    publier("message_read", [f"discussion:{uuid4()}"], BON, payload)

    assert len(fautes) == 1
    assert faute in fautes[0]


def test_un_canal_que_le_type_ne_declare_pas_se_voit(fautes):
    publier("message_read", [f"signalement:{uuid4()}"], BON)

    assert ["ne déclare pas le canal" in faute for faute in fautes] == [True]


def test_ce_qui_part_vers_beaucoup_de_canaux_est_tenu_aussi(fautes):
    canaux = [f"user:{uuid4()}" for _rang in range(BEAUCOUP + 1)]

    publier("avis", canaux, {"nature": "NOUVEAU_DOSSIER_INCONNU", "date": datetime(2026, 3, 2, tzinfo=UTC)})

    assert ["payload.nature" in faute for faute in fautes] == [True]


def test_ce_qu_un_masque_cache_est_tenu_aussi():
    masque = masquer_a(uuid4(), uuid4(), ["estLu"])

    assert fautes_de("message_read", f"discussion:{uuid4()}", BON) == []
    assert ["payload.estLu" in faute for faute in fautes_de("message_read", f"discussion:{uuid4()}", BON, masque)] == [
        True
    ]
