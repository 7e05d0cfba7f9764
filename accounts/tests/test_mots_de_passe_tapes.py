"""One password, as keyboards send it: an accent composed, apart, or both in one word."""

import unicodedata

import nacl.pwhash
import pytest
from django.contrib.auth.hashers import check_password, make_password

from accounts.erreurs import IdentifiantsInvalides
from accounts.services import sessions
from accounts.tests import fabriques
from accounts.tests.outils import AUTH, entrer, se_connecter
from config.tests.outils import ClientApi, champs_refuses
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
COMPOSE = unicodedata.normalize("NFC", "Été-à-Kisantu-42")
DECOMPOSE = unicodedata.normalize("NFD", COMPOSE)
MELE = COMPOSE[:4] + DECOMPOSE[6:]
FORMES = [COMPOSE, DECOMPOSE, MELE]


@pytest.mark.parametrize("garde", [COMPOSE, DECOMPOSE])
@pytest.mark.parametrize("tape", FORMES)
def test_le_meme_mot_de_passe_ouvre_quel_que_soit_le_clavier(garde, tape):
    compte = fabriques.gestionnaire(mot_de_passe=garde)

    assert se_connecter(compte, motDePasse=tape).status_code == 200
    assert entrer(compte.email, tape).get("/admin/").status_code == 200
    compte.refresh_from_db()
    assert check_password(garde, compte.password)


def test_ce_qui_est_garde_est_ce_qui_fut_tape():
    compte = fabriques.compte(mot_de_passe=MELE)

    assert [check_password(forme, compte.password) for forme in FORMES] == [False, False, True]
    assert se_connecter(compte, motDePasse=MELE).status_code == 200


def test_un_autre_accent_est_un_autre_mot_de_passe():
    compte = fabriques.compte(mot_de_passe=COMPOSE)

    assert se_connecter(compte, motDePasse=COMPOSE.replace("é", "e")).status_code == 401


def test_l_ancien_mot_de_passe_se_tape_aussi_comme_on_veut(api, etudiante):
    etudiante.set_password(COMPOSE)
    etudiante.save()
    corps = {"ancienMotDePasse": DECOMPOSE, "nouveauMotDePasse": "Rivière-calme-42"}
    client = api(etudiante)

    assert client.put("/api/v1/comptes/me/password", corps).status_code == 200
    reponse = client.put("/api/v1/comptes/me/password", corps)
    assert champs_refuses(reponse) == {"ancienMotDePasse"}


@pytest.mark.parametrize(("tape", "essais"), [("Kisantu-42", 1), (COMPOSE, 2), (DECOMPOSE, 2), (MELE, 3)])
def test_le_temps_ne_dit_que_ce_qui_fut_tape(tape, essais, etudiante, settings, monkeypatch):
    """As many hashes for a right password, a wrong one, an account without one, and nobody's."""
    settings.PASSWORD_HASHERS = ["accounts.hashers.Argon2Borne"]
    etudiante.set_password(tape)
    etudiante.save()
    autre = fabriques.compte(mot_de_passe="Autre-Kisantu-42")
    invitee = fabriques.compte(mot_de_passe=None)
    sessions._personne.cache_clear()
    sessions._personne()
    vraie, lus = nacl.pwhash.verify, []
    monkeypatch.setattr(nacl.pwhash, "verify", lambda condense, mot: lus.append(mot) or vraie(condense, mot))

    sessions.identifier(email=etudiante.email, mot_de_passe=tape, adresse="192.0.2.1")
    for email in (autre.email, invitee.email, "personne@campus.example"):
        with pytest.raises(IdentifiantsInvalides):
            sessions.identifier(email=email, mot_de_passe=tape, adresse="192.0.2.1")

    assert [lus.count(mot) for mot in dict.fromkeys(lus)] == [4] * essais


def test_un_essai_compte_pour_un_quelles_que_soient_ses_formes(etudiante, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "login": Taux(2, 3600)}

    statuts = [se_connecter(etudiante, motDePasse=MELE).status_code for _essai in range(3)]
    assert statuts == [401, 401, 429]


def test_une_empreinte_ancienne_se_refait_de_la_forme_qu_elle_a(etudiante, settings):
    settings.PASSWORD_HASHERS = ["accounts.hashers.Argon2Borne", "django.contrib.auth.hashers.MD5PasswordHasher"]
    etudiante.password = make_password(COMPOSE, hasher="md5")
    etudiante.save()

    assert ClientApi().post(f"{AUTH}login", {"email": etudiante.email, "motDePasse": MELE}).status_code == 200
    etudiante.refresh_from_db()
    assert etudiante.password.startswith("argon2")
    assert [check_password(forme, etudiante.password) for forme in FORMES] == [True, False, False]
