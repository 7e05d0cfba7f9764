"""Uploads before a thread is taken: who is received, how much, how many at a time."""

import asyncio
import io
import json

import pytest

from config.serveur.corps import CorpsRecu
from config.serveur.pont import environ_de
from config.serveur.televersements import PAR_ACTEUR, Televersements
from config.serveur.tests.boucle import attendre_que, avec_filet
from socle.api.middleware import ENTETES_RECUS

CHEMIN = "/api/v1/fichiers/upload"
MO = 1024 * 1024
HOTE = [(b"host", b"testserver")]


class Scene:
    """What reached the application that keeps, and the one that refuses; what was answered."""

    def __init__(self, qui="compte:1"):
        self.recus, self.refuses, self.envoyes = [], [], []
        self.sur_disque = []
        autre = CorpsRecu(self._refuser, limite=MO)
        self.application = avec_filet(Televersements(self._garder, autre, qui=lambda scope: qui))

    async def _garder(self, scope, receive, send):
        self.moment, self.environ = scope[ENTETES_RECUS], environ_de(scope)
        self.recus.append((dict(scope["headers"]), scope["corps"].read()))

    async def _refuser(self, scope, receive, send):
        self.refuses.append(dict(scope["headers"]))

    async def envoyer(self, morceaux, *, entetes=(), chemin=CHEMIN, methode="POST"):
        restants = [{"type": "http.request", "body": m, "more_body": True} for m in morceaux]
        if restants:
            restants[-1]["more_body"] = False

        async def receive():
            if restants:
                return restants.pop(0)
            await asyncio.sleep(60)

        async def send(message):
            self.envoyes.append(message)

        scope = {"type": "http", "path": chemin, "method": methode, "headers": [*HOTE, *entetes]}
        await self.application(scope, receive, send)
        return restants


async def test_un_envoi_arrive_entier_avec_sa_longueur():
    scene = Scene()

    await scene.envoyer([b"a" * 300_000] * 3, entetes=[(b"transfer-encoding", b"chunked")])

    ((entetes, corps),) = scene.recus
    assert len(corps) == 900_000
    assert entetes == {**dict(HOTE), b"content-length": b"900000"}


async def test_un_envoi_porte_le_moment_de_ses_entetes_et_non_celui_de_sa_fin(time_machine):
    time_machine.move_to(1_800_000_000, tick=False)
    scene = Scene()

    async def receive():
        time_machine.shift(600)
        return {"type": "http.request", "body": b"a", "more_body": False}

    scope = {"type": "http", "path": CHEMIN, "method": "POST", "headers": HOTE}
    await scene.application(scope, receive, lambda message: None)

    assert scene.moment == scene.environ[ENTETES_RECUS] == 1_800_000_000
    assert ENTETES_RECUS not in scope


async def test_un_inconnu_n_est_pas_recu():
    scene = Scene(qui=None)

    restants = await scene.envoyer([b"a" * MO] * 10)

    assert (len(scene.refuses), scene.recus) == (1, [])
    assert restants == []  # read, so that the refusal is too, and not kept


async def test_ce_qui_se_dit_trop_grand_n_est_pas_recu_et_le_reste_dit():
    scene = Scene()
    longueur = [(b"content-length", str(30 * MO).encode())]

    await scene.envoyer([b"a" * MO] * 30, entetes=longueur)

    assert scene.refuses == [dict(HOTE + longueur)]


@pytest.mark.parametrize(("mo", "recus"), [(40, 1), (52, 0)])
async def test_la_page_recoit_plusieurs_fichiers_dans_une_limite_a_elle(mo, recus):
    scene = Scene()

    longueur = [(b"content-length", str(mo * MO).encode())]
    await scene.envoyer([b"a" * MO] * mo, entetes=longueur, chemin="/fichiers/envoyer/")

    assert (len(scene.recus), len(scene.refuses)) == (recus, 1 - recus)


async def test_ce_qui_est_trop_grand_sans_le_dire_n_est_pas_lu_jusqu_au_bout(settings, monkeypatch):
    settings.TELEVERSEMENTS = {CHEMIN: MO}
    monkeypatch.setattr("config.serveur.corps.JETES_OCTETS", 5 * MO)
    scene = Scene()

    restants = await scene.envoyer([b"a" * MO] * 30)

    assert 2 * MO < len(scene.recus[0][1]) < 5 * MO
    assert len(restants) > 20


@pytest.mark.parametrize(("chemin", "methode"), [("/api/v1/signalements/", "POST"), (CHEMIN, "GET")])
async def test_ce_qui_n_est_pas_un_envoi_suit_son_chemin(chemin, methode):
    scene = Scene()

    await scene.envoyer([b"{}"], chemin=chemin, methode=methode)

    assert (len(scene.refuses), scene.recus) == (1, [])


async def test_une_personne_n_envoie_que_quelques_fichiers_a_la_fois():
    scene, pret, arrives = Scene(), asyncio.Event(), []

    async def lent():
        arrives.append(1)
        await pret.wait()
        return {"type": "http.request", "body": b"a", "more_body": False}

    async def send(message):
        scene.envoyes.append(message)

    scope = {"type": "http", "path": CHEMIN, "method": "POST", "headers": HOTE}
    en_cours = [asyncio.create_task(scene.application(scope, lent, send)) for _rang in range(PAR_ACTEUR)]
    await attendre_que(lambda: len(arrives) == PAR_ACTEUR)
    await scene.envoyer([b"de trop"])
    pret.set()
    await asyncio.gather(*en_cours)
    await scene.envoyer([b"encore"])

    assert [m["status"] for m in scene.envoyes if "status" in m] == [429]
    assert (b"retry-after", b"5") in scene.envoyes[0]["headers"]
    assert len(scene.recus) == PAR_ACTEUR + 1


async def test_une_personne_n_occupe_qu_une_place_de_nettoyage():
    en_main, fini = [], asyncio.Event()

    async def nettoyer(scope, receive, send):
        en_main.append(scope["qui"])
        await fini.wait()

    application = Televersements(nettoyer, nettoyer, qui=lambda scope: scope["qui"])

    async def envoyer(qui):
        async def receive():
            return {"type": "http.request", "body": b"a", "more_body": False}

        scope = {"type": "http", "path": CHEMIN, "method": "POST", "headers": [], "qui": qui}
        await application(scope, receive, None)

    en_cours = [asyncio.create_task(envoyer("invite:1")) for _rang in range(3)]
    await attendre_que(lambda: en_main)
    en_cours.append(asyncio.create_task(envoyer("invite:2")))
    await attendre_que(lambda: len(en_main) > 1)
    await asyncio.sleep(0.2)
    pendant = list(en_main)
    fini.set()
    await asyncio.gather(*en_cours)

    assert pendant == ["invite:1", "invite:2"]
    assert len(en_main) == 4
    assert application._tours == {}


async def test_un_disque_plein_est_dit(monkeypatch):
    class Plein(io.BytesIO):
        def write(self, _octets):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("config.serveur.corps.tempfile.TemporaryFile", Plein)
    scene = Scene()

    restants = await scene.envoyer([b"a"] * 5)

    assert restants == []  # who is cut while sending does not hear why
    assert scene.envoyes[0]["status"] == 503
    assert json.loads(scene.envoyes[1]["body"])["code"] == "SERVICE_UNAVAILABLE"


async def test_un_disque_presque_plein_ne_recoit_rien(settings):
    settings.FREE_DISK_FLOOR_MB = 10**9
    scene = Scene()

    restants = await scene.envoyer([b"a"] * 5)

    assert (scene.recus, restants) == ([], [])
    assert (scene.envoyes[0]["status"], json.loads(scene.envoyes[1]["body"])["code"]) == (503, "SERVICE_UNAVAILABLE")


async def test_un_disque_qui_n_ouvre_ni_ne_ferme_rien_est_dit(monkeypatch):
    class Plein(io.BytesIO):
        def flush(self):
            raise OSError(28, "No space left on device")

        close = flush

    def aucun():
        raise FileNotFoundError(2, "No usable temporary directory found")

    for disque in (Plein, aucun):
        monkeypatch.setattr("config.serveur.corps.tempfile.TemporaryFile", disque)
        scene = Scene()

        await scene.envoyer([b"a"])

        assert scene.envoyes[0]["status"] == 503
