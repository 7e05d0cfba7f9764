"""What was done is said by its name, at a place that is there before."""

import re

import pytest

from accounts.tests import fabriques as comptes
from espace.tests.outils import LISTE

pytestmark = pytest.mark.django_db
DIT = re.compile(r'<p role="status" class="fait" id="fait" tabindex="-1">([^<]*)</p>')
PLACE = re.compile(r'<p role="status" class="fait"')


def dit(elle, signalement, acte):
    page = elle.lire(f"{LISTE}{signalement.pk}/", fait=acte)
    return DIT.findall(page), len(PLACE.findall(page))


@pytest.mark.parametrize(
    ("acte", "champs", "phrase"),
    [
        ("statut", {"statut": "TRAITE", "vu": "NOUVEAU", "vu_sans_reponse": "oui"}, "État : traité"),
        ("priorite", {"priorite": "CRITICAL", "vu": "MEDIUM"}, "Priorité : critique"),
        ("notes", {"note-contenu": "Vu."}, "Note ajoutée"),
        ("messages", {"reponse-contenu": "Bonjour.", "vu": ""}, "Réponse envoyée"),
    ],
)
def test_l_acte_se_dit_par_ce_qu_il_a_fait(elle, signalement, acte, champs, phrase):
    places = dit(elle, signalement, "")[1]

    fait = elle.agir(signalement, acte, **champs)

    mene, _ancre, _reste = fait.headers["Location"].partition("#")
    assert dit(elle, signalement, mene.partition("fait=")[2]) == ([phrase], places)


def test_prendre_et_confier_ne_se_disent_pas_de_meme(elle, gestionnaire, signalement):
    autre = comptes.compte(email="lea@campus.test", prenom="Léa", nom="Roy", type_utilisateur="GESTIONNAIRE")

    elle.agir(signalement, "assigner", gestionnaire_id=gestionnaire.pk, vu="")
    assert dit(elle, signalement, "assigner")[0] == ["Dossier pris"]

    elle.agir(signalement, "assigner", gestionnaire_id=autre.pk, vu=gestionnaire.pk)
    assert dit(elle, signalement, "assigner")[0] == ["Dossier confié à Léa Roy"]


@pytest.mark.parametrize("acte", ["", "inconnu", "<b>"])
def test_une_adresse_ne_fait_rien_dire(elle, signalement, acte):
    assert dit(elle, signalement, acte)[0] == []
