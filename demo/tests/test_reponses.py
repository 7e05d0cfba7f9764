"""The templates and orientations that the demonstration brings."""

import re

import pytest

from demo import reponses
from demo.tests.outils import semer
from reponses.models import ModeleDeReponse, Orientation
from reponses.tests import fabriques
from reponses.vocabulaire import remplir
from signalements.vocabulaire import TYPES_CONNUS

pytestmark = pytest.mark.django_db
TABLES = (ModeleDeReponse, Orientation)


@pytest.fixture(autouse=True)
def _base_embarquee(settings):
    settings.EMBARQUE = True


def etat():
    return [modele.objects.count() for modele in TABLES]


def test_chaque_type_a_la_sienne_et_relancer_ne_double_rien():
    semer()
    ModeleDeReponse.objects.update(titre="Récrit")
    Orientation.objects.filter(type="VOL").delete()

    semer()

    assert etat() == [6, 6]
    assert set(Orientation.objects.values_list("type", flat=True)) == set(TYPES_CONNUS)
    assert set(ModeleDeReponse.objects.values_list("titre", flat=True)) == {"Récrit"}


@pytest.mark.parametrize(("langue", "mots"), [("fr", "D'ici là"), ("en", "Until then")])
def test_sans_date_la_reponse_automatique_ne_renvoie_a_aucune(langue, mots):
    (automatique,) = (un for un in reponses.MODELES if un.automatique)

    texte = remplir(getattr(automatique, f"texte_{langue}"), {"reference": "SIG-1", "echeance": "", "service": "Ici"})

    assert "SIG-1" in texte
    assert mots not in texte


def test_une_orientation_deja_ecrite_reste():
    fabriques.orientation("VOL", texte_fr="La nôtre.")

    semer()

    assert Orientation.objects.get(type="VOL").texte_fr == "La nôtre."
    assert etat() == [6, 6]


def test_chaque_texte_est_dans_les_deux_langues_et_tel_que_l_administration_l_accepterait():
    semer()

    for texte in (*ModeleDeReponse.objects.all(), *Orientation.objects.all()):
        texte.full_clean()
        recherche = texte.recherche
        texte.indexer()
        assert texte.recherche == recherche
        assert texte.texte_fr, texte
        assert texte.texte_en, texte


def test_aucun_numero_ne_sonne_nulle_part():
    """The ranges that are kept for fiction, or no number at all."""
    ecrits = " ; ".join(texte for textes in reponses.ORIENTATIONS.values() for texte in textes)

    assert set(re.findall(r"\+?\d[\d ]{2,}\d", ecrits)) == {"+33 6 39 98 00 21", "+33 6 39 98 00 22", "0000"}


def test_la_page_d_un_vol_propose_ce_qui_lui_convient(api, gestionnaire):
    semer()
    client = api(gestionnaire)
    vol = client.get("/api/v1/signalements/", {"type": "VOL", "statut": "ASSIGNE"}).json()["data"]["items"][0]

    proposes = client.get("/api/v1/modeles-reponse/", {"signalementId": vol["id"]}).json()["data"]["items"]

    assert [un["titre"] for un in proposes] == [reponses.MODELES[rang].titre for rang in (1, 2, 3)]
    assert vol["reference"] in proposes[2]["texte"]


def test_une_reponse_automatique_deja_la_reste_la_seule():
    fabriques.modele("La nôtre", automatique=True)

    semer()

    assert list(ModeleDeReponse.objects.automatiques().values_list("titre", flat=True)) == ["La nôtre"]
