"""The sheet for a meeting, and what a case shows of a message that is only a file; in both languages."""

import pytest

from config.tests.outils import acteur_de
from discussions.services import ecrire, ouvrir
from espace.tests.outils import LISTE, texte_de
from resources.tests import fabriques as fichiers

pytestmark = pytest.mark.django_db


@pytest.fixture
def feuille(elle, signalement):
    def feuille(langue="fr"):
        return texte_de(elle.get(f"{LISTE}{signalement.pk}/imprimer/", headers={"Accept-Language": langue}))

    return feuille


def test_un_message_qui_n_est_qu_un_fichier_ne_montre_que_lui(elle, etudiante, signalement, feuille):
    auteur = acteur_de(etudiante)
    discussion = ouvrir(acteur=auteur, titre="Suivi", signalement_id=signalement.pk)
    ecrire(acteur=auteur, discussion=discussion, pieces_jointes=[fichiers.fichier(auteur, "recit.txt").pk])

    for page in (elle.dossier(signalement), feuille()):
        messages = page.partition("Messages avec l'auteur")[2].partition("</section>")[0]
        assert "recit.txt" in messages
        assert "None" not in page


@pytest.mark.parametrize(("langue", "personne"), [("fr", "Personne ne s'en occupe"), ("en", "Nobody handles it")])
def test_la_feuille_dit_que_personne_ne_s_en_occupe(feuille, langue, personne):
    page = feuille(langue)

    assert personne in page
    assert "Handled by" not in page
    assert " :" not in page.partition("<h1>")[2].partition("<section")[0] or langue == "fr"


@pytest.mark.parametrize("langue", ["fr", "en"])
def test_la_feuille_finit_par_une_phrase_bien_ecrite(elle, feuille, langue):
    pied = feuille(langue).rpartition('<p class="indice">')[2].partition("</p>")[0]

    assert pied.startswith({"fr": "Confidentiel. Imprimé par ", "en": "Confidential. Printed by "}[langue])
    assert elle.compte.nom_complet in pied
    assert ".." not in pied
    assert ". ." not in pied


def test_la_feuille_nomme_qui_s_en_occupe(elle, gestionnaire, signalement, feuille):
    elle.agir(signalement, "assigner", gestionnaire_id=str(gestionnaire.pk), vu="")

    assert f"Responsable : {gestionnaire.nom_complet}" in feuille()
    assert f"Handled by: {gestionnaire.nom_complet}" in feuille("en")
