"""Members of this process, what is published without a loop, and a Redis that hangs, which holds nobody long."""

import asyncio
import socket
import time
from uuid import uuid4

import pytest
from channels.layers import InMemoryChannelLayer, get_channel_layer
from redis import Redis
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as Silence

from socle.realtime.couche import DELAI_ENVOI, CoucheEnMemoire
from socle.realtime.couche_redis import ENSEMBLE, CoucheRedis


async def test_les_groupes_entendent_ce_qui_est_publie_ensemble_dans_son_ordre(couche_redis):
    couche = get_channel_layer()
    canal = await couche.new_channel()
    await couche.group_add("canal.essai", canal)

    await asyncio.to_thread(
        couche.publier,
        [("canal.essai", {"type": "evenement", "numero": n, "masque": None}) for n in (1, 2)]
        + [("canal.autre", {"type": "evenement", "numero": 3})],
    )

    recus = [await asyncio.wait_for(couche.receive(canal), 2) for _ in range(2)]
    assert [recu["numero"] for recu in recus] == [1, 2]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(couche.receive(canal), 0.2)
    await couche.flush()


def test_une_connexion_que_le_serveur_a_fermee_est_reprise(couche_redis, settings):
    couche = get_channel_layer()
    couche.publier([("canal.essai", {"n": 1})])
    nom = uuid4().hex
    (connexion,) = couche._client.connection_pool._available_connections
    connexion.send_command("CLIENT", "SETNAME", nom)
    connexion.read_response()

    with Redis.from_url(settings.REDIS_URL) as autre:
        (la_sienne,) = [client for client in autre.client_list() if client["name"] == nom]
        autre.client_kill_filter(_id=la_sienne["id"])

    couche.publier([("canal.essai", {"n": 2})])


@pytest.fixture
def muet():
    """The address of a server that takes connections, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as ecoute:
        yield f"redis://127.0.0.1:{ecoute.getsockname()[1]}/0"


def test_un_serveur_muet_est_laisse_apres_son_delai(muet):
    couche = CoucheRedis(hosts=[{"address": muet}], prefix="essai")
    debut = time.monotonic()

    with pytest.raises(Silence):
        couche.publier([("canal.essai", {"n": n}) for n in range(100)])

    assert time.monotonic() - debut < 20 * DELAI_ENVOI  # not a hundred times


def test_un_serveur_lent_est_laisse_au_bout_du_delai_de_l_ensemble(couche_redis, monkeypatch):
    instants = iter([0.0, DELAI_ENVOI / 2, 2 * DELAI_ENVOI])
    monkeypatch.setattr("socle.realtime.couche_redis.monotonic", lambda: next(instants))

    with pytest.raises(Silence, match=f"{2 * ENSEMBLE} of {3 * ENSEMBLE}"):
        get_channel_layer().publier([("canal.essai", {"n": n}) for n in range(3 * ENSEMBLE)])


def test_l_adresse_ne_change_pas_les_delais():
    couche = CoucheRedis(hosts=[{"address": "redis://127.0.0.1:1/0?socket_timeout=5"}], prefix="essai")

    connexion = couche._client.connection_pool.make_connection()

    assert (connexion.socket_timeout, connexion.socket_connect_timeout) == (DELAI_ENVOI, DELAI_ENVOI)


def test_sans_serveur_l_erreur_ne_dit_pas_l_adresse_secrete():
    with socket.create_server(("127.0.0.1", 0)) as ecoute:
        port = ecoute.getsockname()[1]
    couche = CoucheRedis(hosts=[{"address": f"redis://:secret@127.0.0.1:{port}/0"}], prefix="essai")

    with pytest.raises(RedisError) as panne:
        couche.publier([("canal.essai", {"n": 1})])

    assert "secret" not in str(panne.value)


async def test_un_membre_sans_appel_attend_les_siens_et_les_autres_sont_appeles_une_fois():
    couche, entendus = CoucheEnMemoire(), []
    appel = entendus.append
    prevenus = [await couche.new_channel() for _rang in range(3)]
    for un in prevenus:
        couche.entendre(un, appel)
        await couche.group_add("canal.essai", un)
    seul = await couche.new_channel()
    await couche.group_add("canal.essai", seul)

    await couche.group_send("canal.essai", {"type": "evenement", "n": 1})

    assert await asyncio.wait_for(couche.receive(seul), 2) == {"type": "evenement", "n": 1}
    assert entendus == [{"type": "evenement", "n": 1}]
    await couche.close()


async def test_un_nom_que_la_couche_a_oublie_est_remplace_et_rejoint_tout(monkeypatch):
    """channels_redis raises RuntimeError for a channel whose connection it has just lost."""
    couche, joints, joindre = CoucheEnMemoire(), [], InMemoryChannelLayer.group_add

    async def oublier_le_premier(self, groupe, nom):
        joints.append((groupe, nom))
        if len(joints) == 2:
            raise RuntimeError("unknown channel")
        await joindre(self, groupe, nom)

    monkeypatch.setattr(InMemoryChannelLayer, "group_add", oublier_le_premier)
    monkeypatch.setattr("socle.realtime.taches.asyncio.sleep", _tout_de_suite(asyncio.sleep))
    membres = [await couche.new_channel() for _rang in range(2)]
    await couche.group_add("canal.un", membres[0])
    await asyncio.wait_for(couche.group_add("canal.deux", membres[1]), 5)
    await asyncio.wait_for(couche.presence.adhesion.est_jointe("canal.un"), 5)

    await couche.group_send("canal.un", {"type": "evenement", "n": 1})

    assert await asyncio.wait_for(couche.receive(membres[0]), 2) == {"type": "evenement", "n": 1}
    assert len({nom for _groupe, nom in joints}) == 2
    await couche.close()


def _tout_de_suite(dormir):
    return lambda _secondes: dormir(0)
