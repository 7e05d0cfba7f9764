import os
import threading

import nacl.pwhash
import pytest
from argon2 import PasswordHasher, Type
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password

from accounts import hashers
from accounts.erreurs import IdentifiantsInvalides
from accounts.services import sessions
from accounts.tests import fabriques

MOTS_DE_PASSE = ["Rentree-2026", "é" * 40, "avec des espaces  ", "\0nul", "x" * 128]


@pytest.fixture
def argon2(settings):
    settings.PASSWORD_HASHERS = ["accounts.hashers.Argon2Borne"]
    return hashers.Argon2Borne()


@pytest.mark.parametrize("mot_de_passe", MOTS_DE_PASSE)
def test_les_deux_bibliotheques_disent_la_meme_chose(argon2, mot_de_passe):
    garde = make_password(mot_de_passe)
    for essai in (mot_de_passe, f"{mot_de_passe}.", mot_de_passe[:-1], ""):
        attendu = Argon2PasswordHasher().verify(essai, garde)
        assert attendu is (essai == mot_de_passe)
        assert argon2.verify(essai, garde) is attendu
        assert check_password(essai, garde) is attendu


@pytest.mark.parametrize(
    "reglages",
    [{}, {"time_cost": 3}, {"memory_cost": 65_536, "parallelism": 4}, {"salt_len": 64, "hash_len": 16}],
)
def test_une_empreinte_faite_avec_d_autres_reglages_se_lit(argon2, reglages):
    garde = "argon2" + PasswordHasher(**{"time_cost": 2, "memory_cost": 19_456, "parallelism": 1, **reglages}).hash("x")
    assert argon2.verify("x", garde)
    assert not argon2.verify("y", garde)


def test_une_autre_sorte_se_lit_aussi(argon2):
    garde = "argon2" + PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1, type=Type.D).hash("x")
    assert argon2.verify("x", garde)
    assert not argon2.verify("y", garde)


@pytest.mark.parametrize(
    "abimee", ["argon2$argon2id$v=19$m=19456,t=2,p=1$sel", "argon2$argon2id$", "argon2$argon2id$é"]
)
def test_une_empreinte_abimee_n_ouvre_a_personne(argon2, abimee):
    assert argon2.verify("", abimee) is False


def test_pas_plus_d_empreintes_a_la_fois_que_de_coeurs(argon2, monkeypatch):
    places = min(len(os.sched_getaffinity(0)), hashers.PLACES_MAX)
    ensemble, plus, verrou = 0, 0, threading.Lock()
    vraie = nacl.pwhash.verify

    def verifier(*args):
        nonlocal ensemble, plus
        with verrou:
            ensemble += 1
            plus = max(plus, ensemble)
        try:
            return vraie(*args)
        finally:
            with verrou:
                ensemble -= 1

    monkeypatch.setattr(nacl.pwhash, "verify", verifier)
    garde = make_password("Rentree-2026")
    fils = [threading.Thread(target=argon2.verify, args=("Rentree-2026", garde)) for _ in range(places + 6)]
    for fil in fils:
        fil.start()
    for fil in fils:
        fil.join()
    assert plus == places


@pytest.mark.django_db
def test_une_adresse_inconnue_coute_ce_que_coute_une_autre(argon2, etudiante, monkeypatch):
    """The same function, as often, on a hash of the same parameters: the time tells nobody who has an account."""
    etudiante.set_password("Rentree-2026")
    etudiante.save()
    lues = []
    vraie = nacl.pwhash.verify
    invitee = fabriques.compte(mot_de_passe=None)
    sessions._personne.cache_clear()
    sessions._personne()
    monkeypatch.setattr(nacl.pwhash, "verify", lambda condense, mot: lues.append(condense) or vraie(condense, mot))
    monkeypatch.setattr(Argon2PasswordHasher, "encode", lambda *_: pytest.fail("a hash was made"))
    for email in (etudiante.email, "personne@campus.example", invitee.email):
        with pytest.raises(IdentifiantsInvalides):
            sessions.identifier(email=email, mot_de_passe="Autre-2026", adresse="192.0.2.1")
    assert len(lues) == 3
    assert {condense.split(b"$")[3] for condense in lues} == {b"m=19456,t=2,p=1"}
