"""The base holds nothing that opens a browser session: its rows are keyed by a hash, and those of before were too."""

from datetime import timedelta
from importlib import import_module

import pytest
from asgiref.sync import async_to_sync
from django.apps import apps
from django.conf import settings as reglages
from django.contrib.sessions.backends.db import SessionStore as StoreDeDjango
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.services import comptes as services
from accounts.tests.outils import entrer
from config.tests.outils import acteur_de
from socle.pages.sessions import SessionStore, cle_de_la_ligne

pytestmark = pytest.mark.django_db
migration = import_module("accounts.migrations.0013_sessions_de_page_sous_empreinte")
PORTES = ("/equipe/dossiers/", "/admin/", "/equipe/registre/")


def avec(cle):
    """A browser that holds this key."""
    client = Client()
    client.cookies[reglages.SESSION_COOKIE_NAME] = cle
    return client


def ouvertes(client):
    return [client.get(porte).status_code == 200 for porte in PORTES]


def cookie(client):
    return client.cookies[reglages.SESSION_COOKIE_NAME].value


def test_ce_que_tient_la_base_n_ouvre_rien(admin):
    client = entrer(admin.email)
    (ligne,) = Session.objects.values_list("session_key", flat=True)

    assert ouvertes(avec(cookie(client))) == [True] * 3
    assert cookie(client) not in ligne
    assert ouvertes(avec(ligne)) == [False] * 3
    assert Session.objects.filter(pk=ligne).exists()  # whoever tries it does not end what it is


def test_entrer_change_de_ligne_et_sortir_n_en_laisse_aucune(admin):
    client = Client()
    client.session.save()
    posee = Session.objects.get().session_key

    entrer(admin.email, client=client)
    assert Session.objects.exclude(session_key=posee).count() == Session.objects.count() == 1
    client.post("/admin/logout/")

    assert not Session.objects.exists()


def test_un_mot_de_passe_change_la_ferme_et_elle_se_purge(admin, gestionnaire):
    client = entrer(gestionnaire.email)
    services.imposer_mot_de_passe(
        compte=gestionnaire, nouveau_mot_de_passe="Un-autre-manguier-43", acteur=acteur_de(admin)
    )

    assert ouvertes(client) == [False] * 3
    entrer(admin.email)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    call_command("clearsessions")
    assert not Session.objects.exists()


def test_les_lectures_asynchrones_sont_les_memes(db):
    async def vivre():
        neuve = SessionStore()
        await neuve.aset("x", 1)
        await neuve.asave()
        premiere = neuve.session_key
        await neuve.acycle_key()
        lue = SessionStore(neuve.session_key)
        vue = await lue.aget("x"), await lue.aexists(premiere), await lue.aexists(neuve.session_key)
        par_la_ligne = await SessionStore(cle_de_la_ligne(neuve.session_key)).aget("x")
        await lue.aflush()
        return vue, par_la_ligne

    assert async_to_sync(vivre)() == ((1, False, True), None)
    assert not Session.objects.exists()


def d_avant(client):
    """Put the session of this browser as Django's own engine stored it, and return its key."""
    cle = cookie(client)
    Session.objects.filter(pk=cle_de_la_ligne(cle)).update(session_key=cle)
    return cle


def test_qui_etait_entre_le_reste_une_fois_migre(admin, gestionnaire):
    chez_rose, chez_paul = entrer(admin.email), entrer(gestionnaire.email)
    anciennes = [d_avant(chez_rose), d_avant(chez_paul)]
    finie = StoreDeDjango()
    finie.set_expiry(-1)
    finie.create()
    assert ouvertes(chez_rose) == ouvertes(avec(anciennes[1])) == [False] * 3

    migration.condenser_les_cles(apps, connection.schema_editor())
    migration.condenser_les_cles(apps, connection.schema_editor())  # what is hashed is left as it is

    assert ouvertes(avec(anciennes[0])) == [True] * 3
    assert ouvertes(avec(anciennes[1])) == [True, True, False]  # the register is for administrators
    assert sorted(Session.objects.values_list("pk", flat=True)) == sorted(map(cle_de_la_ligne, anciennes))


def test_le_chemin_du_retour_ferme_tout(admin):
    client = entrer(admin.email)

    migration.oublier(apps, None)

    assert not Session.objects.exists()
    assert ouvertes(client) == [False] * 3
