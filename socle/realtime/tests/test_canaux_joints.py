"""Who listens to a row that was joined to another goes on with that one: nothing lost, nothing doubled, in order."""

import asyncio
from uuid import uuid4

import pytest
from channels.layers import InMemoryChannelLayer

from socle.realtime import guichet
from socle.realtime.processus import processus_courant
from socle.realtime.tests.fabriques import publier_plus_tard, rediriger_plus_tard
from socle.realtime.vocabulaire import CONTROLE

pytestmark = pytest.mark.longue


@pytest.fixture(params=[False, True], ids=["asgi", "direct"])
def directement(request):
    return request.param


@pytest.fixture
def cles():
    return uuid4(), uuid4()


@pytest.fixture
def ancien(cles):
    return f"joint:{cles[0]}"


@pytest.fixture
def present(cles):
    return f"joint:{cles[1]}"


@pytest.fixture
def joindre(chemins, cles, ancien, present):
    """The row is joined, and those who listen are led."""

    async def joindre():
        chemins[cles[0]] = cles[1]
        await rediriger_plus_tard({ancien: present})

    return joindre


async def raconter(canal, *valeurs):
    for n in valeurs:
        await publier_plus_tard("essai_fait", [canal], {"n": n})


def dits(recus):
    return [(recu["canal"], recu["payload"]["n"]) for recu in recus]


async def test_l_ancien_canal_s_ouvre_sur_celui_ou_il_mene(foyer, chemins, cles, ancien, present):
    chemins[cles[0]] = cles[1]
    prise = await foyer.frapper(ancien)

    salut = await prise.entendre()
    await raconter(present, 1)

    assert (salut["canal"], salut["payload"]["canal"]) == (present, present)
    assert dits([await prise.entendre()]) == [(present, 1)]
    assert processus_courant().table.ouvertures.keys() == {"_controle", present}


async def test_il_se_rattrape_depuis_avant_d_y_mener(foyer, joindre, ancien, present):
    await raconter(ancien, 1, 2)
    await joindre()
    await raconter(present, 3, 4)

    prise = await foyer.entrer(ancien, depuis=1)

    assert dits(await prise.entendre_tout(3)) == [(ancien, 2), (present, 3), (present, 4)]
    assert await prise.est_silencieuse(1.3)


async def test_un_socket_ouvert_suit_sans_trou_ni_doublon(foyer, joindre, ancien, present):
    prise = await foyer.entrer(ancien)

    await raconter(ancien, 1, 2)
    await joindre()
    await raconter(present, 3, 4)

    attendus = [(ancien, 1), (ancien, 2), (present, 3), (present, 4)]
    assert dits(await prise.entendre_tout(4)) == attendus
    await raconter(present, 5)
    assert dits([await prise.entendre()]) == [(present, 5)]
    assert await prise.est_silencieuse(1.3)


async def test_ceux_qui_etaient_la_n_entendent_rien_deux_fois(foyer, joindre, ancien, present):
    venue, deja_la = await foyer.entrer(ancien), await foyer.entrer(present, "gestionnaire")

    await raconter(present, 0)
    await raconter(ancien, 1)
    await joindre()
    await raconter(present, *range(2, 6))

    assert dits(await venue.entendre_tout(5)) == [(ancien, 1), *((present, n) for n in range(2, 6))]
    assert dits(await deja_la.entendre_tout(5)) == [(present, n) for n in (0, 2, 3, 4, 5)]
    assert await venue.est_silencieuse(1.3)


async def test_ce_que_l_autre_canal_a_dit_avant_que_l_ordre_soit_lu_se_rattrape(
    foyer, joindre, ancien, present, monkeypatch
):
    envoyer = InMemoryChannelLayer.group_send

    async def perdre_les_ordres(self, groupe, message):
        if message["canal"] != CONTROLE:
            await envoyer(self, groupe, message)

    monkeypatch.setattr(InMemoryChannelLayer, "group_send", perdre_les_ordres)
    prise, deja_la = await foyer.entrer(ancien), await foyer.entrer(present, "gestionnaire")
    await joindre()
    await raconter(present, 1)

    assert dits([await deja_la.entendre(), await prise.entendre()]) == [(present, 1)] * 2


async def test_un_canal_rendu_a_lui_meme_reprend_ses_auditeurs(foyer, chemins, joindre, cles, ancien, present):
    prise = await foyer.entrer(ancien)
    await joindre()
    await raconter(present, 1)
    premier = await prise.entendre()
    chemins.clear()

    await rediriger_plus_tard({ancien: ancien})
    await raconter(present, 2)
    await raconter(ancien, 3)

    assert dits([premier, await prise.entendre()]) == [(present, 1), (ancien, 3)]
    assert await prise.est_silencieuse(1.3)


async def test_deux_ordres_lus_ensemble_ne_perdent_rien(foyer, chemins, joindre, cles, ancien, present):
    """What was said between the two is heard too, before what follows."""
    prise = await foyer.entrer(ancien)

    await joindre()
    await raconter(present, 1)
    chemins.clear()
    await rediriger_plus_tard({ancien: ancien})
    await raconter(ancien, 2)

    assert dits(await prise.entendre_tout(2)) == [(present, 1), (ancien, 2)]
    await raconter(ancien, 3)
    assert dits([await prise.entendre()]) == [(ancien, 3)]


async def test_un_socket_qui_s_ouvre_pendant_que_l_ordre_passe_le_suit(
    foyer, chemins, joindre, cles, ancien, present, monkeypatch
):
    """Between the check of who it is and its place in the table."""
    veilleuse = await foyer.entrer(present, "gestionnaire")
    etablir, entre = guichet.etablir, asyncio.Event()
    boucle = asyncio.get_running_loop()

    def etablir_puis_attendre(*args):
        ecoute = etablir(*args)
        boucle.call_soon_threadsafe(entre.set)
        asyncio.run_coroutine_threadsafe(ordre_lu.wait(), boucle).result(10)
        return ecoute

    ordre_lu = asyncio.Event()
    monkeypatch.setattr(guichet, "etablir", etablir_puis_attendre)
    prise = await foyer.frapper(ancien)
    await entre.wait()
    await joindre()
    await raconter(present, 1)
    await veilleuse.entendre()
    ordre_lu.set()

    salut = await prise.entendre()
    assert salut["canal"] == present
    assert dits([await prise.entendre()]) == [(present, 1)]


async def test_une_invitee_n_est_menee_nulle_part(foyer, joindre, ancien, present):
    prise = await foyer.entrer(ancien, "invite")

    await joindre()
    await raconter(present, 1)

    assert await prise.est_silencieuse(1.3)


async def test_le_personnel_garde_ce_qui_est_au_personnel(foyer, joindre, ancien, present):
    prises = [await foyer.entrer(ancien, qui) for qui in ("etudiante", "gestionnaire")]

    await joindre()
    await publier_plus_tard("note", [present], {"n": 1}, audience="PERSONNEL")
    await raconter(present, 2)

    assert dits([await prises[0].entendre()]) == [(present, 2)]
    assert dits(await prises[1].entendre_tout(2)) == [(present, 1), (present, 2)]


async def test_par_redis_aussi(couche_redis, foyer, joindre, ancien, present, monkeypatch):
    monkeypatch.setattr("socle.realtime.processus.INTERVALLE_VEILLE", 60)
    prise = await foyer.entrer(ancien)

    await raconter(ancien, 1)
    await joindre()
    await raconter(present, 2)
    premiers = await prise.entendre_tout(2)
    await asyncio.sleep(0.3)
    await raconter(present, 3)

    assert dits([*premiers, await prise.entendre(attente=2)]) == [(ancien, 1), (present, 2), (present, 3)]
