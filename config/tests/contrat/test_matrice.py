"""Who may do what: every row of `data/permission-matrix.csv` whose route or channel exists is run."""

from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import mail
from django.db import connections

from config.asgi import application
from config.tests.outils.hostiles import contenu_de_la_base
from config.tests.outils.scene import HTTP, WS_EXISTANTS, Scene, en_parametres
from socle.moteur.choix import ORDINAIRE
from socle.realtime.processus import arreter
from socle.realtime.tests.fabriques import Prise

# A session says when it was last seen; events are looked at by themselves.
SAUF = frozenset(
    {
        *("accounts.session", "contenttypes.contenttype", "auth.permission"),
        *("realtime.evenement", "realtime.compteurevenements"),
    }
)


@pytest.mark.django_db
@pytest.mark.parametrize("ligne", en_parametres(HTTP))
def test_chaque_ligne_recoit_le_statut_attendu_et_un_refus_ne_change_rien(ligne, evenements):
    scene = Scene()
    client, url = scene.client_de(ligne), scene.chemin(ligne)
    corps = scene.corps(ligne.methode, ligne.chemin, ligne.acteur)
    entetes = scene.entetes(ligne.methode, ligne.chemin)
    est_un_refus = ligne.attendu.startswith("4")
    avant = tout_ce_qui_est_garde() if est_un_refus else ()

    with evenements() as annonces:
        reponse = client.envoyer(ligne.methode, url, corps, headers=entetes)

    assert str(reponse.status_code) == ligne.attendu, reponse.content
    if est_un_refus:
        assert tout_ce_qui_est_garde() == avant
        assert annonces == []


def tout_ce_qui_est_garde() -> tuple[object, ...]:
    """Rows, files, mails."""
    fichiers = {chemin for nom in ("files", "tmp") for chemin in Path(settings.DATA_DIR, nom).rglob("*")}
    return contenu_de_la_base(SAUF), fichiers, len(mail.outbox)


@pytest.fixture
async def prises(transactional_db, settings):
    en_memoire = "channels.layers.InMemoryChannelLayer" if ORDINAIRE else "socle.realtime.couche.CoucheEnMemoire"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": en_memoire}}
    ouvertes: list[Prise] = []
    yield ouvertes
    for prise in ouvertes:
        await prise.raccrocher()
    await arreter()
    await sync_to_async(connections.close_all)()


@pytest.mark.longue
@pytest.mark.parametrize("ligne", en_parametres(WS_EXISTANTS))
async def test_chaque_canal_recoit_ou_refuse(prises, ligne):
    scene = Scene()
    canal = await sync_to_async(scene.canal)(ligne)
    prise = Prise(application, f"{canal}?{await sync_to_async(scene.identifiants)(ligne.acteur)}")
    prises.append(prise)

    await prise.ouvrir()
    sortie = await (prise.entendre() if ligne.attendu == "connected" else prise.code())

    assert (sortie["type"] if isinstance(sortie, dict) else str(sortie)) == ligne.attendu
