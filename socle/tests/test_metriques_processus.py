"""Several processes and one answer: what PROMETHEUS_MULTIPROC_DIR is for, with real processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from config.tests.outils.serveur import RACINE, Serveur, attendre, services
from config.tests.services.test_reglages import GARDE, dit_en_une_ligne, lancer, verifier
from socle.tests.mesures import lues

pytestmark = pytest.mark.longue

JETON = "mesures-de-parcours"
AUTORISATION = {"Authorization": f"Bearer {JETON}"}
PREPARER = """
import os, sys, django
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()
from django.test import Client
from socle import metriques
client = Client(headers={"Host": "127.0.0.1"})
"""
LIRE = (
    PREPARER
    + """
reponse = client.get("/metrics", headers={"Authorization": sys.argv[1]})
assert reponse.status_code == int(sys.argv[2]), reponse.content
sys.stdout.write(reponse.content.decode())
"""
)
COMPTER = (
    PREPARER
    + """
requetes, sockets, courriels = map(int, sys.argv[1:])
for _ in range(requetes):
    assert client.get("/api/v1/config").status_code == 200
metriques.sockets.labels("essai").inc(sockets)
metriques.mail_failures_total.labels("invitation").inc(courriels)
if os.fork() == 0:
    metriques.mails_sent_total.labels("invitation").inc()
    os._exit(0)
os.wait()
print("fait", flush=True)
sys.stdin.read()
"""
)


class Ouvrier:
    """A process that counts requests, sockets and mails, then waits to be ended."""

    def __init__(self, dossier: Path, reglages: dict[str, str], *nombres: int) -> None:
        garde = {nom: os.environ[nom] for nom in GARDE if nom in os.environ}
        self.processus = subprocess.Popen(  # noqa: S603 -- our own script
            [sys.executable, "-c", COMPTER, *map(str, nombres)],
            cwd=RACINE,
            env={**garde, "PYTHONIOENCODING": "utf-8", "DATA_DIR": str(dossier), **reglages},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def attendre(self) -> None:
        assert self.processus.stdout is not None
        assert self.processus.stdout.readline() == b"fait\n"

    def tuer(self) -> None:
        self.processus.kill()
        self.processus.communicate()


@pytest.fixture
def reglages(tmp_path: Path) -> dict[str, str]:
    return {"METRICS_TOKEN": JETON, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "mesures")}


def lire(dossier: Path, statut: int = 200, **reglages: str) -> dict[tuple[str, tuple[str, ...]], float]:
    fait = lancer(dossier, "-c", LIRE, AUTORISATION["Authorization"], str(statut), **reglages)
    assert fait.returncode == 0, fait.stderr
    return lues(fait.stdout) if statut == 200 else {}


def test_le_releve_est_la_somme_des_processus(tmp_path, reglages):
    ouvriers = [
        Ouvrier(tmp_path, reglages, 3, 2, 1),
        Ouvrier(tmp_path, reglages, 4, 1, 2),
    ]
    try:
        for ouvrier in ouvriers:
            ouvrier.attendre()

        lu = lire(tmp_path, **reglages)
        ouvriers[1].tuer()
        apres = lire(tmp_path, **reglages)
    finally:
        for ouvrier in ouvriers:
            ouvrier.tuer()

    requetes = ("campus_requests_total", ("GET", "/api/v1/config", "200"))
    assert (lu[requetes], lu[("campus_request_duration_seconds_count", requetes[1][:2])]) == (7, 7)
    assert (lu[("campus_sockets", ("essai",))], apres[("campus_sockets", ("essai",))]) == (3, 2)
    assert lu[("campus_mail_failures_total", ("invitation",))] == 3
    assert lu[("campus_mails_sent_total", ("invitation",))] == 2  # counted in a fork of each
    assert lu[("campus_merges_total", ("fusion",))] == 0
    assert apres[requetes] == 7  # what a process counted outlives it
    memoires = [etiquettes for nom, etiquettes in lu if nom == "process_resident_memory_bytes"]
    assert {nom.rpartition("-")[2] for (nom,) in memoires} > {str(o.processus.pid) for o in ouvriers}


def test_sans_jeton_aucun_fichier_n_est_ecrit(tmp_path, reglages):
    sans_jeton = {**reglages, "METRICS_TOKEN": ""}

    lire(tmp_path, statut=404, **sans_jeton)

    assert not (tmp_path / "mesures").exists()


def test_une_commande_qui_ne_compte_rien_n_ecrit_rien(tmp_path, reglages):
    assert verifier(tmp_path, **reglages).returncode == 0
    assert list((tmp_path / "mesures").iterdir()) == []


def test_une_variable_vide_vaut_absente(tmp_path, reglages):
    lu = lire(tmp_path, **{**reglages, "PROMETHEUS_MULTIPROC_DIR": ""})

    assert ("process_resident_memory_bytes", ()) in lu
    assert list(RACINE.glob("*.db")) == []


def test_un_dossier_impossible_arrete_par_une_ligne_qui_le_nomme(tmp_path, reglages):
    (tmp_path / "mesures").write_text("", encoding="utf-8")

    assert dit_en_une_ligne(verifier(tmp_path, **reglages), "PROMETHEUS_MULTIPROC_DIR")


@pytest.fixture
def serveurs(tmp_path: Path, reglages: dict[str, str]) -> Iterator[list[Serveur]]:
    """Two, on one database and one folder."""
    with ExitStack() as pile:
        reglages = {**reglages, **pile.enter_context(services())}
        deux = [Serveur(tmp_path, **reglages) for _rang in range(2)]
        for rang, serveur in enumerate(deux):
            pile.callback(serveur.tuer)
            serveur.demarrer(*(["--no-migrate"] if rang else []))
        yield deux


@pytest.mark.parcours
def test_deux_services_disent_la_meme_chose_de_leurs_requetes_et_de_leurs_sockets(serveurs):
    def releves() -> list[Any]:
        recus = [httpx.get(f"{serveur.url}/metrics", headers=AUTORISATION) for serveur in serveurs]
        return [lues(recu.text) for recu in recus]

    for serveur in serveurs:
        invite = serveur.client()("POST", "/guest/sessions", {"telephone": "+243812345621"}, statut=201)
        envoi = {"titre": "Vol", "description": "Un sac.", "type": "VOL"}
        dossier = serveur.client(guest_id=invite["guestId"])("POST", "/signalements/", envoi, statut=201)
        prise = serveur.ecouter(f"signalement:{dossier['id']}", guestId=invite["guestId"])
        prise.attendre("connected")

    creations = ("campus_requests_total", ("POST", "/api/v1/signalements", "201"))
    ouverts = ("campus_sockets", ("signalement",))
    publies = ("campus_events_published_total", ("signalement_created",))
    assert [(lu[creations], lu[ouverts]) for lu in releves()] == [(2, 2)] * 2
    attendre(lambda: [lu.get(publies) for lu in releves()] == [2, 2], "les deux dossiers annoncés")
    assert [lu[("campus_database_up", ())] for lu in releves()] == [1, 1]
