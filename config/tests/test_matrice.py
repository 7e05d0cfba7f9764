"""Who may do what: every row of `data/permission-matrix.csv` whose route or channel exists is run."""

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from config.asgi import application
from config.tests.scene import HTTP, WS_EXISTANTS, Scene, en_parametres
from socle.realtime.processus import arreter
from socle.realtime.tests.fabriques import Prise


@pytest.mark.django_db
@pytest.mark.parametrize("ligne", en_parametres(HTTP))
def test_chaque_ligne_recoit_le_statut_attendu(ligne):
    scene = Scene()
    client, url = scene.client_de(ligne), scene.chemin(ligne)
    corps = scene.corps(ligne.methode, ligne.chemin, ligne.acteur)

    reponse = client.envoyer(ligne.methode, url, corps, headers=scene.entetes(ligne.methode, ligne.chemin))

    assert str(reponse.status_code) == ligne.attendu, reponse.content


@pytest.fixture
async def prises(transactional_db, settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    ouvertes: list[Prise] = []
    yield ouvertes
    for prise in ouvertes:
        await prise.raccrocher()
    await arreter()
    await sync_to_async(connections.close_all)()


@pytest.mark.parametrize("ligne", en_parametres(WS_EXISTANTS))
async def test_chaque_canal_recoit_ou_refuse(prises, ligne):
    scene = Scene()
    canal = await sync_to_async(scene.canal)(ligne)
    prise = Prise(application, f"{canal}?{await sync_to_async(scene.identifiants)(ligne.acteur)}")
    prises.append(prise)

    await prise.ouvrir()
    sortie = await (prise.entendre() if ligne.attendu == "connected" else prise.code())

    assert (sortie["type"] if isinstance(sortie, dict) else str(sortie)) == ligne.attendu
