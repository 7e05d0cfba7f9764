"""Health tells the truth."""

import json
import threading

import pytest

from config.tests.outils import document
from config.tests.outils.envois import verifier_enveloppe
from socle.api import sondes

pytestmark = pytest.mark.django_db

TOUT_VA_BIEN = {"baseDeDonnees": "OK", "cache": "OK", "tempsReel": "OK", "disque": "OK"}


def echouer() -> None:
    raise ConnectionError("10.0.0.3 refuse")


def test_un_service_entier_va_bien(brut):
    donnees = brut.get("/health").json()["data"]

    assert donnees == {"statut": "OK", **TOUT_VA_BIEN}


def test_un_processus_vivant_le_dit_sans_rien_demander(brut, monkeypatch):
    monkeypatch.setattr(sondes, "SONDES", {})

    assert brut.get("/health/live").json()["data"] == {"statut": "OK"}


@pytest.mark.parametrize(
    ("chemin", "statuts"),
    [("/health/live", {"200", "304", "400", "406", "413"}), ("/health", {"200", "304", "400", "406", "413", "503"})],
)
def test_la_description_d_une_sonde_ne_promet_que_ce_qu_elle_repond(chemin, statuts):
    operation = document()["paths"][chemin]["get"]

    assert operation["responses"].keys() == statuts
    assert ("base" in json.dumps(operation)) is (chemin == "/health")


@pytest.mark.parametrize(("sonde", "champ"), [("cache", "cache"), ("temps_reel", "tempsReel")])
@pytest.mark.parametrize("comment", ["erreur", "lenteur"])
def test_un_service_sans_cache_ou_sans_temps_reel_est_degrade(api, monkeypatch, sonde, champ, comment):
    fin = threading.Event()
    monkeypatch.setattr(sondes, "SECONDES", 0.1)
    monkeypatch.setitem(sondes.SONDES, sonde, echouer if comment == "erreur" else lambda: fin.wait(5))
    monkeypatch.setitem(sondes.SONDES, "base_de_donnees", lambda: "OK")

    reponse = api(None).get("/health")
    fin.set()

    etats = {"statut": "DEGRADE", **TOUT_VA_BIEN, champ: "INDISPONIBLE"}
    assert (reponse.status_code, reponse.json()["data"]) == (200, etats)


@pytest.mark.parametrize("comment", ["erreur", "lenteur"])
def test_un_service_sans_base_est_un_503(api, monkeypatch, comment):
    fin = threading.Event()
    monkeypatch.setattr(sondes, "SECONDES", 0.1)
    monkeypatch.setitem(sondes.SONDES, "base_de_donnees", echouer if comment == "erreur" else lambda: fin.wait(5))

    reponse = api(None).get("/health")
    fin.set()

    corps = verifier_enveloppe(reponse, 503, "SERVICE_UNAVAILABLE", "/health")
    assert int(reponse.headers["Retry-After"]) > 0
    assert "10.0.0.3" not in corps["message"]


def test_un_disque_plein_et_une_base_qu_on_ne_peut_que_lire_se_disent(brut, monkeypatch, settings):
    settings.FREE_DISK_FLOOR_MB = 2**42
    monkeypatch.setattr(sondes, "PLACE_MINIMALE", 2**62)

    donnees = brut.get("/health").json()["data"]

    assert (donnees["statut"], donnees["disque"]) == ("DEGRADE", "LECTURE_SEULE")
    assert donnees["baseDeDonnees"] == ("LECTURE_SEULE" if settings.EMBARQUE else "OK")
