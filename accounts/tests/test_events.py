from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from accounts.models import Session
from accounts.services import comptes, mot_de_passe_oublie, sessions
from accounts.tests.outils import AUTH, renouveler, se_connecter
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.temps import horodatage
from socle.realtime.vocabulaire import CONTROLE, PUBLIC
from socle.taches.tests.outils import en_file, faire_les_taches

pytestmark = pytest.mark.django_db
COMPTES = "/api/v1/comptes/"
NOUVEAU = "Baobab-penché-77"


def ordre(*connexions):
    """The order that closes the sockets of these sessions, as the outbox holds it."""
    ids = sorted(connexion["sessionId"] for connexion in connexions)
    return {"type": "fermer_sockets", "canal": CONTROLE, "audience": PUBLIC, "payload": {"sessions": ids}}


def trier(evenement):
    payload = {cle: sorted(v) if isinstance(v, list) else v for cle, v in evenement["payload"].items()}
    return {**evenement, "payload": payload}


def test_une_desactivation_est_annoncee_avant_que_les_sockets_ferment(api, admin, etudiante, evenements):
    connexions = [se_connecter(etudiante).json()["data"] for _rang in range(2)]

    with evenements() as recus:
        api(admin).put(f"{COMPTES}{etudiante.pk}/deactivate")

    etudiante.refresh_from_db()
    payload = {
        "userId": str(etudiante.pk),
        "email": "awa@campus.test",
        "dateDesactivation": horodatage(etudiante.date_modification),
    }
    annonces = [
        {"type": "user_deactivated", "canal": canal, "audience": PUBLIC, "payload": payload}
        for canal in ("admin", f"user:{etudiante.pk}")
    ]
    du_compte = {**ordre(), "payload": {"comptes": [str(etudiante.pk)]}}
    assert [trier(e) for e in recus] == [*annonces, du_compte, ordre(*connexions)]


def test_une_deconnexion_ferme_les_sockets_de_sa_session(api, etudiante, evenements):
    celle_ci, _autre = (se_connecter(etudiante).json()["data"] for _rang in range(2))

    with evenements() as recus:
        api(None).post(f"{AUTH}logout", headers={"Authorization": f"Bearer {celle_ci['token']}"})

    assert recus == [ordre(celle_ci)]


def test_un_renouvellement_ferme_les_sockets_de_la_session_depensee(etudiante, evenements):
    connexion = se_connecter(etudiante).json()["data"]

    with evenements() as recus:
        renouveler(connexion["refreshToken"])

    assert recus == [ordre(connexion)]


def test_changer_de_mot_de_passe_ferme_les_sockets_des_autres_sessions(api, etudiante, evenements):
    ici, ailleurs = (se_connecter(etudiante).json()["data"] for _rang in range(2))
    corps = {"ancienMotDePasse": "Campus-2026-essai", "nouveauMotDePasse": NOUVEAU}

    with evenements() as recus:
        api(None).put(f"{COMPTES}me/password", corps, headers={"Authorization": f"Bearer {ici['token']}"})

    assert recus == [ordre(ailleurs)]


def test_imposer_un_mot_de_passe_ferme_les_sockets_du_compte(api, admin, etudiante, evenements):
    connexions = [se_connecter(etudiante).json()["data"] for _rang in range(2)]

    with evenements() as recus:
        api(admin).put(f"{COMPTES}{etudiante.pk}/reset-password", {"nouveauMotDePasse": NOUVEAU})

    assert [trier(e) for e in recus] == [ordre(*connexions)]


def test_un_jeton_rejoue_tard_ferme_les_sockets_et_alerte_l_administration(etudiante, evenements):
    avant = se_connecter(etudiante).json()["data"]
    apres = renouveler(avant["refreshToken"]).json()["data"]
    Session.objects.filter(pk=avant["sessionId"]).update(date_fin=timezone.now() - timedelta(seconds=11))

    with evenements() as recus:
        renouveler(avant["refreshToken"])

    message = "Un jeton de renouvellement déjà dépensé a été présenté ; la session du compte a été terminée."
    assert recus == [
        ordre(apres),
        {
            "type": "system_alert",
            "canal": "admin",
            "audience": PUBLIC,
            "payload": {"niveau": "SECURITE", "message": message},
        },
    ]


def test_une_operatrice_alerte_l_administration(evenements, capsys):
    with evenements() as recus:
        call_command("system_alert", "Coupure à 18 h.", "--niveau", "AVERTISSEMENT")

    payload = {"niveau": "AVERTISSEMENT", "message": "Coupure à 18 h."}
    assert recus == [{"type": "system_alert", "canal": "admin", "audience": PUBLIC, "payload": payload}]
    assert "Alerte envoyée." in capsys.readouterr().out


def test_une_alerte_d_un_niveau_inconnu_ne_part_pas(evenements):
    with evenements() as recus, pytest.raises(CommandError):
        call_command("system_alert", "Coupure.", "--niveau", "PANIQUE")

    assert recus == []


@pytest.mark.parametrize(
    "acte",
    [
        lambda compte, admin, jeton: comptes.desactiver(compte=compte, acteur=ActeurCompte(compte=admin)),
        lambda compte, admin, jeton: sessions.deconnecter(
            acteur=ActeurCompte(compte=compte, session_id=Session.objects.get().pk)
        ),
        lambda compte, admin, jeton: sessions.renouveler(jeton=jeton),
        lambda compte, admin, jeton: comptes.imposer_mot_de_passe(
            compte=compte, nouveau_mot_de_passe=NOUVEAU, acteur=ActeurCompte(compte=admin)
        ),
        lambda compte, admin, jeton: comptes.changer_mot_de_passe(
            acteur=ActeurCompte(compte=compte), ancien_mot_de_passe="Campus-2026-essai", nouveau_mot_de_passe=NOUVEAU
        ),
    ],
    ids=["desactiver", "deconnecter", "renouveler", "imposer_mot_de_passe", "changer_mot_de_passe"],
)
def test_rien_n_est_annonce_ni_termine_quand_la_transaction_echoue(etudiante, admin, evenements, acte):
    jeton = se_connecter(etudiante).json()["data"]["refreshToken"]

    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        acte(etudiante, admin, jeton)
        raise RuntimeError

    assert recus == []
    assert Session.objects.get().date_fin is None


def test_un_rejeu_dont_la_transaction_echoue_n_alerte_personne(etudiante, evenements):
    avant = se_connecter(etudiante).json()["data"]
    sessions.renouveler(jeton=avant["refreshToken"])
    Session.objects.filter(pk=avant["sessionId"]).update(date_fin=timezone.now() - timedelta(seconds=11))

    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        sessions._renouveler(sessions.jetons.lire_renouvellement(avant["refreshToken"]))
        raise RuntimeError

    assert recus == []


def test_une_demande_dont_la_transaction_echoue_n_envoie_rien(etudiante, mailoutbox):
    with pytest.raises(RuntimeError), transaction.atomic():
        mot_de_passe_oublie.demander(email=etudiante.email)
        raise RuntimeError
    faire_les_taches()

    assert (en_file().count(), mailoutbox) == (0, [])


@pytest.mark.parametrize(
    ("avant", "apres", "ferme"),
    [
        ("ADMIN_SYSTEME", "GESTIONNAIRE", True),
        ("ADMIN_SYSTEME", "UTILISATEUR", True),
        ("GESTIONNAIRE", "UTILISATEUR", True),
        ("UTILISATEUR", "GESTIONNAIRE", False),
        ("GESTIONNAIRE", "ADMIN_SYSTEME", False),
        ("GESTIONNAIRE", "GESTIONNAIRE", False),
    ],
)
def test_un_role_reduit_ferme_les_sockets_du_compte(api, admin, gestionnaire, evenements, avant, apres, ferme):
    comptes.modifier(compte=gestionnaire, acteur=ActeurCompte(compte=admin), type_utilisateur=avant)

    with evenements() as recus:
        api(admin).put(f"{COMPTES}{gestionnaire.pk}", {"typeUtilisateur": apres, "nom": "Autre"})

    du_compte = {**ordre(), "payload": {"comptes": [str(gestionnaire.pk)]}}
    assert recus == [du_compte] * ferme


def test_un_role_qui_n_est_pas_reduit_pour_finir_ne_ferme_rien(admin, gestionnaire, evenements):
    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        comptes.modifier(compte=gestionnaire, acteur=ActeurCompte(compte=admin), type_utilisateur="UTILISATEUR")
        raise RuntimeError

    assert recus == []
