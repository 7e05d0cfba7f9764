"""No event is lost, doubled or out of order: replay, live, and a channel layer that fails."""

import asyncio
import time
from collections import Counter

import pytest
from channels.layers import InMemoryChannelLayer, get_channel_layer

from socle.realtime import consumers
from socle.realtime.canaux import groupe
from socle.realtime.couche import CoucheCommune
from socle.realtime.tests.fabriques import publier_plus_tard
from socle.realtime.vocabulaire import CONTROLE

pytestmark = pytest.mark.longue


@pytest.fixture(params=[False, True], ids=["asgi", "direct"])
def directement(request):
    return request.param


def numeros(recus):
    return [recu["payload"]["n"] for recu in recus]


async def raconter(canal, *valeurs):
    for n in valeurs:
        await publier_plus_tard("essai_fait", [canal], {"n": n})


async def test_le_rattrapage_puis_le_direct_sans_doublon(foyer, canal):
    await raconter(canal, 1, 2, 3)
    prise = await foyer.entrer(canal, depuis=1)

    await raconter(canal, 4, 5)

    assert numeros(await prise.entendre_tout(4)) == [2, 3, 4, 5]
    assert await prise.est_silencieuse(1.3)  # a poll has passed


async def test_le_rattrapage_depasse_la_taille_d_un_lot(foyer, canal, monkeypatch):
    monkeypatch.setattr(consumers, "LOT", 2)
    await raconter(canal, *range(1, 8))

    prise = await foyer.entrer(canal, depuis=0)

    assert numeros(await prise.entendre_tout(7)) == list(range(1, 8))


async def test_ce_qui_arrive_pendant_le_rattrapage_vient_ensuite_et_une_fois(foyer, canal, monkeypatch):
    relire = consumers.relire

    def relire_lentement(*args):
        lot = relire(*args)
        time.sleep(0.4)
        return lot

    monkeypatch.setattr(consumers, "relire", relire_lentement)
    await raconter(canal, 1)
    prise = await foyer.entrer(canal, depuis=0)
    await raconter(canal, 2)
    await asyncio.sleep(0.1)
    await raconter(canal, 3)

    assert numeros(await prise.entendre_tout(3)) == [1, 2, 3]
    assert await prise.est_silencieuse(1.3)


@pytest.mark.parametrize("depuis", ["99", "abc", "-1", "9" * 19])
async def test_une_position_impossible_demande_de_rafraichir_puis_continue(foyer, canal, depuis):
    await raconter(canal, 1)
    prise = await foyer.entrer(canal, depuis=depuis)

    demande = await prise.entendre()
    await raconter(canal, 2)

    assert (demande["type"], demande["payload"]["eventId"]) == ("refresh_required", "1")
    assert numeros([await prise.entendre()]) == [2]


async def test_un_second_socket_n_entend_que_ce_qui_suit_sa_connexion(foyer, canal):
    premiere = await foyer.entrer(canal)
    await raconter(canal, 1)
    await premiere.entendre()

    seconde = await foyer.entrer(canal)
    await raconter(canal, 2)

    assert numeros([await seconde.entendre()]) == [2]


@pytest.mark.parametrize("directement", [False])
async def test_ce_qui_arrive_pendant_le_salut_n_est_pas_perdu(foyer, canal, monkeypatch):
    envoyer, commence = consumers.Consommateur.send, asyncio.Event()

    async def envoyer_lentement(*args, **options):
        commence.set()
        await asyncio.sleep(0.5)
        await envoyer(*args, **options)

    monkeypatch.setattr(consumers.Consommateur, "send", envoyer_lentement)
    prise = await foyer.frapper(canal)
    await commence.wait()
    await raconter(canal, 1)

    assert (await prise.entendre())["payload"]["eventId"] == "0"
    assert numeros([await prise.entendre()]) == [1]


async def test_des_sockets_qui_s_ouvrent_sous_la_charge_n_ont_ni_trou_ni_doublon(foyer, canal, settings):
    settings.SOCKETS_PAR_ACTEUR = 50
    raconte = asyncio.create_task(raconter(canal, *range(1, 41)))
    prises = []
    for _ in range(8):
        prise = await foyer.frapper(canal)
        prises.append((prise, int((await prise.entendre())["payload"]["eventId"])))
        await asyncio.sleep(0.01)
    await raconte

    for prise, depart in prises:
        assert numeros(await prise.entendre_tout(40 - depart)) == list(range(depart + 1, 41))
    assert await prise.est_silencieuse(1.2)


async def refuser(*args):
    raise ConnectionError


async def geler(*args):
    await asyncio.sleep(60)


@pytest.fixture
def couche_de_channels(settings):
    """A layer that takes no callable."""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}


async def test_une_autre_couche_livre_par_la_facon_de_channels(foyer, canal, couche_de_channels, monkeypatch):
    monkeypatch.setattr("socle.realtime.processus.INTERVALLE_VEILLE", 60)
    prises = [await foyer.entrer(canal), await foyer.entrer(canal)]

    await raconter(canal, 1, 2, 3)

    for prise in prises:
        assert numeros(await prise.entendre_tout(3)) == [1, 2, 3]


async def test_chaque_socket_est_membre_de_ses_groupes(foyer, canal, monkeypatch):
    joints, quittes = Counter(), Counter()
    for nom, compte in (("group_add", joints), ("group_discard", quittes)):
        monkeypatch.setattr(CoucheCommune, nom, _compter(getattr(CoucheCommune, nom), compte))
    prises = [await foyer.entrer(canal), await foyer.entrer(canal)]
    assert joints == {groupe(canal): 2, groupe(CONTROLE): 2}

    for prise in prises:
        await prise.raccrocher()
    async with asyncio.timeout(10):
        while quittes != joints:  # noqa: ASYNC110 -- the sockets leave by themselves
            await asyncio.sleep(0.01)


def _compter(vraie, compte):
    async def appeler(self, groupe, membre):
        compte[groupe] += 1
        await vraie(self, groupe, membre)

    return appeler


@pytest.mark.parametrize("panne", [refuser, geler])
@pytest.mark.parametrize("operation", ["group_send", "group_add", "new_channel"])
async def test_une_couche_en_panne_n_empeche_pas_les_evenements(foyer, canal, monkeypatch, panne, operation):
    monkeypatch.setattr(InMemoryChannelLayer, operation, panne)
    prise = await foyer.entrer(canal)

    await raconter(canal, 1, 2)  # had it waited, it would for a minute

    assert numeros(await prise.entendre_tout(2)) == [1, 2]


async def test_des_trames_perdues_sont_lues_dans_l_ordre(foyer, canal, monkeypatch):
    envoyer, perdues = InMemoryChannelLayer.group_send, {2, 3}

    async def perdre(self, groupe, message):
        if message["numero"] not in perdues:
            await envoyer(self, groupe, message)

    monkeypatch.setattr(InMemoryChannelLayer, "group_send", perdre)
    prise = await foyer.entrer(canal)

    await raconter(canal, 1, 2, 3, 4)

    assert numeros(await prise.entendre_tout(4)) == [1, 2, 3, 4]


async def test_une_lecture_qui_echoue_est_reprise(foyer, canal, monkeypatch):
    lire_suite, echecs = consumers.processus_courant.__globals__["lire_suite"], [1]

    def echouer_une_fois(positions):
        if echecs:
            echecs.pop()
            raise RuntimeError("imprévu")
        return lire_suite(positions)

    monkeypatch.setattr(InMemoryChannelLayer, "group_send", refuser)
    monkeypatch.setattr("socle.realtime.processus.lire_suite", echouer_une_fois)
    prise = await foyer.entrer(canal)

    await raconter(canal, 1)

    assert numeros([await prise.entendre()]) == [1]


async def test_un_socket_inactif_plus_de_cinq_secondes_entend_encore_par_redis(couche_redis, foyer, canal, monkeypatch):
    monkeypatch.setattr("socle.realtime.processus.INTERVALLE_VEILLE", 60)
    prise = await foyer.entrer(canal)
    await asyncio.sleep(6)

    await raconter(canal, 1)

    assert numeros([await prise.entendre(attente=1)]) == [1]


async def test_le_groupe_est_quitte_avec_le_dernier_socket(foyer, canal):
    prise = await foyer.entrer(canal)
    await asyncio.sleep(0.1)
    adhesion = get_channel_layer().presence.adhesion
    joints = set(adhesion.joints)

    await prise.raccrocher()
    await asyncio.sleep(0.1)

    assert joints == {groupe(canal), groupe(CONTROLE)}
    assert adhesion.joints == set()
