"""What watches over the whole suite sees what it is there to see."""

import logging

import pytest
from django.core.cache import cache
from django.core.mail import send_mail
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from accounts.tests import fabriques as comptes
from config.tests.outils.canaris import VOLIERE
from config.tests.outils.clients import acteur_de, client_de
from discussions.tests import fabriques as discussions
from guests.tests.fabriques import session_invitee
from portail.services import code
from signalements.tests import fabriques as signalements
from socle.realtime.diffusion import Annonce

pytestmark = pytest.mark.django_db
FAITS = "Il m'attend chaque soir devant l'amphi."


urlpatterns = [
    path("bavarde", lambda requete: HttpResponse(max(VOLIERE.guest_ids))),
    path("equipe/auteurs", lambda requete: HttpResponse(max(c["nom"] for c in VOLIERE.comptes.values()))),
    path("equipe/codes", lambda requete: HttpResponse(max(VOLIERE.codes))),
]


@pytest.fixture
def invite():
    session = session_invitee("+243812345621")
    signalements.signalement(acteur_de(session), description=FAITS)
    yield session
    VOLIERE.fautes.clear()  # they were meant


def vu(*quoi):
    assert [quoi[0] in faute for faute in VOLIERE.fautes] == [True], VOLIERE.fautes


def test_un_texte_au_journal_se_voit(invite):
    logging.getLogger("campus.essai").warning("reçu : %s", FAITS)
    vu("une ligne du journal")


def test_un_guest_id_au_journal_se_voit(invite):
    logging.getLogger("campus.essai").warning("session %s", invite.guest_id)
    vu("une ligne du journal")


def test_une_adresse_dans_une_cle_du_cache_se_voit():
    compte = comptes.compte(email="awa@campus.test")
    cache.set(f"essais:{compte.email}", 1)
    vu("une clé du cache")
    VOLIERE.fautes.clear()


def test_un_texte_dans_un_courriel_se_voit(invite):
    send_mail("Un dossier", f"On nous dit : {FAITS}", None, ["rose@campus.test"])
    vu("un courriel")


def test_un_guest_id_dans_un_evenement_se_voit(invite):
    Annonce("essai", "signalements", {"de": str(invite.guest_id)})
    vu("un événement")


@pytest.mark.urls("config.tests.outils.test_canaris")
def test_un_guest_id_dans_une_reponse_se_voit_sauf_de_qui_le_donne(invite, client):
    client.get("/bavarde", headers={"X-Guest-Id": str(invite.guest_id)})
    assert VOLIERE.fautes == []

    client.get("/bavarde")
    vu("la réponse de /bavarde")


@pytest.mark.urls("config.tests.outils.test_canaris")
def test_six_mots_au_journal_et_dans_une_page_de_l_equipe_se_voient(invite, client):
    logging.getLogger("campus.essai").warning("reçu : %s", code.tirer("fr"))
    vu("une ligne du journal")
    VOLIERE.fautes.clear()
    client.get("/equipe/codes")
    vu("la réponse de /equipe/codes")


@pytest.mark.parametrize("quoi", ["pk", "email", "nom"])
def test_qui_ecrit_anonymement_dans_un_evenement_se_voit(invite, quoi):
    etudiante = comptes.compte(nom="Okonkwo")
    dossier = signalements.signalement(acteur_de(etudiante), mode_identification="ANONYME")

    Annonce("essai", f"signalement:{dossier.pk}", {"auteur": str(getattr(etudiante, quoi))})

    vu("un événement")


@pytest.mark.parametrize(("de_quoi", "vus"), [("ANONYME", 1), ("IDENTIFIE", 0), (None, 0)])
def test_une_conversation_est_anonyme_comme_son_dossier(invite, de_quoi, vus):
    etudiante, autre = comptes.compte(nom="Okonkwo"), comptes.compte(nom="Diallo")
    signalements.signalement(acteur_de(etudiante), mode_identification="ANONYME")
    dossier = de_quoi and signalements.signalement(acteur_de(autre), mode_identification=de_quoi)
    discussion = discussions.discussion(acteur_de(autre), signalement=dossier)

    Annonce("essai", f"discussion:{discussion.pk}", {"auteur": str(etudiante.pk)})

    assert len(VOLIERE.fautes) == vus


@pytest.mark.urls("config.tests.outils.test_canaris")
def test_qui_ecrit_anonymement_dans_une_reponse_se_voit_sauf_a_elle_meme(invite):
    etudiante = comptes.compte(nom="Okonkwo")
    signalements.signalement(acteur_de(etudiante), mode_identification="ANONYME")
    Client().get("/equipe/auteurs", headers={"Authorization": f"Bearer {client_de(etudiante).jeton}"})
    assert VOLIERE.fautes == []

    Client().get("/equipe/auteurs")
    vu("la réponse de /equipe/auteurs")


@pytest.mark.urls("config.tests.outils.test_canaris")
def test_qui_a_aussi_ecrit_en_son_nom_peut_etre_nommee(client):
    etudiante = comptes.compte(nom="Okonkwo")
    for mode in ("ANONYME", "IDENTIFIE"):
        signalements.signalement(acteur_de(etudiante), mode_identification=mode)

    client.get("/equipe/auteurs")

    assert VOLIERE.fautes == []
