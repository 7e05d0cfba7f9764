"""A socket opened by the cookie of the admin site: from our own pages alone, and for as long as the site admits."""

from contextlib import asynccontextmanager

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings as reglages
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.models import Compte
from accounts.services import comptes
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import entrer
from config.serveur.assemblage import application
from config.serveur.identites import requete_de
from config.tests.outils import client_de
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Role
from socle.realtime.processus import arreter
from socle.realtime.tests.navigateurs import ICI, code, prise_de, salut

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _processus(transactional_db, settings):
    settings.DIFFUSION_ACTIVE = True
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "socle.realtime.couche.CoucheEnMemoire"}}
    settings.SOCKET_REVALIDATION_SECONDS = 0.2
    yield
    await arreter()
    await sync_to_async(connections.close_all)()


@pytest.fixture
def dedans(gestionnaire):
    """The manager's client of the admin site."""
    return entrer(gestionnaire.email)


def cookie_de(client):
    return client.cookies.output(attrs=[], header="", sep=";")


@asynccontextmanager
async def prise(client=None, *, origine=ICI, hote="testserver", canal="dashboard", suite=""):
    async with prise_de(client, f"/ws/{canal}{suite}", origine=origine, hote=hote) as socket:
        yield socket


# --- Who opens one --------------------------------------------------------------------------------------------------


async def test_qui_est_entre_dans_l_espace_ouvre_un_socket(dedans, gestionnaire):
    async with prise(dedans) as socket:
        recu = await salut(socket)

    assert (recu["type"], recu["payload"]["userId"]) == ("connected", str(gestionnaire.pk))


async def test_une_origine_de_confiance_ouvre_aussi(dedans, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://campus.example.org"]

    async with prise(dedans, origine="https://campus.example.org") as socket:
        assert (await salut(socket))["type"] == "connected"


@pytest.mark.parametrize(
    "origine",
    [
        "https://mechant.example",
        "http://testserver.mechant.example",
        "http://testserver:8000",
        "https://testserver",
        "http://TESTSERVER",
        "null",
        "",
        None,
    ],
)
async def test_une_autre_page_n_emprunte_pas_le_cookie(dedans, origine):
    async with prise(dedans, origine=origine) as socket:
        assert await code(socket) == 4001


async def test_une_page_que_cors_admet_n_emprunte_pas_le_cookie(dedans, settings):
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example.org"]

    async with prise(dedans, origine="https://app.example.org") as socket:
        assert await code(socket) == 4001


async def test_un_hote_qui_n_est_pas_le_notre_n_ouvre_rien(dedans):
    """A name of somebody else's that leads here, with its page of the same name."""
    async with prise(dedans, hote="mechant.example", origine="http://mechant.example") as socket:
        assert await code(socket) == 4001


async def test_sans_cookie_ou_avec_un_cookie_invente_rien_ne_s_ouvre(db):
    invente = Client()
    invente.cookies[reglages.SESSION_COOKIE_NAME] = "a" * 32
    coupe = Client()
    coupe.cookies[reglages.SESSION_COOKIE_NAME] = "\x00" * 32
    for client in (None, invente, coupe):
        async with prise(client) as socket:
            assert await code(socket) == 4001


async def test_ce_que_la_base_tient_du_cookie_n_ouvre_rien(dedans):
    voleur = Client()
    voleur.cookies[reglages.SESSION_COOKIE_NAME] = (await Session.objects.aget()).session_key

    async with prise(voleur) as vole, prise(dedans) as ouvert:
        assert await code(vole) == 4001
        assert (await salut(ouvert))["type"] == "connected"


async def test_le_cookie_ne_rattrape_pas_un_mauvais_jeton(dedans):
    async with prise(dedans, suite="?token=faux") as jeton, prise(dedans, suite="?guestId=faux") as invite:
        assert [await code(jeton), await code(invite)] == [4001, 4001]


async def test_une_etudiante_n_ouvre_rien_par_un_cookie(etudiante):
    client = Client()
    await sync_to_async(client.force_login)(etudiante)

    for canal in ("dashboard", f"user:{etudiante.pk}", "calendriers"):
        async with prise(client, canal=canal) as socket:
            assert await code(socket) == 4003


async def test_un_gestionnaire_n_entend_que_ce_qui_est_a_lui(dedans):
    async with prise(dedans, canal="admin") as socket:
        assert await code(socket) == 4003


async def test_une_requete_illisible_est_refusee_sans_panne(db):
    async with prise(None, suite="?x=%FF%00") as socket:
        assert await code(socket) == 4001


# --- For how long ---------------------------------------------------------------------------------------------------


async def test_une_sortie_ferme_le_socket(dedans):
    async with prise(dedans) as socket:
        await salut(socket)
        await sync_to_async(dedans.post)("/admin/logout/")

        assert await code(socket) == 4001


async def test_une_session_expiree_ferme_le_socket(dedans):
    async with prise(dedans) as socket:
        await salut(socket)
        await sync_to_async(Session.objects.update)(expire_date=timezone.now())

        assert await code(socket) == 4001


async def test_un_mot_de_passe_change_ferme_le_socket(dedans, gestionnaire):
    async with prise(dedans) as socket:
        await salut(socket)
        await sync_to_async(comptes.imposer_mot_de_passe)(
            acteur=ActeurCompte(compte=gestionnaire), compte=gestionnaire, nouveau_mot_de_passe=f"{MOT_DE_PASSE}-neuf"
        )

        assert await code(socket) == 4001


async def test_un_role_perdu_ferme_le_socket(dedans, gestionnaire):
    async with prise(dedans) as socket:
        await salut(socket)
        await sync_to_async(Compte.objects.filter(pk=gestionnaire.pk).update)(type_utilisateur=Role.UTILISATEUR)

        assert await code(socket) == 4003


async def test_un_compte_desactive_est_ferme_aussitot(dedans, gestionnaire, admin, settings):
    settings.SOCKET_REVALIDATION_SECONDS = 3600

    async with prise(dedans) as socket:
        await salut(socket)
        await sync_to_async(comptes.desactiver)(compte=gestionnaire, acteur=ActeurCompte(compte=admin))

        assert await code(socket) == 4001


async def test_un_socket_tenu_reste_ouvert_et_entend(dedans, etudiante):
    async with prise(dedans) as socket:
        await salut(socket)
        assert await socket.receive_nothing(timeout=0.6)
        corps = {"titre": "Vol de vélo", "description": "Devant la bibliothèque.", "type": "VOL"}
        await sync_to_async(lambda: client_de(etudiante).post("/api/v1/signalements/", corps))()

        assert (await salut(socket))["type"] == "alert_created"


# --- Behind a proxy -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("de", "origine", "attendu"), [("10.0.0.1", "https", "connected"), ("10.0.0.2", "https", 4001)]
)
async def test_seul_un_mandataire_connu_dit_que_la_page_est_en_https(dedans, settings, de, origine, attendu):
    settings.TRUSTED_PROXIES = ["10.0.0.1"]
    scope_entetes = [
        (b"host", b"testserver"),
        (b"cookie", cookie_de(dedans).encode()),
        (b"origin", f"{origine}://testserver".encode()),
        (b"x-forwarded-proto", b"https"),
    ]
    socket = WebsocketCommunicator(application, "/ws/dashboard", headers=scope_entetes)
    socket.scope["client"] = [de, 4000]

    await socket.connect(timeout=5)
    recu = await socket.receive_output(timeout=5)
    await socket.disconnect()

    assert (recu.get("code") or "connected") == attendu


def test_la_requete_d_un_socket_chiffre_est_en_https():
    assert requete_de({"scheme": "wss"}).is_secure()
    assert not requete_de({"scheme": "ws"}).is_secure()
