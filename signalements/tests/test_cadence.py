"""How often, and how urgently, one person may report."""

from typing import Any

import pytest
from django.db import OperationalError

from config.tests.outils import acteur_de, champs_refuses
from guests.tests.fabriques import session_invitee
from signalements import services
from signalements.models import Signalement
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"
FAITS = {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"}
UNE_ADRESSE, UNE_AUTRE = {"REMOTE_ADDR": "10.1.1.1"}, {"REMOTE_ADDR": "10.2.2.2"}


@pytest.fixture
def cadence(settings):
    """cadence(report=2): that many a day, under that limit."""

    def poser(**nombres: int) -> None:
        settings.THROTTLE_ENABLED = True
        settings.THROTTLES = {**settings.THROTTLES, **{p: Taux(n, 86_400) for p, n in nombres.items()}}

    return poser


def signaler(client: Any, fois: int = 1, **extra: Any) -> list[int]:
    return [client.post(URL, FAITS, **extra).status_code for _fois in range(fois)]


# --- Priority -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["invite", "etudiante", "gestionnaire", "admin"])
@pytest.mark.parametrize(("demandee", "gardee"), [("CRITICAL", "HIGH"), ("HIGH", "HIGH"), ("LOW", "LOW")])
def test_qui_signale_demande_au_plus_une_priorite_haute(client_de_personne, persona, demandee, gardee):
    reponse = client_de_personne(persona).post(URL, {**FAITS, "priorite": demandee})

    assert (reponse.status_code, reponse.json()["data"]["priorite"]) == (201, gardee)
    assert Signalement.objects.get().priorite == gardee


def test_l_equipe_pose_la_priorite_critique(api, gestionnaire, signalement_invite):
    reponse = api(gestionnaire).put(f"{URL}{signalement_invite.pk}/priorite", {"priorite": "CRITICAL"})

    assert (reponse.status_code, reponse.json()["data"]["priorite"]) == (200, "CRITICAL")


# --- Rates ----------------------------------------------------------------------------------------------------------


def test_les_cadences_annoncees(settings):
    assert settings.THROTTLES["report"] == Taux(20, 3600)
    assert settings.THROTTLES["report_address"] == Taux(600, 3600)


@pytest.mark.parametrize("persona", ["invite", "etudiante"])
def test_au_dela_de_la_cadence_on_dit_quoi_faire(client_de_personne, api, autre_etudiante, cadence, persona):
    cadence(report=2)
    client = client_de_personne(persona)

    recus = signaler(client, 2)
    reponse = client.post(URL, FAITS)

    assert (recus, reponse.status_code, reponse.json()["code"]) == ([201, 201], 429, "RATE_LIMITED")
    assert int(reponse["Retry-After"]) > 0
    for phrase in ("tous sont arrivés", "contact d'urgence", "dossier déjà ouvert"):
        assert phrase in reponse.json()["message"]
    assert Signalement.objects.count() == 2
    assert signaler(api(autre_etudiante)) == [201]


def test_ce_qui_est_refuse_ne_compte_pas(api, etudiante, cadence):
    cadence(report=2)
    client = api(etudiante)
    dossier = client.post(URL, FAITS).json()["data"]

    for _fois in range(3):
        assert champs_refuses(client.post(URL, {"titre": "Vol"})) == {"description", "type"}
        assert champs_refuses(client.post(URL, {**FAITS, "reference": dossier["reference"]})) == {"reference"}

    assert signaler(client, 2) == [201, 429]


def test_une_panne_ne_compte_pas(api, etudiante, cadence, monkeypatch):
    cadence(report=1)
    client = api(etudiante)

    def echouer(**_demande: Any) -> None:
        raise OperationalError

    with monkeypatch.context() as panne:
        panne.setattr(services, "creer", echouer)
        assert client.post(URL, FAITS).status_code == 503

    assert signaler(client, 2) == [201, 429]


def test_plusieurs_sessions_d_une_adresse_sont_comptees_ensemble(api, cadence):
    cadence(report=20, report_address=3)
    sessions = [api(session_invitee()) for _rang in range(4)]

    recus = [signaler(session, **UNE_ADRESSE)[0] for session in sessions]
    refus = sessions[3].post(URL, FAITS, **UNE_ADRESSE)

    assert recus == [201, 201, 201, 429]
    for phrase in ("ce réseau", "contact d'urgence", "avec un compte"):
        assert phrase in refus.json()["message"]
    assert signaler(sessions[3], **UNE_AUTRE) == [201]


def test_un_compte_signale_d_une_adresse_ou_les_invites_ne_peuvent_plus(api, etudiante, invite, cadence):
    cadence(report_address=1)
    assert signaler(api(invite), 2, **UNE_ADRESSE) == [201, 429]

    assert signaler(api(etudiante), 3, **UNE_ADRESSE) == [201, 201, 201]


def test_un_refus_pour_l_adresse_ne_compte_pas_pour_la_personne(api, invite, autre_invite, cadence):
    cadence(report=2, report_address=1)
    signaler(api(autre_invite), **UNE_ADRESSE)

    assert signaler(api(invite), 3, **UNE_ADRESSE) == [429] * 3

    assert signaler(api(invite), **UNE_AUTRE) == [201]


def test_une_commande_n_est_pas_comptee(etudiante, cadence):
    cadence(report=1)

    for _fois in range(3):
        services.creer(acteur=acteur_de(etudiante), titre="Vol", description="Un sac.", type="VOL")

    assert Signalement.objects.count() == 3
