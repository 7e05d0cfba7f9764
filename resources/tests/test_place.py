"""The room on the disk: what guests of one address share, and the floor below which nothing more is taken."""

import shutil
from types import SimpleNamespace

import pytest

from config.tests.outils import client_de
from guests.tests.fabriques import session_invitee
from resources.models import Fichier
from resources.tests import fabriques
from socle.domaine import disque
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
URL = "/api/v1/fichiers/upload"
TAILLE = len(fabriques.CONTENU)


@pytest.fixture
def part(settings):
    """part(3): an address has room for that many files of its guests a day."""

    def poser(fichiers):
        settings.THROTTLE_ENABLED = True
        settings.GUEST_UPLOADS = Taux(fichiers * TAILLE, 24 * 3600)

    return poser


@pytest.fixture
def disque_presque_plein(monkeypatch):
    """A terabyte, of which 499 MB are free."""
    etat = SimpleNamespace(total=1 << 40, used=0, free=499 * disque.MO)
    monkeypatch.setattr(shutil, "disk_usage", lambda dossier: etat)
    return etat


def envoyer(client, contenu=fabriques.CONTENU, **entetes):
    return client.post(URL, {"file": fabriques.envoi(contenu=contenu)}, **entetes)


def test_ouvrir_des_sessions_ne_donne_pas_plus_de_place_a_une_adresse(part):
    part(2)

    reponses = [envoyer(client_de(session_invitee(f"+24381234562{rang}"))) for rang in range(3)]

    assert [r.status_code for r in reponses] == [201, 201, 429]
    assert reponses[-1].json()["code"] == "RATE_LIMITED"
    assert 0 < int(reponses[-1].headers["Retry-After"]) <= 24 * 3600 + 1
    assert Fichier.objects.count() == 2


def test_un_compte_et_une_autre_adresse_ont_leur_propre_place(api, part, etudiante, invite, autre_invite):
    part(1)

    statuts = [
        envoyer(api(invite)).status_code,
        envoyer(api(autre_invite)).status_code,
        envoyer(api(autre_invite), REMOTE_ADDR="203.0.113.9").status_code,
        envoyer(api(etudiante)).status_code,
    ]

    assert statuts == [201, 429, 201, 201]


def test_ce_qui_est_refuse_ne_prend_pas_la_place_d_une_adresse(api, part, invite):
    part(1)

    statuts = [
        envoyer(api(invite), b"\xff\xd8\xff<html>").status_code,
        envoyer(api(invite), fabriques.CONTENU * 2).status_code,
        envoyer(api(invite)).status_code,
    ]

    assert statuts == [422, 429, 201]


def test_un_cache_absent_ne_leve_pas_la_part_d_une_adresse(api, part, invite, monkeypatch):
    part(1)

    def tomber(*args, **options):
        raise ConnectionError

    monkeypatch.setattr("socle.domaine.limites.cache", SimpleNamespace(incr=tomber, add=tomber, get=tomber))

    assert [envoyer(api(invite)).status_code for _rang in range(2)] == [201, 429]


def test_sous_le_plancher_plus_rien_n_est_recu_et_le_reste_marche(api, etudiante, disque_presque_plein, caplog):
    reponse = envoyer(api(etudiante))

    assert (reponse.status_code, reponse.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert reponse.headers["Retry-After"] == "300"
    assert Fichier.objects.count() == 0
    assert api(etudiante).get("/api/v1/comptes/me").status_code == 200


def test_au_dessus_du_plancher_tout_passe(api, etudiante, disque_presque_plein):
    disque_presque_plein.free = 501 * disque.MO

    assert envoyer(api(etudiante)).status_code == 201


@pytest.mark.parametrize(
    ("plancher", "libres", "statut"),
    [
        (None, 30, 503),  # of 1 000 MB, a twentieth is 50
        (None, 60, 201),
        (0, 1, 201),
        (700, 600, 503),
    ],
)
def test_un_petit_disque_garde_moins_sauf_reglage(
    api, etudiante, settings, disque_presque_plein, plancher, libres, statut
):
    settings.FREE_DISK_FLOOR_MB = plancher
    disque_presque_plein.total, disque_presque_plein.free = 1000 * disque.MO, libres * disque.MO

    assert envoyer(api(etudiante)).status_code == statut


def test_un_seau_n_attend_de_place_que_pour_ce_qui_est_recu(api, etudiante, magasin, monkeypatch, tmp_path):
    """What fills the local store says nothing of a bucket."""
    reel = shutil.disk_usage

    def mesurer(dossier):
        plein = str(dossier).startswith(str(tmp_path))
        return SimpleNamespace(total=1 << 40, free=0) if plein else reel(dossier)

    monkeypatch.setattr(shutil, "disk_usage", mesurer)

    assert envoyer(api(etudiante)).status_code == (503 if magasin == "local" else 201)
