"""Old cookies, old tabs, two people on one browser: what was opened before opens nothing else."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from config.tests.outils import acteur_de
from discussions.models import Message
from guests.models import AuditFusion
from portail.entretien import acces_laisses
from portail.models import Acces, Brouillon
from portail.tests.outils import Visiteuse, le_dossier, six_mots, texte_de
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db


@pytest.fixture
def a_deux_dossiers(visiteuse, etudiante):
    """A guest's page open on her first case, in a browser that has passed to an account with a case of its own."""
    fabriques.signalement(acteur_de(etudiante), titre="Vélo, à mon nom")
    visiteuse.signaler()
    montre = visiteuse.montre(1)
    visiteuse.passer_au_compte(etudiante)
    return montre


def test_un_vieil_onglet_n_ecrit_pas_dans_un_autre_dossier(visiteuse, a_deux_dossiers):
    refus = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Mon texte anonyme.", "dossier": a_deux_dossiers})

    page = texte_de(refus)
    assert refus.status_code == 409
    assert "Cette page montrait un autre dossier." in page
    assert "Mon texte anonyme.</textarea>" in page
    assert Message.objects.count() == 0
    assert visiteuse.envoyer("/dossiers/1/lus/", {"dossier": a_deux_dossiers}).status_code == 409
    fichier = SimpleUploadedFile("a.txt", b"un")
    pour = f"1-{a_deux_dossiers.replace('-', '')}"
    assert visiteuse.envoyer("/fichiers/envoyer/", {"pour": pour, "fichier": fichier}).status_code == 409
    assert Message.objects.count() == 0


def test_une_page_sans_marque_n_ecrit_rien(visiteuse):
    visiteuse.signaler()

    assert visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour.", "dossier": ""}).status_code == 409
    assert Message.objects.count() == 0


@pytest.mark.parametrize("geste", ["/acces/ailleurs/", "/acces/code/"])
def test_un_acces_vole_gare_dans_un_compte_n_y_reste_pas(visiteuse, autre_visiteuse, etudiante, geste):
    code = visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)  # whoever took the cookie
    autre_visiteuse.revenir(code)

    assert autre_visiteuse.envoyer(geste).status_code == 303

    assert not Acces.objects.filter(a_rattacher__isnull=False).exists()
    refus = visiteuse.confirmer(page)
    assert refus.status_code == 409
    assert visiteuse.envoyer("/rattacher/revenir/").headers["Location"] == "/dossiers/"
    assert not AuditFusion.objects.exists()
    assert autre_visiteuse.get("/dossiers/1/").status_code == 200


def test_le_cookie_d_un_brouillon_envoye_n_ouvre_plus_rien_apres_une_minute(visiteuse):
    visiteuse.remplir()
    pose = visiteuse.cookies["brouillon"].value
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})
    tiers = Visiteuse()
    tiers.cookies["brouillon"] = pose
    Acces.objects.update(date_creation=timezone.now() - timedelta(minutes=2))

    rejoue = tiers.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert "espace" not in rejoue.cookies
    assert tiers.get("/recu/").status_code == 401
    assert Brouillon.objects.get().date_envoi is not None


def test_changer_de_code_ne_garde_plus_aucun_appareil(visiteuse, autre_visiteuse, settings):
    code = visiteuse.signaler()
    visiteuse.envoyer("/recu/verifier/", {"mot": code.split()[2]})
    visiteuse.envoyer("/acces/garder/")
    assert Acces.objects.get().est_garde
    autre_visiteuse.revenir(code)

    autre_visiteuse.envoyer("/acces/code/")

    assert not Acces.objects.filter(garde_jusqu_a__isnull=False).exists()
    assert six_mots(autre_visiteuse.lire("/acces/code/")) != code


def test_ne_plus_garder_redemande_le_code_pour_garder_encore(visiteuse):
    code = visiteuse.signaler()
    visiteuse.envoyer("/recu/verifier/", {"mot": code.split()[2]})
    visiteuse.envoyer("/acces/garder/")
    visiteuse.envoyer("/acces/garder/fin/")

    visiteuse.envoyer("/acces/garder/")

    assert not Acces.objects.get().est_garde


def test_rien_ne_dit_plus_a_qui_etait_un_espace_passe_a_un_compte(visiteuse, etudiante):
    visiteuse.signaler()
    visiteuse.passer_au_compte(etudiante)
    assert Acces.objects.filter(invite__isnull=False).exists()  # a second click may still come
    Acces.objects.filter(invite__isnull=False).update(date_fin=timezone.now() - timedelta(minutes=2))

    acces_laisses()

    assert not Acces.objects.filter(invite__isnull=False).exists()
    assert Acces.objects.get().session.compte == etudiante


def test_sans_portail_un_cookie_n_ouvre_ni_socket_ni_envoi(visiteuse, settings):
    from config.serveur.assemblage import televerse

    visiteuse.signaler()
    cookies = visiteuse.cookies.output(attrs=[], header="", sep=";").strip().encode()
    scope = {"path": "/fichiers/envoyer/", "headers": [(b"cookie", cookies), (b"host", b"testserver")]}
    assert televerse(scope) is not None

    settings.PORTAIL_ENABLED = False

    assert televerse(scope) is None


def test_une_page_qui_se_tient_a_jour_n_oublie_pas_le_cookie_qu_une_autre_vient_de_poser(visiteuse):
    visiteuse.signaler()
    Acces.objects.update(date_fin=timezone.now())

    assert "espace" not in visiteuse.get("/dossiers/1/", headers={"X-Direct": "1"}).cookies
    assert visiteuse.get("/dossiers/1/").cookies["espace"]["max-age"] == 0
    assert le_dossier()
