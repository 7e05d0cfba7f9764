"""Being mailed of one's events: offered with the registration, chosen in « Mon compte », and never without a box."""

import pytest

from accounts.models import Compte, Preferences
from calendrier.models import Participation
from calendrier.tests import fabriques
from portail.tests.outils import texte_de
from socle.courriel import CONSOLE

pytestmark = pytest.mark.django_db
COMPTE = "/compte/"
CASE = 'name="prevenir"'


def page_de(evenement, suite=""):
    return f"/campus/calendrier/{evenement.pk}/{suite}"


def s_inscrire(elle, evenement, **champs):
    return elle.envoyer(page_de(evenement, "inscription/"), champs)


def test_la_case_s_offre_decochee_et_le_choix_vaut_pour_tous(elle, etudiante, evenement):
    page = elle.lire(page_de(evenement))

    reponse = s_inscrire(elle, evenement, prevenir="1")

    assert (CASE in page, "checked" in page) == (True, False)
    assert reponse.status_code == 303
    assert Preferences.objects.get(compte=etudiante).avis_evenements
    assert not Preferences.objects.get(compte=etudiante).avis_publications


def test_sans_la_case_rien_n_est_choisi(elle, etudiante, evenement):
    s_inscrire(elle, evenement)

    assert Participation.objects.filter(compte=etudiante).exists()
    assert not Preferences.objects.filter(compte=etudiante, avis_evenements=True).exists()


def test_une_inscription_refusee_ne_choisit_rien(elle, etudiante, evenement):
    fabriques.terminer(evenement)

    reponse = s_inscrire(elle, evenement, prevenir="1")

    assert reponse.status_code == 409
    assert not Preferences.objects.filter(compte=etudiante, avis_evenements=True).exists()


@pytest.mark.parametrize(
    "champs", [{"avis_evenements": True}, {"notifications_email": False}, {"notifications_activees": False}]
)
def test_la_case_ne_s_offre_ni_cochee_deja_ni_a_qui_a_coupe_ses_e_mails(elle, etudiante, evenement, champs):
    Preferences.objects.create(compte=etudiante, **champs)

    assert CASE not in elle.lire(page_de(evenement))


def test_sans_serveur_d_e_mail_rien_ne_s_offre(elle, evenement, settings):
    settings.EMAIL_BACKEND = CONSOLE

    assert CASE not in elle.lire(page_de(evenement))
    assert "E-mails du campus" not in elle.lire(COMPTE)


def test_une_case_cochee_avant_que_le_serveur_parte_se_decoche(elle, etudiante, settings):
    Preferences.objects.create(compte=etudiante, avis_evenements=True, avis_publications=True)
    settings.EMAIL_BACKEND = CONSOLE

    avant = elle.lire(COMPTE)
    elle.envoyer(COMPTE, {"acte": "du_campus", "du_campus-avis_publications": "on"})
    voulus = Preferences.objects.get(compte=etudiante)
    elle.envoyer(COMPTE, {"acte": "du_campus"})

    assert (avant.count(" checked"), "Aucun e-mail ne part de ce service" in avant) == (2, True)
    assert (voulus.avis_evenements, voulus.avis_publications) == (False, True)
    assert "E-mails du campus" not in elle.lire(COMPTE)


def test_un_serveur_retire_entre_temps_n_empeche_pas_de_s_inscrire(elle, etudiante, evenement, settings):
    settings.EMAIL_BACKEND = CONSOLE

    inscrite = s_inscrire(elle, evenement, prevenir="1")
    cochee = elle.envoyer(COMPTE, {"acte": "du_campus", "du_campus-avis_evenements": "on"})

    assert (inscrite.status_code, cochee.status_code) == (303, 409)
    assert Participation.objects.filter(compte=etudiante).exists()
    assert not Preferences.objects.filter(compte=etudiante, avis_evenements=True).exists()


def test_qui_est_inscrit_n_a_plus_de_case(elle, etudiante, evenement):
    fabriques.participation(evenement, etudiante)

    assert CASE not in elle.lire(page_de(evenement))


@pytest.mark.parametrize(("discret", "dit"), [(True, "ne nommera pas celui-ci"), (False, "L'e-mail le nommera")])
def test_la_case_dit_si_l_e_mail_nomme(elle, gestionnaire, discret, dit):
    un = fabriques.evenement(gestionnaire, discret=discret)

    assert dit in texte_de(elle.get(page_de(un)))


@pytest.mark.parametrize("verifiee", [True, False])
def test_une_adresse_a_confirmer_se_dit(elle, etudiante, evenement, verifiee):
    Compte.objects.filter(pk=etudiante.pk).update(email_verifie=verifiee)

    pages = [texte_de(elle.get(page_de(evenement))), texte_de(elle.get(COMPTE))]

    dits = ["Il partira quand votre adresse sera confirmée." in pages[0], "n'est pas encore confirmée" in pages[1]]
    assert dits == [not verifiee] * 2


def test_mon_compte_a_les_deux_cases_et_les_garde(elle, etudiante):
    avant = elle.lire(COMPTE)

    elle.envoyer(COMPTE, {"acte": "du_campus", "du_campus-avis_publications": "on"})
    apres = elle.lire(COMPTE)
    elle.envoyer(COMPTE, {"acte": "du_campus"})

    assert ("E-mails du campus" in avant, avant.count(" checked"), apres.count(" checked")) == (True, 0, 1)
    assert not Preferences.objects.get(compte=etudiante).avis_publications


@pytest.mark.parametrize(("champs", "admet"), [({"du_campus-avis_evenements": "on"}, True), ({}, False)])
def test_cocher_retablit_les_e_mails_et_decocher_ne_retablit_rien(elle, etudiante, champs, admet):
    Preferences.objects.create(compte=etudiante, notifications_email=False)
    page = texte_de(elle.get(COMPTE))

    elle.envoyer(COMPTE, {"acte": "du_campus", **champs})

    assert "cocher une case les rétablit" in page
    assert Preferences.objects.get(compte=etudiante).admet_les_e_mails is admet
