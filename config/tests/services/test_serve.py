import asyncio
import os
import resource
import signal
import socket
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
import uvicorn
import uvloop
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError

from accounts.models import Compte
from config.management.commands import serve
from config.tests.outils.serveur import Serveur, attendre
from demo.textes import ADMIN, GESTIONNAIRE, MOT_DE_PASSE

pytestmark = pytest.mark.django_db
LOCAL = {
    "DEMO": False,
    "EMBARQUE": True,
    "HOST": "127.0.0.1",
    "PUBLIC_URL": "http://127.0.0.1:8000",
    "ALLOWED_HOSTS": ["127.0.0.1", "localhost"],
}


@pytest.fixture
def servir(settings, monkeypatch):
    """servir(HOST=...): starts with these settings and ends at once; the e-mail addresses of the accounts it made."""
    monkeypatch.setattr(serve.Serveur, "run", lambda self, sockets: None)
    monkeypatch.setattr(serve, "ouvrir_ecoute", lambda: None)
    monkeypatch.setattr(serve.signal, "signal", lambda *args: None)
    monkeypatch.setattr(serve.OuvrierInterne, "demarrer", lambda self: None)

    def faire(**reglages):
        for nom, valeur in {**LOCAL, **reglages}.items():
            setattr(settings, nom, valeur)
        call_command("serve", "--no-migrate")
        return set(Compte.objects.values_list("email", flat=True))

    return faire


@pytest.mark.parametrize(
    "reglages",
    [
        {},
        {"HOST": "localhost"},
        {"HOST": "::1", "PUBLIC_URL": "http://[::1]:8000", "ALLOWED_HOSTS": ["[::1]", "localhost"]},
    ],
)
def test_un_premier_demarrage_local_cree_les_comptes_de_demonstration(servir, reglages, capsys):
    assert ADMIN.email in servir(**reglages)
    assert ADMIN.email in capsys.readouterr().out


@pytest.mark.parametrize(
    "reglages",
    [
        {"HOST": "0.0.0.0"},  # noqa: S104 -- the case
        {"HOST": "::"},
        {"HOST": "campus.example.org"},
        {"PUBLIC_URL": "https://campus.example.org"},
        {"ALLOWED_HOSTS": ["127.0.0.1", "campus.example.org"]},
        {"ALLOWED_HOSTS": ["*"]},
        {"EMBARQUE": False},
    ],
)
def test_un_service_qui_n_est_pas_tout_entier_local_n_en_cree_aucun(servir, reglages):
    assert servir(**reglages) == set()


def test_l_adresse_de_l_equipe_se_lit_avec_son_compte(servir, capsys):
    for _premier_puis_second in range(2):
        servir()
        lignes = capsys.readouterr().out.splitlines()

        assert lignes[0].startswith("Portail, pour qui signale : http")
        assert lignes[1].startswith("Espace de l'équipe, pour qui traite : http")
        assert lignes[1].endswith(f"/equipe/ ({GESTIONNAIRE.email}, {MOT_DE_PASSE})")


def test_sans_compte_ouvert_l_adresse_de_l_equipe_est_seule(servir, capsys):
    servir(HOST="campus.example.org")

    assert "/equipe/\n" in capsys.readouterr().out


def test_demo_les_demande_meme_ailleurs(servir):
    assert ADMIN.email in servir(DEMO=True, PUBLIC_URL="https://campus.example.org")


def test_un_redemarrage_garde_les_comptes_et_n_ajoute_rien(servir):
    assert servir() == servir()


def test_un_compte_de_demonstration_renomme_ne_revient_pas(servir):
    servir()
    Compte.objects.filter(email=ADMIN.email).update(email="moi@campus.example")

    assert ADMIN.email not in servir()


def test_un_service_public_previent_que_des_comptes_de_demonstration_sont_ouverts(servir, capsys):
    servir()
    capsys.readouterr()

    servir(PUBLIC_URL="https://campus.example.org")

    assert "ATTENTION" in capsys.readouterr().out


def test_un_port_pris_est_dit_avant_tout_le_reste(settings, monkeypatch):
    monkeypatch.setattr(serve.signal, "signal", lambda *args: None)
    with socket.create_server(("127.0.0.1", 0)) as occupant:
        settings.HOST, settings.PORT = "127.0.0.1", occupant.getsockname()[1]

        with pytest.raises(CommandError, match="donnez-en un autre"):
            call_command("serve", "--no-migrate")


def test_un_fil_occupe_rend_vite_la_main_a_la_boucle(monkeypatch):
    vus = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: vus.append(sys.getswitchinterval()))
    avant = sys.getswitchinterval()
    try:
        serve.Serveur(uvicorn.Config(None), serve.Fin(lambda: None)).run([])
    finally:
        sys.setswitchinterval(avant)

    assert vus == [pytest.approx(0.001)]


def test_un_processus_admet_plus_de_connexions_qu_un_terminal_n_en_permet(monkeypatch):
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: None)
    avant = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, avant[1]))
    try:
        serve.Serveur(uvicorn.Config(None), serve.Fin(lambda: None)).run([])
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (min(avant[1], 65_536), avant[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, avant)


@pytest.mark.parametrize("boucle", [uvloop.new_event_loop, asyncio.new_event_loop])
def test_une_reponse_part_sans_attendre_l_accuse_de_reception_du_client(settings, boucle):
    settings.HOST, settings.PORT = "127.0.0.1", 0
    with serve.ouvrir_ecoute() as ecoute, asyncio.Runner(loop_factory=boucle) as lanceur:
        option = lanceur.run(_option_d_une_connexion(ecoute))

    assert option == 1


async def _option_d_une_connexion(ecoute: socket.socket) -> int:
    """TCP_NODELAY of the connection that a server of this loop accepts on this socket."""
    ouvertes: asyncio.Queue[socket.socket] = asyncio.Queue()
    serveur = await asyncio.start_server(lambda _lit, ecrit: ouvertes.put(ecrit.get_extra_info("socket")), sock=ecoute)
    async with serveur:
        _lit, ecrit = await asyncio.open_connection(*ecoute.getsockname())
        acceptee = await ouvertes.get()
        option = acceptee.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        ecrit.close()
    return option


async def test_un_arret_demande_pendant_le_demarrage_n_est_jamais_perdu(monkeypatch):
    prevenus, vus, finis = [], [], threading.Event()
    monkeypatch.setattr(serve, "FIN_SECONDES", 0.05)
    monkeypatch.setattr(serve, "_finir", finis.set)

    async def boucle(serveur):
        vus.append(serveur.should_exit)

    monkeypatch.setattr(uvicorn.Server, "main_loop", boucle)
    fin = serve.Fin(lambda: prevenus.append(1))
    assert not finis.wait(0.2)
    fin.demander()

    await serve.Serveur(uvicorn.Config(None), fin).main_loop()
    await serve.Serveur(uvicorn.Config(None), serve.Fin(lambda: None)).main_loop()

    assert (vus, prevenus, finis.wait(10)) == ([True, False], [1], True)


def test_un_arret_demande_pendant_qu_un_fil_demarre_n_attend_personne(monkeypatch):
    """A signal handler that started a thread would wait for the lock that the interrupted code holds."""
    finis = threading.Event()
    monkeypatch.setattr(serve, "FIN_SECONDES", 0)
    monkeypatch.setattr(serve, "_finir", finis.set)
    fin = serve.Fin(lambda: None)

    with threading._active_limbo_lock:
        fin.demander()

    assert finis.wait(10)


def test_un_arret_se_regle_avant_d_attendre_la_base(servir, monkeypatch):
    """Ctrl-C during a migration ends it as SIGTERM does; from the worker's start on, it is only asked for."""
    ordre, finis = [], []
    monkeypatch.setattr(serve.signal, "signal", lambda signe, quoi: ordre.append((signe.name, quoi)))
    monkeypatch.setattr(serve, "attendre_la_base", lambda: ordre.append("base"))
    monkeypatch.setattr(serve.OuvrierInterne, "demarrer", lambda self: ordre.append("ouvrier"))
    monkeypatch.setattr(serve.Fin, "demander", lambda self: ordre.append("demande"))
    monkeypatch.setattr(serve.os, "_exit", finis.append)

    servir()
    for un in list(ordre):
        if isinstance(un, tuple) and callable(un[1]):
            un[1](2, None)

    signes = ["SIGINT", "SIGTERM"]
    quoi = [un if isinstance(un, str) else un[0] for un in ordre]
    assert quoi == [*signes, "base", *signes, "ouvrier", *signes, "demande", "demande"]
    assert {un[1] for un in ordre[6:8]} == {serve.signal.SIG_IGN}
    assert finis == [0, 0]


def test_ce_qui_echoue_au_depart_se_dit(servir, monkeypatch):
    def echouer(commande):
        raise OperationalError("no such table")

    monkeypatch.setattr(serve.Command, "_demonstration", echouer)

    with pytest.raises(OperationalError):
        servir()


# What Python says itself of a signal that comes while it starts.
AVANT_TOUT = "Fatal Python error: init"


def _interrompu(tmp_path, quand, fois):
    """The exit code of a service that Ctrl-C stops at this moment, and all that it has said."""
    service = Serveur(tmp_path)
    for ecrit in (service.journal, service.sortie):
        ecrit.unlink(missing_ok=True)
    try:
        if quand == "en service":
            service.demarrer()
        else:
            service.lancer("serve")
            if quand == "pendant le départ":
                attendre(lambda: (tmp_path / "campus.sqlite3").exists(), "la base", 60)
            elif quand == "avant de servir":  # its last words before the server's own
                attendre(lambda: MOT_DE_PASSE in service.sortie.read_text(), "les comptes", 60)
        for _fois in range(fois):
            service.interrompre()
        code = service.attendre_la_fin(60)
    finally:
        service.tuer()
    return code, service.journal.read_text() + service.sortie.read_text()


@pytest.mark.parcours
@pytest.mark.parametrize("fois", [1, 3])
@pytest.mark.parametrize("quand", ["aussitôt", "pendant le départ", "avant de servir", "en service"])
def test_ctrl_c_finit_sans_trace(tmp_path, quand, fois):
    for _essai in range(5):
        code, dit = _interrompu(tmp_path, quand, fois)
        if AVANT_TOUT not in dit:  # else a dozen milliseconds, before any line of ours is read
            break

    assert code in (0, 130, -2)  # the last, between two imports
    assert "Traceback" not in dit
    assert "KeyboardInterrupt" not in dit


DEMANDE = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def _attendent(port):
    """The connections that a listening socket has not accepted yet (proc_net_tcp(5))."""
    for ligne in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _rang, locale, _distante, etat, files, *_reste = ligne.split()
        if (locale.partition(":")[2], etat) == (f"{port:04X}", "0A"):
            return int(files.partition(":")[2], 16)
    raise AssertionError(f"personne n'écoute sur {port}")


def _ferme(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return True
    return False


@pytest.mark.parcours
def test_un_arret_repond_a_qui_etait_deja_relie(tmp_path):
    """A proxy connects, then sends, and cannot know whether to send a POST again to one that closed in between."""
    service = Serveur(tmp_path)
    try:
        service.demarrer()
        relies = [socket.create_connection(("127.0.0.1", service.port), timeout=10) for _rang in range(3)]
        attendre(lambda: _attendent(service.port) == 0, "les connexions")
        os.kill(service.pid, signal.SIGSTOP)
        en_file = socket.create_connection(("127.0.0.1", service.port), timeout=10)  # the system's, not yet ours
        assert _attendent(service.port) == 1
        os.kill(service.pid, signal.SIGTERM)
        os.kill(service.pid, signal.SIGCONT)
        attendre(lambda: _ferme(service.port), "la fin de l'écoute")
        muet, *relies = relies
        for prise in [*relies, en_file]:
            prise.sendall(DEMANDE)
        recus = [b"".join(iter(partial(prise.recv, 65_536), b"")) for prise in [*relies, en_file]]
        jamais = muet.recv(1)
        code = service.attendre_la_fin()
    finally:
        service.tuer()

    assert [(recu[:15], b"connection: close" in recu) for recu in recus] == [(b"HTTP/1.1 200 OK", True)] * 3
    assert (jamais, code) == (b"", 0)
