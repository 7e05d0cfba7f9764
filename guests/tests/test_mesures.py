"""How many merges succeed, are replayed, meet a conflict, are refused."""

from uuid import uuid4

import pytest
from django.db import OperationalError
from django.test import Client

from config.tests.outils import acteur_de
from guests import views
from guests.tests.fabriques import session_invitee
from guests.tests.outils import demander_fusion
from signalements.tests import fabriques as signalements
from socle.tests.mesures import Releve

pytestmark = pytest.mark.django_db


@pytest.fixture
def fusions():
    """`{resultat: how many more}`, those that have grown."""
    comptes = {r: Releve("campus_merges_total", resultat=r) for r in ("fusion", "rejeu", "conflit", "refus")}
    return lambda: {resultat: compte.plus for resultat, compte in comptes.items() if compte.plus}


def test_une_fusion_puis_son_rejeu(api, etudiante, invite, fusions):
    statuts = [demander_fusion(api(etudiante), invite, {}).status_code for _ in range(3)]

    assert (statuts, fusions()) == ([200, 200, 200], {"fusion": 1, "rejeu": 2})


def test_un_conflit_sans_resolution(api, etudiante, invite, fusions):
    for qui in (etudiante, invite):
        signalements.signalement(acteur_de(qui), titre="Porte forcée", description="La serrure du local.")

    reponse = demander_fusion(api(etudiante), invite, {"acceptPolicy": "MERGE_SAFE"})

    assert (reponse.status_code, fusions()) == (409, {"conflit": 1})


def test_les_refus(api, etudiante, autre_etudiante, invite, settings, fusions):
    client = api(etudiante)
    demander_fusion(client, invite, {}, cle="prise")
    autre = session_invitee("+243811111111")

    statuts = [
        demander_fusion(client, autre, {}, cle=None).status_code,
        demander_fusion(client, autre, {"acceptPolicy": "?"}, cle=str(uuid4())).status_code,
        demander_fusion(client, autre, {}, cle="prise").status_code,
        demander_fusion(client, invite, {}, cle=str(uuid4())).status_code,
        client.post(f"/api/v1/guest/sessions/{uuid4()}/merge", {}, headers={"Idempotency-Key": "x"}).status_code,
    ]

    assert (statuts, fusions()) == ([400, 422, 422, 409, 404], {"fusion": 1, "refus": 5})


def test_qui_n_est_pas_connecte_n_a_rien_demande(invite, fusions):
    assert demander_fusion(Client(), invite).status_code == 401
    assert fusions() == {}


def test_une_panne_n_est_pas_un_refus(api, etudiante, invite, monkeypatch, fusions):
    def absente(**demande):
        raise OperationalError

    monkeypatch.setattr(views, "fusionner", absente)

    assert demander_fusion(api(etudiante), invite, {}).status_code == 503
    assert fusions() == {}
