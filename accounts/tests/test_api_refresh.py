import logging
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Compte, Session
from accounts.tests.outils import AUTH, renouveler, se_connecter, statut_du_jeton
from socle.realtime.models import Evenement

pytestmark = pytest.mark.django_db


def vieillir(session_id, secondes):
    """As if this session had been spent so long ago."""
    Session.objects.filter(pk=session_id).update(date_fin=timezone.now() - timedelta(seconds=secondes))


def alertes():
    return Evenement.objects.filter(type="system_alert", canal="admin")


def test_renouveler_remplace_la_session_et_les_deux_jetons(etudiante):
    avant = se_connecter(etudiante, appareil="Pixel 8", localisation="Kinshasa").json()["data"]

    reponse = renouveler(avant["refreshToken"])

    apres = reponse.json()["data"]
    session = Session.objects.get(pk=apres["sessionId"])
    assert reponse.status_code == 200
    assert apres.keys() == avant.keys()
    assert not {apres["sessionId"], apres["token"], apres["refreshToken"]} & set(map(str, avant.values()))
    assert (session.appareil, session.localisation) == ("Pixel 8", "Kinshasa")
    assert (statut_du_jeton(avant["token"]), statut_du_jeton(apres["token"])) == (401, 200)
    assert renouveler(avant["refreshToken"]).status_code == 401


def test_renouveler_repond_le_role_present(etudiante):
    jeton = se_connecter(etudiante).json()["data"]["refreshToken"]
    Compte.objects.update(type_utilisateur="GESTIONNAIRE")

    assert renouveler(jeton).json()["data"]["typeUtilisateur"] == "GESTIONNAIRE"


def test_rejouer_un_jeton_dans_les_dix_secondes_ne_termine_rien(etudiante):
    avant = se_connecter(etudiante).json()["data"]
    apres = renouveler(avant["refreshToken"]).json()["data"]
    vieillir(avant["sessionId"], 9)

    assert renouveler(avant["refreshToken"]).status_code == 401

    assert statut_du_jeton(apres["token"]) == 200
    assert not alertes().exists()


def test_rejouer_un_jeton_plus_tard_termine_la_session_qui_en_est_venue(etudiante, caplog):
    avant = se_connecter(etudiante).json()["data"]
    apres = renouveler(avant["refreshToken"]).json()["data"]
    vieillir(avant["sessionId"], 11)

    with caplog.at_level(logging.WARNING, logger="campus.securite"):
        reponse = renouveler(avant["refreshToken"])

    assert (reponse.status_code, reponse.json()["code"]) == (401, "TOKEN_INVALID")
    assert statut_du_jeton(apres["token"]) == 401
    assert renouveler(apres["refreshToken"]).status_code == 401
    assert alertes().get().payload["niveau"] == "SECURITE"
    assert "campus.securite" in {ligne.name for ligne in caplog.records}


def test_une_alerte_ne_nomme_ni_jeton_ni_personne(etudiante):
    avant = se_connecter(etudiante).json()["data"]
    renouveler(avant["refreshToken"])
    vieillir(avant["sessionId"], 11)

    renouveler(avant["refreshToken"])

    payload = str(alertes().get().payload)
    assert avant["refreshToken"] not in payload
    assert etudiante.email not in payload


def test_rejouer_le_premier_jeton_d_une_chaine_termine_le_dernier(etudiante):
    premier = se_connecter(etudiante).json()["data"]
    deuxieme = renouveler(premier["refreshToken"]).json()["data"]
    troisieme = renouveler(deuxieme["refreshToken"]).json()["data"]
    vieillir(premier["sessionId"], 60)

    renouveler(premier["refreshToken"])

    assert statut_du_jeton(troisieme["token"]) == 401
    assert not Session.objects.actives().exists()


def test_les_autres_connexions_du_compte_restent(etudiante):
    volee, l_autre = (se_connecter(etudiante).json()["data"] for _rang in range(2))
    renouveler(volee["refreshToken"])
    vieillir(volee["sessionId"], 11)

    renouveler(volee["refreshToken"])

    assert statut_du_jeton(l_autre["token"]) == 200


def test_rejouer_apres_une_deconnexion_n_alerte_personne(api, etudiante):
    recu = se_connecter(etudiante).json()["data"]
    api(None).post(f"{AUTH}logout", headers={"Authorization": f"Bearer {recu['token']}"})
    vieillir(recu["sessionId"], 60)

    assert renouveler(recu["refreshToken"]).status_code == 401

    assert not alertes().exists()


@pytest.mark.parametrize("mauvais", ["abc.def.ghi", "", "x" * 5000, None, 12])
def test_un_jeton_illisible_est_refuse(mauvais):
    assert renouveler(mauvais).status_code == (401 if mauvais == "abc.def.ghi" else 422)


def test_un_jeton_d_acces_ne_renouvelle_rien(etudiante):
    assert renouveler(se_connecter(etudiante).json()["data"]["token"]).status_code == 401


def test_un_compte_desactive_ne_renouvelle_rien(etudiante):
    jeton = se_connecter(etudiante).json()["data"]["refreshToken"]
    Compte.objects.update(est_actif=False)

    assert renouveler(jeton).status_code == 401
    assert Session.objects.count() == 1


def test_un_jeton_de_renouvellement_vaut_sept_jours_depuis_le_dernier(etudiante, time_machine):
    debut = timezone.now()
    time_machine.move_to(debut, tick=False)
    premier = se_connecter(etudiante).json()["data"]["refreshToken"]
    time_machine.move_to(debut + timedelta(days=6), tick=False)
    deuxieme = renouveler(premier).json()["data"]["refreshToken"]
    time_machine.move_to(debut + timedelta(days=12), tick=False)
    troisieme = renouveler(deuxieme).json()["data"]["refreshToken"]

    time_machine.move_to(debut + timedelta(days=19, seconds=2), tick=False)

    assert renouveler(troisieme).status_code == 401
