"""Journeys through the nginx of Debian, with the file that `deploy/` ships and several processes behind it."""

import json
import os
import re
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from config.tests.pannes.sourds import serveur_sourd
from config.tests.serveur import RACINE, Serveur, attendre, port_libre, services
from demo.textes import GESTIONNAIRE, MOT_DE_PASSE

pytestmark = pytest.mark.parcours
AUTOUR = """
daemon off; pid {ici}/pid; {utilisateur}
error_log {ici}/depart.log;
events {{}}
http {{
    client_body_temp_path {ici}/corps; proxy_temp_path {ici}/mandataire;
    fastcgi_temp_path {ici}/f; uwsgi_temp_path {ici}/u; scgi_temp_path {ici}/s;
    include {ici}/campus.conf;
}}
"""


class Nginx:
    """The shipped file with other ports, paths and processes; `changer` is for limits that a test cannot reach."""

    def __init__(self, dossier: Path, processus: list[int], **changer: str) -> None:
        self.ici, self.port, self.port_http = dossier, port_libre(), port_libre()
        self.url = f"https://127.0.0.1:{self.port}"
        texte = (RACINE / "deploy" / "nginx" / "campus.conf").read_text(encoding="utf-8")
        serveurs = [f"    server 127.0.0.1:{port} max_fails=0;\n" for port in processus]
        remplacer = {
            "    server 127.0.0.1:8001 max_fails=0;\n": "".join(serveurs),
            "    server 127.0.0.1:8002 max_fails=0;\n": "",
            "listen 80;": f"listen 127.0.0.1:{self.port_http};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            "/var/log/nginx": str(dossier),
            "/etc/ssl/campus": str(dossier),
            **changer,
        }
        for avant, apres in remplacer.items():
            assert avant in texte, avant
            texte = texte.replace(avant, apres)
        (dossier / "campus.conf").write_text(texte)
        utilisateur = "user root;" if os.getuid() == 0 else ""
        (dossier / "nginx.conf").write_text(AUTOUR.format(ici=dossier, utilisateur=utilisateur))
        _certifier(dossier)
        self._commande = [_programme(), "-p", str(dossier), "-c", str(dossier / "nginx.conf")]
        self._processus: subprocess.Popen[bytes] | None = None

    def demarrer(self) -> None:
        relu = subprocess.run([*self._commande, "-t"], capture_output=True, text=True, check=False)  # noqa: S603
        assert relu.returncode == 0, relu.stderr
        assert "[warn]" not in relu.stderr
        self._processus = subprocess.Popen(self._commande, stderr=subprocess.DEVNULL)  # noqa: S603 -- our own command
        attendre(self._repond, f"nginx sur le port {self.port}")

    def _repond(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health/live", verify=False).status_code < 600  # noqa: S501 -- ours
        except httpx.TransportError:
            return False

    def arreter(self) -> None:
        if self._processus is not None:
            self._processus.terminate()
            self._processus.wait(timeout=10)

    def client(self, **entetes: str) -> httpx.Client:
        return httpx.Client(base_url=self.url, verify=False, headers=entetes, timeout=30)  # noqa: S501 -- ours

    @property
    def journaux(self) -> str:
        return "".join(un.read_text() for un in self.ici.glob("*.log"))

    @property
    def lignes(self) -> list[dict[str, Any]]:
        return [json.loads(ligne) for ligne in (self.ici / "campus.access.log").read_text().splitlines()]


def _programme() -> str:
    trouve = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if trouve is None:
        pytest.skip("demande nginx : apt-get install nginx-light")
    return trouve


def _certifier(dossier: Path) -> None:
    fichiers = ["-keyout", str(dossier / "privkey.pem"), "-out", str(dossier / "fullchain.pem")]
    options = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
    nom = ["-subj", "/CN=campus.example"]
    subprocess.run(["openssl", *options, *nom, *fichiers], check=True, capture_output=True)  # noqa: S603, S607


class Ensemble:
    def __init__(self, serveurs: list[Serveur], nginx: Nginx) -> None:
        self.serveurs, self.nginx = serveurs, nginx


@pytest.fixture(scope="module")
def ensemble(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ensemble]:
    """Two processes on PostgreSQL and Redis, nginx before them."""
    dossier = tmp_path_factory.mktemp("nginx")
    with ExitStack() as pile:
        siens = pile.enter_context(services())
        if not siens:
            pytest.skip("plusieurs processus demandent PostgreSQL et Redis")
        _programme()
        reglages = {
            **siens,
            "TRUSTED_PROXIES": "127.0.0.1",
            "HTTPS_ONLY": "true",
            "PUBLIC_URL": "https://127.0.0.1",
            "THROTTLE_ENABLED": "false",
        }
        serveurs = [Serveur(dossier, **reglages) for _rang in range(2)]
        for rang, serveur in enumerate(serveurs):
            pile.callback(serveur.tuer)
            serveur.demarrer(*(["--no-migrate"] if rang else []))
        nginx = Nginx(tmp_path_factory.mktemp("mandataire"), [serveur.port for serveur in serveurs])
        pile.callback(nginx.arreter)
        nginx.demarrer()
        yield Ensemble(serveurs, nginx)


@pytest.fixture
def nginx(ensemble: Ensemble) -> Nginx:
    return ensemble.nginx


def test_un_invite_signale_et_l_equipe_l_entend_par_un_socket(nginx):
    with nginx.client() as client:
        identite = {"email": GESTIONNAIRE.email, "motDePasse": MOT_DE_PASSE}
        jeton = client.post("/api/v1/auth/login", json=identite).json()["data"]["token"]
        invite = client.post("/api/v1/guest/sessions", json={"telephone": "+243812345621"}).json()["data"]["guestId"]
        contexte = ssl._create_unverified_context()  # noqa: S323 -- ours
        adresse = f"wss://127.0.0.1:{nginx.port}/api/v1/ws/signalements?token={jeton}"
        with connect(adresse, ssl=contexte) as prise:
            corps = {"titre": "Porte", "description": "La serrure est cassée.", "type": "VOL"}
            cree = client.post("/api/v1/signalements/", json=corps, headers={"X-Guest-Id": invite})
            annonce = _attendre(prise, "signalement_created")
        suivi = client.get(f"/api/v1/guest/sessions/{invite}")

    assert cree.status_code == 201
    assert annonce["payload"]["id"] == cree.json()["data"]["id"]
    assert suivi.status_code == 200
    attendre(lambda: any("/guest/sessions/*" in ligne["path"] for ligne in nginx.lignes), "la ligne du suivi")
    assert [mot for mot in (jeton, invite, "?", "token=") if mot in nginx.journaux] == []


def _attendre(prise: Any, type_: str) -> dict[str, Any]:
    while True:
        recu: dict[str, Any] = json.loads(prise.recv(timeout=10))
        if recu["type"] == type_:
            return recu


def test_l_adresse_l_identifiant_et_le_schema_ne_se_forgent_pas(ensemble):
    forges = {"X-Forwarded-For": "6.6.6.6", "X-Request-Id": "forge-forge-forge", "X-Forwarded-Proto": "http"}
    with ensemble.nginx.client(**forges) as client:
        reponse = client.get("/api/v1/config")

    rendu = reponse.headers["X-Request-Id"]
    lignes = [ligne for serveur in ensemble.serveurs for ligne in serveur.lignes("campus.acces")]
    assert reponse.status_code == 200  # neither http nor a redirection to https
    assert re.fullmatch(r"[0-9a-f]{32}", rendu)
    assert [ligne["client_address"] for ligne in lignes if ligne["request_id"] == rendu] == ["127.0.0.1"]
    attendre(lambda: any(ligne["request_id"] == rendu for ligne in ensemble.nginx.lignes), "la même chez nginx")


def test_http_mene_a_https_et_les_entetes_de_surete_ne_sont_pas_doubles(nginx):
    renvoi = httpx.get(f"http://127.0.0.1:{nginx.port_http}/portail?x=1")
    with nginx.client() as client:
        page = client.get("/")

    assert (renvoi.status_code, renvoi.headers["Location"]) == (308, "https://campus.example/portail?x=1")
    uniques = ("strict-transport-security", "content-security-policy", "x-content-type-options", "referrer-policy")
    assert {nom: len(page.headers.get_list(nom)) for nom in uniques} == dict.fromkeys(uniques, 1)
    assert "nginx/" not in str(page.headers)


def test_ce_qui_est_trop_grand_est_refuse_par_qui_sait_le_dire(nginx):
    with nginx.client() as client:
        par_le_service = client.post("/api/v1/auth/login", content=b"x" * 1_500_000)
        par_nginx = client.post("/api/v1/auth/login", content=b"x" * 3_000_000)
        mesures = client.get("/metrics")

    assert (par_le_service.status_code, par_le_service.json()["code"]) == (413, "BODY_TOO_LARGE")
    assert (par_nginx.status_code, par_nginx.json()["code"]) == (413, "BODY_TOO_LARGE")
    assert mesures.status_code == 404


def test_un_fichier_passe(nginx):
    with nginx.client() as client:
        invite = client.post("/api/v1/guest/sessions", json={"telephone": "+243812345622"}).json()["data"]["guestId"]
        fichier = {"file": ("recit.txt", b"Un recit. " * 300_000, "text/plain")}
        recu = client.post("/api/v1/fichiers/upload", files=fichier, headers={"X-Guest-Id": invite})

    assert recu.status_code in (201, 415), recu.text  # read whole and judged by the service
    assert list((nginx.ici / "corps").rglob("*/*")) == []


def test_un_processus_qui_redemarre_ne_se_voit_pas(ensemble):
    fin, statuts = threading.Event(), []

    def demander() -> None:
        with ensemble.nginx.client() as client:
            while not fin.is_set():
                statuts.append(client.get("/api/v1/config").status_code)
                time.sleep(0.05)  # below the rate that an address may have

    fils = [threading.Thread(target=demander) for _rang in range(4)]
    for fil in fils:
        fil.start()
    for serveur in ensemble.serveurs:
        avant = len(statuts)
        assert serveur.terminer() == 0
        serveur.demarrer("--no-migrate")
        assert len(statuts) > avant
    fin.set()
    for fil in fils:
        fil.join()

    assert set(statuts) == {200}


def test_sans_aucun_processus_c_est_dit_et_rien_de_la_demande_n_est_au_journal(tmp_path):
    nginx = Nginx(tmp_path, [port_libre()])
    try:
        nginx.demarrer()
        with nginx.client() as client:
            reponse = client.get("/api/v1/config?token=un-secret-du-lien")
    finally:
        nginx.arreter()

    assert (reponse.status_code, reponse.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert reponse.headers["Retry-After"] == "5"
    assert "un-secret-du-lien" not in nginx.journaux
    assert nginx.lignes[-1]["upstream_status"] == "502"


def test_une_adresse_trop_pressee_attend(tmp_path):
    nginx = Nginx(tmp_path, [port_libre()], **{"rate=100r/s": "rate=1r/m", "burst=400": "burst=3"})
    try:
        nginx.demarrer()
        with nginx.client() as client:
            reponses = [client.get("/health/live") for _fois in range(5)]
    finally:
        nginx.arreter()

    assert (reponses[-1].status_code, reponses[-1].json()["code"]) == (429, "RATE_LIMITED")


def test_un_post_recu_n_est_jamais_repete(tmp_path):
    """Both processes read it and cut: a GET is asked of the second too, a POST of one alone."""
    recus: list[str] = []
    with ExitStack() as pile:
        ports = [pile.enter_context(_qui_coupe(recus)) for _rang in range(2)]
        nginx = Nginx(tmp_path, ports)
        pile.callback(nginx.arreter)
        nginx.demarrer()
        attendre(lambda: "GET" in recus, "la première demande")
        recus.clear()
        with nginx.client() as client:
            poste = client.post("/api/v1/signalements/", json={})

    assert (poste.status_code, recus) == (503, ["POST"])


def _qui_coupe(recus: list[str]) -> Any:
    def couper(prise: Any, fin: threading.Event) -> None:
        recus.append(prise.recv(4096).split(b" ")[0].decode())

    return serveur_sourd(couper)
