"""What clients send and are sent, byte for byte: bounds, faults, requests in advance; uvicorn as `serve` sets it."""

import asyncio
import json
import re
import select
import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from config.serveur import protocoles, requetes
from config.tests.outils.envois import ENVELOPPE
from config.tests.outils.serveur import attendre

H = b"Host: localhost\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
FIN = b"GET /fin HTTP/1.1\r\nConnection: close\r\n" + H + b"\r\n"
PRISE = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\n"
)


def get(chemin: str, autres: bytes = b"") -> bytes:
    return b"GET %b HTTP/1.1\r\n" % chemin.encode() + H + autres + b"\r\n"


def post(suite: bytes, chemin: str = "/envoi") -> bytes:
    return b"POST %b HTTP/1.1\r\n" % chemin.encode() + H + suite


class Application:
    """Says what it received; each path is a way to answer."""

    def __init__(self) -> None:
        self.chemins: list[str] = []
        self.parties: list[str] = []
        self.lentes = threading.Event()  # /lent is answered once it is set

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        chemin = scope["path"]
        self.chemins.append(chemin)
        if scope["type"] == "websocket":
            return
        if chemin == "/lent":
            await asyncio.to_thread(self.lentes.wait, 10)
        if chemin == "/attend" and (await receive(), await receive())[1]["type"] == "http.disconnect":
            self.parties.append(chemin)
            return
        corps = b"" if chemin == "/tot" else await _recevoir(receive)
        if corps is None:
            self.parties.append(chemin)
            return
        entetes = sorted(nom for nom, _valeur in scope["headers"] if nom != b"host")
        await self._repondre(chemin, b"[%b %b %b]" % (chemin.encode(), b",".join(entetes), corps), send)

    async def _repondre(self, chemin: str, corps: bytes, send: Any) -> None:
        entetes = {"/injection": [(b"x-a", b"b\r\nx-injecte: oui")], "/menteur": [(b"content-length", b"1")]}
        statut = 204 if chemin == "/vide" else 200
        await send({"type": "http.response.start", "status": statut, "headers": entetes.get(chemin, [])})
        if chemin == "/panne":
            raise ValueError(chemin)
        if chemin == "/morceaux":
            await send({"type": "http.response.body", "body": b"a" * 10, "more_body": True})
        await send({"type": "http.response.body", "body": b"" if statut == 204 else corps})


async def _recevoir(receive: Any) -> bytes | None:
    corps, suite = b"", True
    while suite:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        corps, suite = corps + message["body"], message["more_body"]
    return corps


@pytest.fixture(scope="module", params=["uvloop", "asyncio"])
def lance(request: pytest.FixtureRequest) -> Iterator[Any]:
    reglages = _reglages(Application(), loop=request.param)
    serveur = uvicorn.Server(reglages)
    ecoute = socket.create_server(("127.0.0.1", 0))
    fil = threading.Thread(target=serveur.run, kwargs={"sockets": [ecoute]}, daemon=True)
    fil.start()
    attendre(lambda: serveur.started, "le serveur")
    yield SimpleNamespace(port=ecoute.getsockname()[1], config=reglages)
    serveur.should_exit = serveur.force_exit = True
    fil.join(timeout=10)


@pytest.fixture
def application(lance: Any, monkeypatch: pytest.MonkeyPatch) -> Application:
    neuve = Application()
    monkeypatch.setattr(lance.config, "loaded_app", neuve)
    return neuve


@pytest.fixture
def ouvrir(lance: Any, application: Application) -> Any:
    return lambda: socket.create_connection(("127.0.0.1", lance.port), timeout=20)


@pytest.fixture
def dire(ouvrir: Any) -> Any:
    """dire(octets): all that is answered until the connection is closed."""

    def faire(octets: bytes) -> bytes:
        with ouvrir() as prise:
            prise.sendall(octets)
            return entendre(prise)

    return faire


def entendre(prise: socket.socket) -> bytes:
    recus = b""
    while morceau := prise.recv(65_536):
        recus += morceau
    return recus


def statuts(recus: bytes) -> list[int]:
    return [int(statut) for statut in re.findall(rb"HTTP/1\.1 (\d+) ", recus)]


# --- Faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "illisible",
    [
        b"\x16\x03\x01\x02\x00\x01",  # TLS
        b"GET /a\r\n\r\n",
        b"GET /a HTTP/1.1\r\n\r\n",
        b"GET /a HTTP/1.1\r\n" + H + H + b"\r\n",
        b"GET /a HTTP/1.2\r\n" + H + b"\r\n",
        b"GET /a HTTP/2.0\r\n" + H + b"\r\n",
        b"INCONNU /a HTTP/1.1\r\n" + H + b"\r\n",
        b"GET /\xc3\xa9 HTTP/1.1\r\n" + H + b"\r\n",
        b"GET /a\x00b HTTP/1.1\r\n" + H + b"\r\n",
        b"GET /a b HTTP/1.1\r\n" + H + b"\r\n",
        b"GET /a HTTP/1.1\nHost: localhost\n\n",
        get("/a", b"X-A: b\nX-C: d\r\n"),
        get("/a", b"X-A: b\rX-C: d\r\n"),
        get("/a", b"X-A: b\r\n c\r\n"),
        get("/a", b"X-A: b\x00c\r\n"),
        get("/a", b"X-A: b\x01c\r\n"),
        get("/a", b"X\x00A: b\r\n"),
        get("/a", b"X-A : b\r\n"),
        get("/a", b": b\r\n"),
        get("/a", b"X-A\r\n"),
        post(b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc"),
        post(b"Content-Length: 2\r\nContent-Length: 2\r\n\r\nab"),
        post(b"Content-Length: 2, 2\r\n\r\nab"),
        post(b"Content-Length: +2\r\n\r\nab"),
        post(b"Content-Length: -2\r\n\r\nab"),
        post(b"Content-Length: 0x2\r\n\r\nab"),
        post(b"Content-Length:\r\n\r\n"),
        post(b"Content-Length: 99999999999999999999999\r\n\r\n"),
        post(b"Content-Length: 5\r\n" + CHUNKED + b"0\r\n\r\n"),
        post(b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
        post(b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        post(b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
        post(b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n"),
        post(b"Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 37\r\n\r\n" + get("/b")),
        b"CONNECT a:80 HTTP/1.1\r\n" + H + b"Content-Length: 2\r\n\r\nab",
    ],
)
def test_une_requete_illisible_est_refusee_et_la_connexion_fermee(dire, application, illisible):
    recus = dire(illisible)

    assert statuts(recus) == [400]
    entetes, _separe, corps = recus.partition(b"\r\n\r\n")
    enveloppe = json.loads(corps)
    assert (enveloppe["code"], enveloppe["statusCode"], enveloppe["path"]) == ("MALFORMED_REQUEST", 400, "")
    assert enveloppe.keys() == ENVELOPPE
    assert b"content-type: application/json\r\n" in entetes
    assert f"x-request-id: {enveloppe['requestId']}\r\n".encode() in entetes
    assert application.chemins == []


@pytest.mark.parametrize(
    "corps",
    [
        b"zz\r\nab\r\n0\r\n\r\n",
        b"0x2\r\nab\r\n0\r\n\r\n",
        b"2\r\nabc\r\n0\r\n\r\n",
        b"2\nab\n0\n\n",
        b"2;\n2\r\nab\r\n",
    ],
)
def test_un_corps_illisible_est_refuse(dire, application, corps):
    recus = dire(post(CHUNKED + corps))

    assert statuts(recus) == [400]
    attendre(lambda: application.parties == application.chemins, "la fin de l'application")


async def test_une_faute_de_notre_fait_se_lit_au_journal(caplog, monkeypatch):
    monkeypatch.setattr(requetes.Requetes, "_recevoir", lambda *args: 1 / 0)
    un, autre = Reseau(), Reseau()

    with caplog.at_level("WARNING", logger="uvicorn.error"):
        await un.recevoir(get("/a"))
        await autre.recevoir(b"GET /\xc3\xa9 HTTP/1.1\r\n" + H + b"\r\n")

    assert [ligne.exc_info and ligne.exc_info[0] for ligne in caplog.records] == [ZeroDivisionError, None]


async def test_apres_un_400_l_application_ne_repond_plus_meme_si_le_client_ne_lit_pas():
    assert statuts(b"".join(await Reseau().recevoir(post(CHUNKED + b"zz\r\n")))) == [400]


def test_une_faute_attend_les_reponses_aux_requetes_d_avant(ouvrir, application):
    with ouvrir() as prise:
        prise.sendall(get("/lent") + post(CHUNKED + b"zz\r\n"))
        attendre(lambda: application.chemins, "la première")
        application.lentes.set()
        recus = entendre(prise)

    assert statuts(recus) == [200, 400]
    assert application.chemins == ["/lent"]


def test_une_faute_entre_deux_requetes_attend_toutes_celles_d_avant(ouvrir, application):
    with ouvrir() as prise:
        prise.sendall(get("/lent") + get("/deux") + b"n'importe quoi\r\n\r\n" + get("/jamais"))
        attendre(lambda: application.chemins, "la première")
        application.lentes.set()
        recus = entendre(prise)

    assert statuts(recus) == [200, 200, 400]
    assert application.chemins == ["/lent", "/deux"]


def test_une_faute_apres_la_reponse_ferme_sans_autre_reponse(ouvrir):
    with ouvrir() as prise:
        prise.sendall(post(CHUNKED, "/tot"))
        recus = prise.recv(65_536)
        prise.sendall(b"zz\r\n")

        assert statuts(recus + entendre(prise)) == [200]


# --- Sizes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "debut",
    [
        b"GET /",
        get("/a")[:-2] + b"X-A: ",
        post(CHUNKED + b"1\r\na\r\n0\r\nX-A: "),
        post(CHUNKED + b"1;"),
    ],
)
def test_ce_qui_ne_finit_pas_est_refuse(ouvrir, application, debut):
    with ouvrir() as prise:
        recus = b""
        with pytest.raises(OSError, match=r"pipe|reset"):
            prise.sendall(debut)
            for _fois in range(10_000):
                prise.sendall(b"a" * 1024)
                recus += _ce_qui_est_la(prise)

    assert statuts(recus) in ([400], [])  # a client that is cut while sending may not hear why
    attendre(lambda: application.parties == application.chemins, "la fin de l'application")


def _ce_qui_est_la(prise: socket.socket) -> bytes:
    return prise.recv(65_536) if select.select([prise], [], [], 0)[0] else b""


def test_des_lignes_vides_sans_fin_sont_refusees(ouvrir):
    with ouvrir() as prise, pytest.raises(OSError, match=r"pipe|reset"):
        for _fois in range(10_000):
            prise.sendall(b"\r\n" * 512)


@pytest.mark.parametrize("octets", [requetes.ENTETES_OCTETS - 1000, requetes.ENTETES_OCTETS + 1])
async def test_la_borne_des_en_tetes_est_la_meme_lus_d_un_coup(octets):
    ecrits = await Reseau().recevoir(get("/a", b"X-A: " + b"a" * octets + b"\r\n"))

    assert statuts(b"".join(ecrits)) == [400 if octets > requetes.ENTETES_OCTETS else 200]


def test_un_long_corps_n_est_pas_un_en_tete(dire):
    recus = dire(post(b"Content-Length: 300000\r\n\r\n" + b"a" * 300_000) + FIN)

    assert statuts(recus) == [200, 200]
    assert recus.count(b"a" * 300_000) == 1


# --- Requests in advance ----------------------------------------------------------------------------------------------


def test_des_requetes_en_avance_recoivent_leurs_reponses_dans_l_ordre(dire):
    recus = dire(get("/un") + post(b"Content-Length: 2\r\n\r\nab", "/deux") + get("/trois") + FIN)

    assert re.findall(rb"\[(\S+)", recus) == [b"/un", b"/deux", b"/trois", b"/fin"]


def test_tant_de_requetes_en_avance_puis_la_connexion_se_ferme(ouvrir, application):
    with ouvrir() as prise:
        prise.sendall(get("/lent") + b"".join(get(f"/{rang}") for rang in range(200)))
        attendre(lambda: application.chemins, "la première")
        application.lentes.set()
        recus = entendre(prise)

    assert application.chemins == ["/lent", *(f"/{rang}" for rang in range(requetes.EN_FILE))]
    assert statuts(recus) == [200] * (requetes.EN_FILE + 1)
    assert recus.count(b"connection: close") == 1


def test_un_socket_ne_s_ouvre_pas_en_avance(ouvrir, application):
    with ouvrir() as prise:
        prise.sendall(get("/lent") + get("/socket", PRISE))
        attendre(lambda: application.chemins, "la première")
        application.lentes.set()
        recus = entendre(prise)

    assert statuts(recus) == [200]
    assert application.chemins == ["/lent"]


def test_apres_close_rien_d_autre_n_est_servi(dire, application):
    assert statuts(dire(FIN + get("/jamais"))) == [200]
    assert application.chemins == ["/fin"]


def test_un_client_parti_le_dit_a_la_requete_en_main_et_laisse_les_autres(ouvrir, application):
    with ouvrir() as prise:
        prise.sendall(post(b"Content-Length: 2\r\n\r\nab", "/attend") + get("/jamais"))
        attendre(lambda: application.chemins, "la première")

    attendre(lambda: application.parties == ["/attend"], "la fin")
    assert application.chemins == ["/attend"]


# --- Idle connections -------------------------------------------------------------------------------------------------


def test_une_connexion_oisive_se_ferme(ouvrir, lance, monkeypatch):
    monkeypatch.setattr(lance.config, "timeout_keep_alive", 0.2)
    with ouvrir() as prise:
        prise.sendall(get("/a"))

        assert statuts(entendre(prise)) == [200]


@pytest.mark.parametrize("premiere", [True, False], ids=["jamais servie", "servie"])
def test_une_requete_venue_a_temps_est_servie_meme_lue_en_retard(ouvrir, monkeypatch, premiere):
    """The loop is busy with another connection; then a timer comes first."""
    occupee, venue = threading.Event(), threading.Event()

    def lire(protocole: requetes.Requetes, octets: bytes) -> None:
        if octets != b"\r\n":
            return _lire(protocole, octets)
        occupee.set()
        venue.wait(10)
        for autre in protocole.connections - {protocole}:
            if premiere:
                autre._fermer()
            else:
                autre.timeout_keep_alive_handler()

    _lire = requetes.Requetes._lire
    monkeypatch.setattr(requetes.Requetes, "_lire", lire)
    with ouvrir() as prise, ouvrir() as occupante:
        if not premiere:
            prise.sendall(get("/a"))
            assert statuts(prise.recv(65_536)) == [200]
        occupante.sendall(b"\r\n")
        assert occupee.wait(10)
        prise.sendall(get("/b"))
        venue.set()

        assert statuts(prise.recv(65_536)) == [200]


async def test_des_en_tetes_en_morceaux_ne_gagnent_de_temps_qu_une_fois(monkeypatch):
    monkeypatch.setattr(requetes.Requetes, "_est_a_lire", lambda _protocole: True)
    reseau, fermees = Reseau(), []
    monkeypatch.setattr(reseau, "close", lambda: fermees.append(1))

    for rang, morceau in enumerate([b"GET /", b"a", b"b"]):
        reseau.protocole.data_received(morceau)
        reseau.protocole._fermer()
        assert len(fermees) == rang


# --- Bodies and protocols ---------------------------------------------------------------------------------------------


def test_ce_qui_suit_un_corps_en_morceaux_n_est_pas_un_en_tete(dire):
    recus = dire(post(CHUNKED + b"2;a=b\r\nab\r\n0\r\nX-Guest-Id: autre\r\n\r\n") + FIN)

    assert b"[/envoi transfer-encoding ab]" in recus


def test_le_corps_qu_on_n_a_pas_lu_n_est_pas_la_requete_suivante(dire, application):
    recus = dire(post(b"Content-Length: %d\r\n\r\n" % len(get("/b")) + get("/b"), "/tot") + FIN)

    assert statuts(recus) == [200, 200]
    assert application.chemins == ["/tot", "/fin"]


def test_100_continue_est_dit_avant_le_corps(ouvrir):
    with ouvrir() as prise:
        prise.sendall(post(b"Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n"))
        assert prise.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        prise.sendall(b"ab" + FIN)

        assert statuts(entendre(prise)) == [200, 200]


def test_un_autre_protocole_n_est_pas_parle_et_http_continue(dire):
    recus = dire(get("/a", b"Connection: Upgrade\r\nUpgrade: h2c\r\n") + FIN)

    assert re.findall(rb"\[(\S+)", recus) == [b"/a", b"/fin"]


@pytest.mark.parametrize(
    "poignee",
    [
        get("/a", b"Connection: Upgrade\r\nUpgrade: websocket\r\n"),
        get("/a", b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"),
        b"DELETE /a HTTP/1.1\r\n" + H + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n\r\n",
    ],
)
def test_ce_qui_n_est_pas_la_poignee_de_main_d_un_socket_est_une_requete(dire, poignee):
    recus = dire(poignee + FIN)

    assert statuts(recus) == [200, 200]
    assert re.findall(rb"\[(\S+)", recus) == [b"/a", b"/fin"]


def test_connect_n_ouvre_pas_de_tunnel(dire, application):
    dire(b"CONNECT a:80 HTTP/1.1\r\n" + H + b"\r\n" + get("/jamais"))

    assert application.chemins == ["a:80"]


def test_head_n_a_pas_de_corps_et_http_1_0_ferme(dire):
    tete = dire(b"HEAD /a HTTP/1.1\r\nConnection: close\r\n" + H + b"\r\n")
    ancien = dire(b"GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")

    assert tete.endswith(b"\r\n\r\n")
    assert ancien == b"HTTP/1.1 200 OK\r\ncontent-length: 16\r\nconnection: close\r\n\r\n[/a connection ]"


def test_une_reponse_sans_corps_n_annonce_rien(dire):
    assert dire(get("/vide", b"Connection: close\r\n")) == b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"


def test_une_reponse_en_morceaux_part_comme_uvicorn_l_envoie(dire):
    recus = dire(get("/morceaux", b"Connection: close\r\n"))

    assert b"transfer-encoding: chunked" in recus
    assert recus.endswith(b"\r\n\r\na\r\naaaaaaaaaa\r\n17\r\n[/morceaux connection ]\r\n0\r\n\r\n")


# --- Answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chemin", ["/injection", "/menteur", "/panne"])
def test_une_reponse_qu_on_ne_peut_pas_ecrire_est_un_500(dire, chemin):
    recus = dire(get(chemin))

    assert statuts(recus) == [500]
    assert b"injecte" not in recus


async def test_une_reponse_entiere_part_d_une_seule_ecriture():
    assert await Reseau().recevoir(get("/a")) == [b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n[/a  ]"]


class Reseau(asyncio.Transport):
    """A connection without a network: each write is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.ecrits: list[bytes] = []
        self.protocole = requetes.Requetes(_reglages(Application()), ServerState(), {})
        self.protocole.connection_made(self)

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self.protocole

    def write(self, data: Any) -> None:
        self.ecrits.append(bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        self.ecrits.append(b"".join(list_of_data))

    def close(self) -> None: ...

    def is_closing(self) -> bool:
        return False

    async def recevoir(self, octets: bytes) -> list[bytes]:
        """What is written once these bytes, read at once, are answered."""
        self.protocole.data_received(octets)
        if taches := set(self.protocole.tasks):
            _faites, pendent = await asyncio.wait(taches, timeout=10)
            assert not pendent
        return self.ecrits


def _reglages(application: Any, **autres: Any) -> uvicorn.Config:
    reglages = uvicorn.Config(
        application,
        http=requetes.Requetes,
        ws=protocoles.Prises,
        log_config=None,
        lifespan="off",
        log_level="critical",
        server_header=False,
        date_header=False,
        **autres,
    )
    reglages.load()
    return reglages
