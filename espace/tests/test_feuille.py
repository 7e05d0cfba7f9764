"""The sheet for a meeting, and what a case shows of a message that is only a file; in both languages."""

from datetime import date, datetime, time

import pytest

from config.tests.outils import acteur_de
from discussions.services import ecrire, ouvrir
from espace.pages import dossier
from espace.tests.outils import LISTE, section, texte_de
from resources.tests import fabriques as fichiers
from signalements.models import Signalement
from signalements.vocabulaire import SANS_HEURE

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
        messages = page.partition("Messages avec qui a signalé")[2].partition("</section>")[0]
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

    assert f"Suivi par : <bdi>{gestionnaire.nom_complet}</bdi>" in feuille()
    assert f"Handled by: <bdi>{gestionnaire.nom_complet}</bdi>" in feuille("en")


def test_la_feuille_nomme_aussi_qui_l_imprime(elle, etudiante, signalement, feuille):
    """On paper nobody knows who « Vous » is."""
    discussion = ouvrir(acteur=acteur_de(etudiante), titre="Suivi", signalement_id=signalement.pk)
    ecrire(acteur=acteur_de(elle.compte), discussion=discussion, contenu="Venez quand vous voulez.")
    elle.agir(signalement, "statut", statut="EN_COURS", vu="NOUVEAU")

    page = feuille()

    assert "Vous" not in page.replace("Venez quand vous voulez.", "")
    assert f"<h3><bdi>{elle.compte.nom_complet}</bdi> " in page
    assert "Vous" in elle.dossier(signalement)


def test_la_feuille_dit_qu_elle_n_a_pas_tout(elle, signalement, feuille, monkeypatch):
    monkeypatch.setattr(dossier, "ENTREES_MAX", 2)
    for numero in range(3):
        elle.agir(signalement, "notes", **{"note-contenu": f"Note {numero}"})

    page = feuille()

    assert [f"Note {numero}" in page for numero in range(3)] == [False, True, True]
    for partie in ("notes-titre", "historique-titre"):
        assert "Les 2 dernières lignes, notes comprises." in section(page, partie)


@pytest.mark.parametrize(
    ("heure", "quand"), [(SANS_HEURE, "3 novembre 2026<"), (time(14, 30), "3 novembre 2026 14:30<")]
)
def test_une_heure_que_personne_n_a_donnee_ne_se_montre_pas(elle, signalement, feuille, settings, heure, quand):
    """It would be evidence that nobody gave."""
    jour = datetime.combine(date(2026, 11, 3), heure, settings.TIME_ZONE_CAMPUS)
    Signalement.objects.filter(pk=signalement.pk).update(date_incident=jour)

    for page in (feuille(), elle.dossier(signalement)):
        assert f"<dt>Quand</dt><dd>{quand}" in page
