"""Words that the team uses again: chosen on a case, put after what is being written, and sent by a person alone."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.tests.outils import acteur_de
from discussions.models import Message
from espace.tests.outils import LISTE, section, texte_de
from reponses.tests import fabriques
from signalements.tests import fabriques as signalements
from socle.domaine import droits
from socle.domaine.droits import DROITS, Droit, Role

pytestmark = pytest.mark.django_db
NOTE, REPONSE = "note-contenu", "reponse-contenu"
OPTION = re.compile(r'<option value="((?:fr|en):[0-9a-f-]+)"(?: selected)?>([^<]+)</option>')


def offertes(page):
    return OPTION.findall(page)


def case(page):
    """The box of the reply: its attributes, and what is in it."""
    return re.search(rf'<textarea name="{REPONSE}"([^>]*)>\n?(.*?)</textarea>', page, re.DOTALL).groups()


def inserer(elle, dossier, modele, langue="fr", **ecrits):
    return elle.agir(dossier, "reponse-type", modele=f"{langue}:{modele.pk}", **ecrits)


def test_la_page_offre_ce_qui_convient_au_dossier_dans_ses_deux_langues(elle, signalement):
    deux = fabriques.modele("Bien reçu", texte_en="We have read {reference}.", ordre=10)
    anglais = fabriques.modele("Suite", texte_fr="", texte_en="Next.", ordre=20)
    fabriques.modele("D'un autre état", statut="CLOTURE")
    fabriques.modele("D'un autre type", type="INVENTE")
    fabriques.modele("Retiré", actif=False)

    page = elle.dossier(signalement)

    assert offertes(page) == [
        (f"fr:{deux.pk}", "Bien reçu"),
        (f"en:{deux.pk}", "Bien reçu (English)"),
        (f"en:{anglais.pk}", "Suite (English)"),
    ]
    assert "We have read" not in page


def test_en_anglais_la_langue_de_la_page_vient_d_abord(elle, signalement):
    deux = fabriques.modele("Bien reçu", texte_en="We have read it.")

    page = texte_de(elle.get(f"{LISTE}{signalement.pk}/", headers={"Accept-Language": "en"}))

    assert offertes(page) == [(f"en:{deux.pk}", "Bien reçu"), (f"fr:{deux.pk}", "Bien reçu (Français)")]


def test_inserer_pose_le_texte_apres_ce_qui_est_ecrit_et_n_envoie_rien(elle, signalement, settings):
    settings.PORTAIL_NOM = "Écoute"
    modele = fabriques.modele(texte_fr="Nous avons lu {reference}.\n\n{service} { reste }")

    reponse = inserer(elle, signalement, modele, **{REPONSE: "Bonjour Awa,\n", NOTE: "À rappeler."})

    page = texte_de(reponse)
    attributs, ecrit = case(page)
    assert reponse.status_code == 200
    assert ecrit == f"Bonjour Awa,\n\nNous avons lu {signalement.reference}.\n\nÉcoute {{ reste }}"
    assert " autofocus" in attributs
    assert page.count("autofocus") == 1
    assert "Le texte est inséré, rien n'est envoyé." in section(page, "messages")
    assert "À rappeler.</textarea>" in section(page, "notes")
    assert not Message.objects.exists()


def test_dans_une_case_vide_le_texte_est_seul(elle, signalement):
    reponse = inserer(elle, signalement, fabriques.modele(texte_en="Read."), "en", **{REPONSE: " \n"})

    assert case(texte_de(reponse))[1] == "Read."


def test_deux_textes_se_suivent_puis_partent_tels_qu_on_les_a_relus(elle, signalement):
    un, deux = fabriques.modele(texte_fr="Un."), fabriques.modele(texte_fr="Deux.")

    premier = case(texte_de(inserer(elle, signalement, un)))[1]
    second = case(texte_de(inserer(elle, signalement, deux, **{REPONSE: premier})))[1]
    elle.agir(signalement, "messages", **{REPONSE: f"{second} Et moi.", "vu": ""})

    assert Message.objects.get().contenu == "Un.\n\nDeux. Et moi."


def test_la_page_qui_revient_garde_la_case_decochee(elle, signalement):
    page = texte_de(inserer(elle, signalement, fabriques.modele(), **{REPONSE: "x"}))

    assert 'name="prendre" value="oui">' in page


@pytest.mark.parametrize("choix", ["", "fr:", "fr:x", "de:{pk}", "en:{pk}", "{pk}", "fr:{retire}", "fr:{inconnu}"])
def test_sans_un_choix_de_la_liste_rien_n_est_perdu(elle, signalement, choix):
    modele, retire = fabriques.modele(), fabriques.modele("Retiré", actif=False)
    voulu = choix.format(pk=modele.pk, retire=retire.pk, inconnu="5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f")

    reponse = elle.agir(signalement, "reponse-type", modele=voulu, **{REPONSE: "Bonjour,", NOTE: "Une note."})

    page = texte_de(reponse)
    assert reponse.status_code == 422
    assert "Choisissez une réponse type dans la liste." in page
    assert case(page)[1] == "Bonjour,"
    assert "Une note.</textarea>" in page
    assert ">Erreur : " in page


def test_un_texte_que_l_etat_ne_propose_plus_s_insere_encore(api, admin, elle, signalement):
    modele = fabriques.modele(statut="NOUVEAU")
    api(admin).put(f"/api/v1/signalements/{signalement.pk}/statut", {"statut": "EN_COURS"})

    assert inserer(elle, signalement, modele).status_code == 200


def test_sans_reponse_type_la_page_n_en_parle_pas(elle, signalement):
    assert "Réponses types" not in elle.dossier(signalement)


def test_sur_son_propre_dossier_il_n_y_en_a_pas(elle, gestionnaire):
    modele = fabriques.modele()
    le_sien = signalements.signalement(acteur_de(gestionnaire))

    assert "Réponses types" not in elle.dossier(le_sien)
    assert inserer(elle, le_sien, modele).status_code == 403


def test_un_dossier_ferme_est_introuvable(api, admin, elle, gestionnaire, signalement):
    modele = fabriques.modele()
    api(admin).put(f"/api/v1/signalements/{signalement.pk}/lecteurs", {"ecartes": [str(gestionnaire.pk)]})

    assert inserer(elle, signalement, modele).status_code == 404


def test_qui_ne_repond_pas_n_en_voit_pas(elle, signalement, monkeypatch):
    modele = fabriques.modele()
    restent = DROITS[Role.GESTIONNAIRE] - {Droit.DISCUSSIONS_PARTICIPER_A_TOUTES}
    monkeypatch.setitem(droits.DROITS, Role.GESTIONNAIRE, restent)

    assert "Réponses types" not in elle.dossier(signalement)
    assert inserer(elle, signalement, modele).status_code == 403


def test_un_dossier_joint_entretemps_rend_ce_qui_etait_ecrit(elle, etudiante, signalement):
    demeure = signalements.signalement(acteur_de(etudiante))
    signalements.joindre(signalement, demeure)

    reponse = inserer(elle, signalement, fabriques.modele(), **{REPONSE: "Bonjour,"})

    page = texte_de(reponse)
    assert reponse.status_code == 409
    assert "a été joint à celui-ci" in page
    assert case(page)[1] == "Bonjour,"


def test_rien_de_ce_qui_est_ecrit_ne_s_execute(elle, signalement):
    modele = fabriques.modele("</option><script>1", texte_fr="</textarea><script>2")

    pages = elle.get(f"{LISTE}{signalement.pk}/"), inserer(elle, signalement, modele)

    assert [b"<script>1" in page.content or b"<script>2" in page.content for page in pages] == [False, False]
    assert b"&lt;/textarea&gt;&lt;script&gt;2</textarea>" in pages[1].content


def test_aucun_un_ou_cinquante_coutent_autant_de_requetes(elle, signalement):
    def demandees():
        with CaptureQueriesContext(connection) as requetes:
            elle.dossier(signalement)
        return len(requetes), len([r for r in requetes if "reponses_" in r["sql"]])

    demandees()
    sans = demandees()
    fabriques.modele()
    avec_un = demandees()
    for rang in range(49):
        fabriques.modele(f"Modèle {rang}", texte_en="Read.")

    assert sans == avec_un == demandees()
    assert sans[1] == 2  # and what the case was answered with by itself


def test_cinquante_reponses_types_tiennent_en_quinze_ko(elle, signalement):
    sans = len(elle.get(f"{LISTE}{signalement.pk}/").content)
    for rang in range(50):
        fabriques.modele(f"Une réponse type, la {rang}e, au titre assez long", texte_en="Read.")

    assert len(elle.get(f"{LISTE}{signalement.pk}/").content) - sans < 15_000
