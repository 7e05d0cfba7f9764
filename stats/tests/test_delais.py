"""The share of promised days that are kept: by nature, of the days promised, without what one may not read."""

from datetime import UTC, datetime, timedelta

import pytest

from config.tests.outils.clients import acteur_de
from config.tests.outils.typographie import ordinaire
from discussions import services as discussions
from echeances.services import choisir
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
LUNDI = datetime(2026, 3, 2, 10, tzinfo=UTC)
DELAIS = "/api/v1/stats/delais"


@pytest.fixture
def dossiers(etudiante, admin, gestionnaire, time_machine):
    """Of three acknowledgements one is kept, one late, one not done; no feedback is due."""
    time_machine.move_to(LUNDI, tick=False)
    choisir(acteur=acteur_de(admin), accepte=True)
    tenu, tardif, oublie = (fabriques.signalement(acteur_de(etudiante), titre=titre) for titre in "abc")
    acteur = acteur_de(gestionnaire)
    fils = [discussions.ouvrir(acteur=acteur, titre="Suite", signalement_id=un.pk) for un in (tenu, tardif)]
    discussions.ecrire(acteur=acteur, discussion=fils[0], contenu="Bonjour")
    time_machine.move_to(LUNDI + timedelta(days=12), tick=False)
    fils[1].refresh_from_db()
    discussions.ecrire(acteur=acteur, discussion=fils[1], contenu="Bonjour")
    return tenu, tardif, oublie


def lignes(client, suite=""):
    return {une["nature"]: une for une in client.get(f"{DELAIS}{suite}").json()["data"]}


def test_la_part_tenue_par_nature(api, gestionnaire, etudiante, dossiers):
    lues = lignes(api(gestionnaire))

    assert lues["ACCUSE"] == {
        "nature": "ACCUSE",
        "tenues": 1,
        "tardives": 1,
        "enRetard": 1,
        "enCours": 0,
        "partTenue": 0.3333,
    }
    assert (lues["RETOUR"]["enCours"], lues["RETOUR"]["partTenue"]) == (3, None)
    assert api(etudiante).get(DELAIS).status_code == 403


def test_par_jour_promis_et_par_type(api, gestionnaire, dossiers):
    client = api(gestionnaire)

    assert set(lignes(client, "?debut=2026-04-01")) == {"RETOUR"}
    assert set(lignes(client, "?fin=2026-04-01")) == {"ACCUSE"}
    assert lignes(client, "?type=VOL") == {}
    assert client.get(f"{DELAIS}?debut=2026-05-01&fin=2026-04-01").status_code == 422


def test_un_dossier_reserve_ne_compte_que_pour_ses_lecteurs(api, gestionnaire, admin, dossiers):
    changer_lecteurs(signalement=dossiers[2], acteur=acteur_de(admin), ecartes=[gestionnaire.pk])

    assert lignes(api(gestionnaire))["ACCUSE"]["enRetard"] == 0
    assert lignes(api(admin))["ACCUSE"]["enRetard"] == 1


def test_le_tableau_de_bord_le_montre(client, gestionnaire, dossiers):
    client.force_login(gestionnaire)

    recue = ordinaire(client.get("/equipe/tableau/?debut=2026-01-01").content.decode())

    assert "33 % (1 sur 3)" in recue
