"""A socket opened by the portal's cookie: from our own pages alone, on one's own case, for as long as the access."""

from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.utils import timezone

from config.tests.outils import client_de
from portail.models import Acces
from portail.tests.outils import Visiteuse, le_dossier
from portail.vocabulaire import DUREE
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
def elle(transactional_db):
    """Somebody who has reported, at her case."""
    visiteuse = Visiteuse()
    visiteuse.signaler()
    return visiteuse


@asynccontextmanager
async def prise(visiteuse=None, *, canal=None, origine=ICI, suite="?portail=1"):
    """The socket of her case, as her page opens it."""
    canal = canal or f"signalement:{(await sync_to_async(le_dossier)()).pk}"
    async with prise_de(visiteuse, f"/ws/{canal}{suite}", origine=origine) as socket:
        yield socket


def traiter(admin, dossier):
    """A note, of which its author hears nothing, then a status."""
    equipe, url = client_de(admin), f"/api/v1/signalements/{dossier.pk}"
    assert equipe.post(f"{url}/notes", {"contenu": "À rappeler."}).status_code == 201
    assert equipe.put(f"{url}/statut", {"statut": "EN_COURS"}).status_code == 200


def desactiver(admin, compte):
    assert client_de(admin).put(f"/api/v1/comptes/{compte.pk}/deactivate").status_code == 200


async def test_sa_page_entend_son_dossier_et_rien_de_l_equipe(elle, admin):
    dossier = await sync_to_async(le_dossier)()
    async with prise(elle) as socket:
        recu = await salut(socket)
        assert (recu["type"], recu["payload"]["userId"]) == ("connected", None)
        await sync_to_async(traiter)(admin, dossier)

        entendu = await salut(socket)

    assert (entendu["type"], entendu["payload"]["statut"]) == ("signalement_statut_updated", "EN_COURS")
    assert str(dossier.invite_id) not in str([recu, entendu])


@pytest.mark.parametrize("origine", ["https://mechant.example", "http://testserver:8000", "null", "", None])
async def test_une_autre_page_n_emprunte_pas_le_cookie(elle, origine):
    async with prise(elle, origine=origine) as socket:
        assert await code(socket) == 4001


async def test_sans_cookie_ou_sans_le_demander_rien_ne_s_ouvre(elle):
    async with prise(None) as socket:
        assert await code(socket) == 4001
    async with prise(elle, suite="") as socket:  # the admin site's cookie is asked for then
        assert await code(socket) == 4001


async def test_le_dossier_d_une_autre_ne_s_entend_pas(elle, signalement):
    async with prise(elle, canal=f"signalement:{signalement.pk}") as socket:
        assert await code(socket) == 4003
    async with prise(elle, canal="signalements") as socket:
        assert await code(socket) == 4003


@pytest.mark.parametrize("geste", ["/acces/terminer/", "/quitter/"])
async def test_il_se_ferme_avec_l_acces(elle, geste):
    async with prise(elle) as socket:
        await salut(socket)
        await sync_to_async(elle.get if geste == "/quitter/" else elle.envoyer)(geste)

        assert await code(socket) == 4001


async def test_fermer_partout_ailleurs_ferme_les_autres(elle):
    ailleurs = Visiteuse()
    six_mots = (await sync_to_async(elle.lire)("/recu/")).partition('class="mots"')[2]
    mots = [un.partition("<")[0] for un in six_mots.split("<li>")[1:7]]
    await sync_to_async(ailleurs.revenir)(" ".join(mots))
    async with prise(elle) as ici, prise(ailleurs) as la_bas:
        await salut(ici)
        await salut(la_bas)
        await sync_to_async(elle.envoyer)("/acces/ailleurs/")

        assert await code(la_bas) == 4001
        assert await ici.receive_nothing(timeout=0.5)


async def test_ecouter_n_est_pas_se_servir_et_l_inactivite_le_ferme(elle, settings):
    async with prise(elle) as socket:
        await salut(socket)
        hier = timezone.now() - settings.PORTAIL_INACTIVITE
        await sync_to_async(Acces.objects.update)(date_activite=hier)

        assert await code(socket) == 4001


async def test_la_page_qui_se_tient_a_jour_ne_prolonge_rien(elle):
    ancienne = timezone.now() - timedelta(minutes=5)
    await sync_to_async(Acces.objects.update)(date_activite=ancienne)

    reponse = await sync_to_async(elle.get)("/dossiers/1/", headers={"X-Direct": "1"})

    assert reponse.status_code == 200
    assert (await Acces.objects.aget()).date_activite == ancienne
    await sync_to_async(elle.get)("/dossiers/1/")
    assert (await Acces.objects.aget()).date_activite > ancienne


@pytest.mark.parametrize("fin", ["desactivee", "deconnexion"])
async def test_celui_d_un_compte_se_ferme_avec_sa_session(etudiante, signalement, admin, fin):
    visiteuse = Visiteuse()
    await sync_to_async(visiteuse.se_connecter)(etudiante)
    async with prise(visiteuse) as socket:
        assert (await salut(socket))["payload"]["userId"] == str(etudiante.pk)
        if fin == "desactivee":
            await sync_to_async(desactiver)(admin, etudiante)
        else:
            await sync_to_async(visiteuse.envoyer)("/acces/terminer/")

        assert await code(socket) == 4001


async def test_mode_invite_ferme_il_ne_s_ouvre_pas(elle, settings):
    settings.GUEST_MODE_ENABLED = False

    async with prise(elle) as socket:
        assert await code(socket) == 4003


async def test_une_page_ouverte_avant_de_garder_l_espace_l_entend_encore_apres_douze_heures(elle):
    bientot = timezone.now() - DUREE + timedelta(seconds=1.5)
    await sync_to_async(Acces.objects.update)(date_creation=bientot, date_verification=timezone.now())
    async with prise(elle) as socket:
        await salut(socket)
        await sync_to_async(elle.envoyer)("/acces/garder/")

        assert await socket.receive_nothing(timeout=2.5)
