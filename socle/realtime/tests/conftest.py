from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from socle.domaine.droits import Droit
from socle.realtime import canaux
from socle.realtime.processus import arreter
from socle.realtime.tests.fabriques import Foyer
from socle.realtime.vocabulaire import PERSONNEL, PUBLIC

COUCHE_EN_MEMOIRE = {"default": {"BACKEND": "socle.realtime.couche.CoucheEnMemoire"}}


@pytest.fixture(autouse=True)
def couche_en_memoire(settings):
    settings.CHANNEL_LAYERS = COUCHE_EN_MEMOIRE


@pytest.fixture(autouse=True)
def types_d_essai(settings):
    """Types that nobody declares are sent here, as in production."""
    settings.EVENEMENTS_INCONNUS_REFUSES = False


@pytest.fixture
def couche_redis(settings, couche_en_memoire):
    if not settings.REDIS_URL:
        pytest.skip("demande Redis")
    hote = {"address": settings.REDIS_URL, "socket_timeout": None}
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "socle.realtime.couche_redis.CoucheRedis",
            "CONFIG": {"hosts": [hote], "prefix": f"essai-{uuid4().hex}"},
        }
    }


@pytest.fixture
def chemins():
    """Where the keys of `joint` lead."""
    return {}


@pytest.fixture
def canaux_d_essai(chemins):
    """`essai:{id}` for everyone, with more for staff; `equipe` for staff; `prive:{id}` for that account.

    `joint:{id}` is as `essai`, and leads where `chemins` says.
    """

    @canaux.canal("essai")
    def essai(acteur, cle):
        return [PUBLIC, PERSONNEL] if acteur.peut(Droit.SIGNALEMENTS_LIRE_EN_EQUIPE) else [PUBLIC]

    @canaux.canal("equipe", cle=False)
    def equipe(acteur, cle):
        return [PUBLIC, PERSONNEL] if acteur.peut(Droit.SIGNALEMENTS_LIRE_EN_EQUIPE) else []

    @canaux.canal("prive")
    def prive(acteur, cle):
        return [PUBLIC] if acteur.compte is not None and acteur.compte.pk == cle else []

    canaux.canal("joint", mener=lambda cle: chemins.get(cle, cle))(essai)

    yield
    for nom in ("essai", "equipe", "prive", "joint"):
        canaux.oublier(nom)


@pytest.fixture
def canal():
    return f"essai:{uuid4()}"


@pytest.fixture
def directement():
    """Whether the server offers to put frames on the wire itself."""
    return False


@pytest.fixture
async def foyer(transactional_db, settings, canaux_d_essai, directement):
    """A place where sockets open and people can be told apart."""
    settings.DIFFUSION_ACTIVE = True
    foyer = Foyer(directement=directement)
    yield foyer
    await foyer.partir()
    await arreter()
    await sync_to_async(connections.close_all)()
