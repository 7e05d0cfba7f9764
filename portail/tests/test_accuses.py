"""The automatic acknowledgement on the pages: on the receipt, then before the first message, of both sides."""

import re

import pytest

from config.tests.outils import acteur_de
from config.tests.outils.typographie import ordinaire
from discussions.conversation import repondre
from espace.tests.outils import Equipiere
from portail.tests.outils import FAITS, Visiteuse
from reponses.models import Orientation
from reponses.tests import fabriques
from signalements.models import Signalement

pytestmark = pytest.mark.django_db
ACCUSE = re.compile(
    r'<article class="message"><h3>Équipe <span class="indice">réponse automatique.*?</article>', re.DOTALL
)


@pytest.fixture(autouse=True)
def _automatique():
    fabriques.modele(texte_fr="Le dossier {reference} est arrivé.", automatique=True)
    fabriques.orientation(FAITS["type"], texte_fr="Gardez les messages.")


@pytest.fixture
def visiteuse():
    elle = Visiteuse()
    elle.signaler()
    return elle


@pytest.mark.parametrize("adresse", ["/recu/", "/dossiers/1/"])
def test_qui_a_signale_la_lit_une_fois_avec_ce_qu_il_faut_savoir(visiteuse, adresse):
    page = ordinaire(visiteuse.lire(adresse))

    (lue,) = ACCUSE.findall(page)
    assert f"Le dossier {Signalement.objects.get().reference} est arrivé." in lue
    assert "Gardez les messages." in lue
    assert page.count("Gardez les messages.") == 1


def test_elle_vient_avant_le_premier_message_de_part_et_d_autre(visiteuse, gestionnaire):
    dossier = Signalement.objects.get()
    repondre(acteur=acteur_de(gestionnaire), dossier=dossier, contenu="Nous vous lisons.")

    pages = [visiteuse.lire("/dossiers/1/"), Equipiere(gestionnaire).lire(f"/equipe/dossiers/{dossier.pk}/")]

    for page in map(ordinaire, pages):
        assert len(ACCUSE.findall(page)) == 1
        assert page.index("réponse automatique") < page.index("Nous vous lisons.")


def test_elle_n_attend_pas_d_etre_lue(visiteuse):
    assert "J'ai lu ces messages" not in ordinaire(visiteuse.lire("/dossiers/1/"))


@pytest.mark.parametrize("adresse", ["/recu/", "/dossiers/1/"])
def test_ce_qu_il_faut_savoir_depuis_se_lit_a_part(visiteuse, adresse):
    """What is written, or changed, after the reply went out is not in it."""
    Orientation.objects.update(texte_fr="Appelez le 112.")

    page = ordinaire(visiteuse.lire(adresse))

    assert "Gardez les messages." in ACCUSE.findall(page)[0]
    assert page.count("Appelez le") == 1
