"""The page of names to check: what it shows, both answers, and whom it is not for."""

import pytest

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from espace.tests.outils import Equipiere
from homonymes.models import Homonyme
from homonymes.services import decider
from signalements.services import creer

pytestmark = pytest.mark.django_db
NOMS = "/equipe/noms/"


@pytest.fixture
def ruth(db):
    return comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")


@pytest.fixture
def dossier(etudiante, ruth, admin):
    return creer(
        acteur=acteur_de(etudiante),
        titre="Remarques",
        description="Devant l'amphi.",
        type="HARCELEMENT",
        auteur_presume="Ruth Okito",
    )


@pytest.fixture
def rose(admin):
    return Equipiere(admin)


def repondre(qui, reponse, un=None):
    return qui.envoyer(NOMS, {"nom": str((un or Homonyme.objects.get()).pk), "reponse": reponse})


def test_la_page_dit_le_nom_la_reference_et_le_jour_sans_rien_du_dossier(rose, dossier, ruth):
    page = rose.lire(NOMS)

    assert all(mot in page for mot in ("Ruth Okito", dossier.reference, "ne lit pas le dossier en attendant"))
    assert dossier.description not in page
    assert "Noms à vérifier" in rose.lire("/equipe/equipes/")


def test_la_liste_dit_combien_de_noms_l_attendent_a_qui_en_decide_seul(rose, dossier, ruth, gestionnaire):
    attendus = '<a href="/equipe/noms/">Noms à vérifier</a> : 1'

    assert attendus in rose.lire("/equipe/dossiers/")
    assert [attendus in Equipiere(autre).lire("/equipe/dossiers/") for autre in (gestionnaire, ruth)] == [False, False]
    repondre(rose, "non")
    assert "a-verifier" not in rose.lire("/equipe/dossiers/")


@pytest.mark.parametrize(
    ("reponse", "lit", "dit"),
    [
        ("oui", False, "cette personne ne lit pas le dossier."),
        ("non", True, "ce n'est pas cette personne."),
    ],
)
def test_chaque_reponse_regle_qui_lit_et_le_nom_s_en_va(rose, dossier, ruth, reponse, lit, dit):
    fait = repondre(rose, reponse)

    assert fait.headers["Location"] == f"{NOMS}?fait={reponse}#fait"
    dossier.refresh_from_db()
    assert dossier.est_ouvert_a(acteur_de(ruth)) is lit
    suite = rose.lire(NOMS, fait=reponse)
    assert dit in suite
    assert "Aucun nom à vérifier." in suite


def test_ce_qu_un_collegue_a_dit_entre_temps_se_lit(rose, dossier):
    un = Homonyme.objects.get()
    sophie = comptes.admin(email="sophie@campus.test", nom="Tshala", prenom="Sophie")
    decider(homonyme=un, acteur=acteur_de(sophie), est_la_personne=True)

    refus = repondre(rose, "non")

    assert refus.status_code == 409
    assert "Rien n’est enregistré" in refus.text
    assert Homonyme.objects.get().decide_par == sophie


@pytest.mark.parametrize("reponse", ["", "peut-être"])
def test_une_autre_reponse_est_refusee(rose, dossier, reponse):
    assert repondre(rose, reponse).status_code == 422
    assert Homonyme.objects.get().decision == "EN_ATTENTE"


@pytest.mark.parametrize("nom", ["", "pas-un-identifiant", "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"])
def test_un_nom_inconnu_n_est_pas_trouve(rose, dossier, nom):
    assert rose.envoyer(NOMS, {"nom": nom, "reponse": "oui"}).status_code == 404


def test_qui_le_dossier_nomme_ne_le_voit_pas_et_n_en_decide_pas(etudiante, ruth, admin):
    creer(
        acteur=acteur_de(etudiante),
        titre="Remarques",
        description="Devant l'amphi.",
        type="HARCELEMENT",
        auteur_presume="Ruth Okito ou Rose Kabila",
    )
    rose = Equipiere(admin)

    assert "Aucun nom à vérifier." in rose.lire(NOMS)
    assert repondre(rose, "non", Homonyme.objects.order_by("pk").first()).status_code == 404


def test_la_page_n_est_que_pour_l_administration(dossier, ruth, gestionnaire):
    assert Equipiere(gestionnaire).get(NOMS).status_code == 403
    assert repondre(Equipiere(ruth), "non").status_code == 403
