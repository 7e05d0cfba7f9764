"""Journeys through the nginx of Debian, with the file that `deploy/` ships and several processes behind it."""

import json
import os
import re
import shutil
import socket
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

from config.tests.outils.serveur import RACINE, Serveur, attendre, port_libre, services
from config.tests.outils.typographie import ordinaire
from config.tests.pannes.sourds import serveur_sourd
from demo.textes import GESTIONNAIRE, MOT_DE_PASSE

pytestmark = pytest.mark.parcours
TAILLES = [11_900_000, 14_700_000, 30_000_000]
FILM = 14_700_000
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
        attendre(self._repond, f"nginx sur le port {self.port}", 60)

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


@pytest.mark.parametrize(
    ("chemin", "code"),
    [("/api/v1/fichiers/upload", "FILE_TOO_LARGE"), ("/api/v1/signalements/", "BODY_TOO_LARGE")],
)
def test_ce_qui_est_trop_grand_recoit_chaque_fois_un_refus_entier(nginx, chemin, code):
    with nginx.client() as client:
        invite = client.post("/api/v1/guest/sessions", json={"telephone": "+243812345623"}).json()["data"]["guestId"]
        envois = [client.post(chemin, content=b"a" * taille, headers={"X-Guest-Id": invite}) for taille in TAILLES * 2]

    assert [(envoi.status_code, envoi.json()["code"]) for envoi in envois] == [(413, code)] * len(envois)


def test_une_personne_dont_l_envoi_est_trop_grand_lit_une_phrase(nginx):
    with nginx.client() as client:
        refus = client.post("/ecrire/faits/", content=b"a" * 3_000_000)

    assert (refus.status_code, refus.headers["Content-Type"]) == (413, "text/html; charset=utf-8")
    assert "Cet envoi est trop grand : 1 Mo au plus." in refus.text
    assert '<a href="/ecrire/faits/">Revenir à la page</a>' in refus.text
    assert "{" not in refus.text


def test_au_portail_sans_script_les_fichiers_sont_pris_ou_refuses_par_le_service(nginx):
    with nginx.client(Referer=f"{nginx.url}/") as client:
        champs = _ouvrir_son_espace(client)
        adresse = "/fichiers/envoyer/?pour=1"

        seul = client.post(adresse, data=champs, files=[_fichier("film.mp4", FILM)])
        ensemble = client.post(adresse, data=champs, files=[_fichier("a.txt", 6_000_000), _fichier("b.txt", 6_000_001)])
        meles = client.post(adresse, data=champs, files=[_fichier("film.mp4", FILM), _fichier("c.txt", 3)])
        trop = client.post(adresse, data=champs, files=[_fichier(f"{n}.mp4", FILM) for n in range(4)])
        dossier = client.get("/dossiers/1/").text

    assert (seul.status_code, ensemble.status_code, meles.status_code, trop.status_code) == (413, 303, 413, 413)
    assert "Ce fichier fait plus de 10 Mo. Une vidéo : coupez-la" in _dit(seul)
    assert "« film.mp4 » : Ce fichier fait plus de 10 Mo." in _dit(meles)
    assert "<bdi>c.txt</bdi>" in _dit(meles)
    assert "Cet envoi fait plus de 50 Mo en tout" in _dit(trop)
    assert {'href="/dossiers/1/"' in refus.text for refus in (seul, meles, trop)} == {True}
    assert [nom in dossier for nom in ("a.txt", "b.txt", "c.txt", "film.mp4", "0.mp4")] == [True] * 3 + [False] * 2
    assert list((nginx.ici / "corps").rglob("*/*")) == []


def _dit(refus: httpx.Response) -> str:
    """What a page says, as the code writes it."""
    return ordinaire(refus.text)


def _ouvrir_son_espace(client: httpx.Client) -> dict[str, str]:
    """By the guest id of an application, with one case; what its page of files posts."""
    invite = client.post("/api/v1/guest/sessions", json={"telephone": "+243812345624"}).json()["data"]["guestId"]
    recit = {"titre": "Porte", "description": "La serrure est cassée.", "type": "VOL"}
    client.post("/api/v1/signalements/", json=recit, headers={"X-Guest-Id": invite})
    page = client.get("/retrouver/").text
    client.post("/retrouver/", data={"code": invite, "csrfmiddlewaretoken": _cache(page, "csrfmiddlewaretoken")})
    page = client.get("/dossiers/1/fichier/").text
    return {nom: _cache(page, nom) for nom in ("csrfmiddlewaretoken", "pour")}


def _cache(page: str, nom: str) -> str:
    return re.findall(rf'name="{nom}" value="([^"]*)"', page)[0]


def _fichier(nom: str, octets: int) -> tuple[str, tuple[str, bytes, str]]:
    return "fichier", (nom, b"a" * octets, "text/plain")


@pytest.mark.parametrize(
    ("adresse", "limite", "page"),
    [
        ("/fichiers/envoyer/?pour=12", "10 Mo au plus par fichier, 50 Mo en tout", "/dossiers/12/fichier/"),
        ('/fichiers/envoyer/?pour=1"><b>', "10 Mo au plus par fichier, 50 Mo en tout", "/fichiers/envoyer/"),
        ("/equipe/fichiers/envoyer/?pour=5f0c-9e", "50 Mo en tout", "/equipe/dossiers/5f0c-9e/fichier/"),
        ("/ecrire/faits/?ici=/x", "1 Mo au plus", "/ecrire/faits/"),
        ("//ailleurs.example/", "1 Mo au plus", "/"),
        ("/%3Cb%3E/", "1 Mo au plus", "/"),
    ],
)
def test_ce_que_nginx_refuse_lui_meme_dit_la_limite_et_mene_a_la_page(trop_petit, adresse, limite, page):
    refus = _poster_brut(trop_petit, adresse)

    assert "HTTP/1.1 413" in refus
    assert limite in refus
    assert re.findall(r'<a href="([^"]*)"', refus) == [page]
    assert "<b>" not in refus
    assert "ailleurs" not in refus


@pytest.mark.parametrize(
    ("chemin", "code", "limite"),
    [
        ("/api/v1/fichiers/upload", "FILE_TOO_LARGE", "10 Mo au plus"),
        ("/api/v1/ressources/upload/", "FILE_TOO_LARGE", "20 Mo au plus"),
        ("/api/v1/signalements/", "BODY_TOO_LARGE", "1 Mo au plus"),
    ],
)
def test_ce_que_nginx_refuse_lui_meme_a_le_code_du_service(trop_petit, chemin, code, limite):
    refus = json.loads(_poster_brut(trop_petit, chemin).partition("\r\n\r\n")[2])

    assert (refus["statusCode"], refus["code"], limite in refus["message"]) == (413, code, True)


@pytest.fixture(scope="module")
def trop_petit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    """Before nobody, and refusing what is far below its true limits."""
    petits = {f"client_max_body_size {taille}": "client_max_body_size 1k" for taille in ("2m", "256m")}
    nginx = Nginx(tmp_path_factory.mktemp("petit"), [port_libre()], **petits)
    try:
        nginx.demarrer()
        yield nginx
    finally:
        nginx.arreter()


def _poster_brut(nginx: Nginx, adresse: str) -> str:
    """The answer to an address sent as it is, which no client would."""
    contexte = ssl._create_unverified_context()  # noqa: S323 -- ours
    with socket.create_connection(("127.0.0.1", nginx.port), timeout=10) as brute, contexte.wrap_socket(brute) as prise:
        lignes = (f"POST {adresse} HTTP/1.1", "Host: 127.0.0.1", "Content-Length: 2000", "Connection: close")
        prise.sendall("\r\n".join((*lignes, "", "a" * 2000)).encode())
        return b"".join(iter(lambda: prise.recv(65536), b"")).decode()


def test_l_api_et_les_feuilles_se_compressent_et_les_pages_non(nginx):
    with nginx.client(**{"Accept-Encoding": "gzip"}) as client:
        api, page = client.get("/api/v1/openapi.json"), client.get("/")
        feuille = client.get(re.findall(r'href="(/static/[^"]+\.css)"', page.text)[0])

    assert [un.headers.get("Content-Encoding") for un in (api, feuille, page)] == ["gzip", "gzip", None]
    assert api.json()["openapi"]


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
