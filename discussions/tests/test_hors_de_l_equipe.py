"""Who leaves the team leaves its conversations, those they opened included; what is theirs stays theirs."""

import pytest

from accounts.services import comptes
from config.tests.outils import acteur_de
from discussions import services
from discussions.tests import fabriques
from resources.tests import fabriques as fichiers
from signalements.tests import fabriques as signalements
from socle.realtime.canaux import audiences

pytestmark = pytest.mark.django_db
URL = "/api/v1/discussions/"


@pytest.fixture
def conversation(etudiante, gestionnaire):
    """Opened by the manager on the student's report, where both have written, with a file of hers."""
    dossier = signalements.signalement(acteur_de(etudiante), mode_identification="ANONYME")
    conversation = fabriques.discussion(acteur_de(gestionnaire), "Vos suites", dossier)
    preuve = fichiers.fichier(acteur_de(etudiante))
    fabriques.message(acteur_de(gestionnaire), conversation, "Que s'est-il passé ?")
    fabriques.message(acteur_de(etudiante), conversation, "Ceci.", pieces_jointes=[preuve.pk])
    return conversation


@pytest.fixture
def quitter(admin, gestionnaire):
    """The manager becomes a user like any other."""

    def quitter(role="UTILISATEUR"):
        comptes.modifier(compte=gestionnaire, acteur=acteur_de(admin), type_utilisateur=role)

    return quitter


def parcourir(client, conversation):
    """The status of each thing that a participant does."""
    preuve = conversation.messages.get(numero_sequence=2).pieces_jointes[0]
    adresse = f"{URL}{conversation.pk}"
    reponses = {
        "lire": client.get(adresse),
        "messages": client.get(f"{adresse}/messages"),
        "écrire": client.post(f"{adresse}/messages", {"contenu": "Encore moi."}),
        "marquer": client.put(f"{adresse}/messages/lus"),
        "fichier": client.get(f"/api/v1/fichiers/{preuve}"),
        "événements": client.get(f"/api/v1/evenements?canal=discussion:{conversation.pk}"),
        "du dossier": client.get(f"/api/v1/evenements?canal=signalement:{conversation.signalement_id}"),
    }
    return {acte: reponse.status_code for acte, reponse in reponses.items()}


def test_qui_quitte_l_equipe_quitte_la_conversation_qu_il_avait_ouverte(api, gestionnaire, conversation, quitter):
    avant = parcourir(api(gestionnaire), conversation)

    quitter()

    assert set(avant.values()) == {200, 201}
    assert set(parcourir(api(gestionnaire), conversation).values()) == {403}
    assert api(gestionnaire).get(URL).json()["data"]["items"] == []
    assert api(gestionnaire).get("/api/v1/stats/dashboard").json()["data"]["messagesNonLus"] == 0
    assert audiences(acteur_de(gestionnaire), f"discussion:{conversation.pk}") == []


def test_l_autrice_du_dossier_et_l_equipe_gardent_la_conversation(api, etudiante, admin, conversation, quitter):
    quitter()

    for qui in (etudiante, admin):
        assert set(parcourir(api(qui), conversation).values()) <= {200, 201}
        assert [d["id"] for d in api(qui).get(URL).json()["data"]["items"]] == [str(conversation.pk)]


def test_ce_qui_est_a_soi_reste_a_soi(api, gestionnaire, quitter):
    sien = signalements.signalement(acteur_de(gestionnaire))
    gardees = [fabriques.discussion(acteur_de(gestionnaire), t, s) for t, s in (("Mon cas", sien), ("Question", None))]

    quitter()

    lues = api(gestionnaire).get(URL).json()["data"]["items"]
    assert {d["id"] for d in lues} == {str(d.pk) for d in gardees}
    for discussion in gardees:
        assert api(gestionnaire).post(f"{URL}{discussion.pk}/messages", {"contenu": "x"}).status_code == 201


def test_y_revenir_la_rend(api, gestionnaire, conversation, quitter):
    quitter()

    quitter("GESTIONNAIRE")

    assert set(parcourir(api(gestionnaire), conversation).values()) == {200, 201}


def test_un_message_qui_attendait_la_porte_passee_est_refuse(api, gestionnaire, conversation, quitter):
    """The door was passed as staff; the act decides again, under the lock."""
    quitter()

    for acte in (
        lambda: services.ecrire(acteur=acteur_de(gestionnaire), discussion=conversation, contenu="Trop tard."),
        lambda: services.marquer_lus(acteur=acteur_de(gestionnaire), discussion=conversation),
    ):
        with pytest.raises(services.AccesRefuse):
            acte()

    assert conversation.messages.count() == 2
