"""clamd, played by a small server: clean, found, away, mute."""

import socket
import struct
import threading

import pytest

from config.tests.outils import client_de
from resources.models import Fichier
from resources.tests import fabriques

pytestmark = pytest.mark.django_db
URL = "/api/v1/fichiers/upload"


@pytest.fixture
def clamd(settings, tmp_path):
    """clamd(answer): a scanner that reads what it is sent, then says this; what it was sent is kept."""
    recus, serveurs = [], []

    def demarrer(verdict):
        prise = socket.socket(socket.AF_UNIX)
        settings.CLAMD_SOCKET = str(tmp_path / "clamd.sock")
        prise.bind(settings.CLAMD_SOCKET)
        prise.listen()
        serveurs.append(prise)
        threading.Thread(target=_servir, args=(prise, verdict, recus), daemon=True).start()
        return recus

    yield demarrer
    for prise in serveurs:
        prise.close()


def _servir(prise, verdict, recus):
    connexion, _adresse = prise.accept()
    with connexion, connexion.makefile("rb") as flux:
        assert flux.read(10) == b"zINSTREAM\0"
        contenu = b""
        while taille := struct.unpack(">I", flux.read(4))[0]:
            contenu += flux.read(taille)
        recus.append(contenu)
        connexion.sendall(verdict)


def test_un_fichier_sain_est_garde_une_fois_analyse(clamd, etudiante):
    recus = clamd(b"stream: OK\0")

    reponse = client_de(etudiante).post(URL, {"file": fabriques.envoi()})

    assert reponse.status_code == 201
    assert recus == [fabriques.CONTENU]


def test_un_virus_est_refuse_et_annonce_sans_dire_de_qui(clamd, invite, evenements):
    clamd(b"stream: Eicar-Test FOUND\0")

    with evenements() as recus:
        reponse = client_de(invite).post(URL, {"file": fabriques.envoi()})

    assert reponse.status_code == 422
    assert reponse.json()["details"][0]["code"] == "virus"
    assert not Fichier.objects.exists()
    assert [(e["type"], e["canal"], e["payload"]["niveau"]) for e in recus] == [("system_alert", "admin", "SECURITE")]
    assert "Eicar-Test" in recus[0]["payload"]["message"]
    assert str(invite.pk) not in str(recus)


@pytest.mark.parametrize("verdict", [b"", b"INSTREAM size limit exceeded. ERROR\0", b"n'importe quoi\0"])
def test_sans_verdict_un_fichier_n_est_pas_accepte(clamd, etudiante, verdict):
    clamd(verdict)

    reponse = client_de(etudiante).post(URL, {"file": fabriques.envoi()})

    assert (reponse.status_code, reponse.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert not Fichier.objects.exists()


@pytest.mark.parametrize("adresse", ["/nulle/part.sock", "127.0.0.1:1", "sans port"])
def test_un_antivirus_absent_n_accepte_rien(settings, etudiante, adresse):
    settings.CLAMD_SOCKET = adresse

    reponse = client_de(etudiante).post(URL, {"file": fabriques.envoi()})

    assert reponse.status_code == 503
    assert not Fichier.objects.exists()
