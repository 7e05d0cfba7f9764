"""The pages of routing rules: writing one, trying it, changing it, and what is refused."""

import pytest

from accounts.tests import fabriques as comptes
from equipes.models import RegleDeRoutage
from equipes.tests import fabriques as equipes
from espace.tests.outils import Equipiere, section

pytestmark = pytest.mark.django_db
ROUTAGE = "/equipe/routage/"


@pytest.fixture
def rose(admin):
    return Equipiere(admin)


@pytest.fixture
def nadia(db):
    return comptes.gestionnaire(email="nadia@campus.test", nom="Benali", prenom="Nadia")


@pytest.fixture
def equipe(nadia):
    return equipes.equipe(nadia)


def page_de(regle):
    return f"{ROUTAGE}{regle.pk}/"


def test_une_regle_s_ecrit_s_essaie_et_s_active(rose, equipe, nadia):
    donnees = {"types": ["VOL", "VIOLENCE"], "bureaux": " nord \r\n\r\nsud", "equipe_id": str(equipe.pk)}
    fait = rose.envoyer(ROUTAGE, {**donnees, "gestionnaire_id": str(nadia.pk), "ordre": ""})

    assert fait.headers["Location"].endswith("?fait=ajouter#fait")
    regle = RegleDeRoutage.objects.get()
    assert (regle.types, regle.bureaux, regle.gestionnaire) == (["VOL", "VIOLENCE"], ["nord", "sud"], nadia)
    assert (regle.active, regle.ordre) == (False, 10)
    essai = rose.lire(f"{ROUTAGE}?type=VOL&bureau_genre_id=sud")
    assert "Aucune règle active ne lui convient" in essai
    assert "inactive" in section(essai, "essai")

    rose.envoyer(page_de(regle), {**donnees, "ordre": "5", "active": "on", "gestionnaire_id": ""})

    regle.refresh_from_db()
    assert (regle.active, regle.ordre, regle.gestionnaire) == (True, 5, None)
    essai = section(rose.lire(f"{ROUTAGE}?type=VOL&bureau_genre_id=sud"), "essai")
    assert "Un tel dossier irait à l'équipe" in essai
    assert "Référents" in essai
    assert "Aucune règle active ne lui convient" in rose.lire(f"{ROUTAGE}?type=VOL&bureau_genre_id=est")


def test_une_regle_se_supprime(rose, equipe):
    regle = equipes.regle(equipe)

    assert rose.envoyer(page_de(regle), {"acte": "supprimer"}).headers["Location"].endswith("?fait=supprimer#fait")
    assert not RegleDeRoutage.objects.exists()
    rose.lire(page_de(regle), attendu=404)


@pytest.mark.parametrize(
    "donnees",
    [
        {"equipe_id": ""},
        {"equipe_id": "x"},
        {"ordre": "deux"},
        {"ordre": "99999"},
        {"gestionnaire_id": "x"},
        {"types": "a b"},
    ],
)
def test_ce_qui_est_refuse_se_retrouve_tel_qu_il_fut_tape(rose, equipe, donnees):
    corps = {"types": ["VOL"], "bureaux": "nord", "equipe_id": str(equipe.pk), **donnees}

    refus = rose.envoyer(ROUTAGE, corps)

    assert refus.status_code == 422, donnees
    assert ">nord</textarea>" in refus.content.decode().replace("\n", "")
    assert not RegleDeRoutage.objects.exists()


def test_une_regle_refusee_ne_change_pas_celle_qui_est_la(rose, equipe, gestionnaire):
    regle = equipes.regle(equipe, types=["VOL"])

    refus = rose.envoyer(
        page_de(regle), {"types": ["VIOLENCE"], "equipe_id": str(equipe.pk), "gestionnaire_id": str(gestionnaire.pk)}
    )

    assert refus.status_code == 422
    assert RegleDeRoutage.objects.get().types == ["VOL"]


def test_un_type_que_les_listes_n_offrent_plus_reste_coche(rose, equipe):
    regle = equipes.regle(equipe, types=["BIZUTAGE"])

    assert "Bizutage" in rose.lire(page_de(regle))


def test_un_collegue_n_y_entre_pas(elle, equipe):
    elle.lire(ROUTAGE, attendu=403)
    elle.lire(page_de(equipes.regle(equipe)), attendu=403)
    assert elle.envoyer(ROUTAGE, {"equipe_id": str(equipe.pk)}).status_code == 403


def test_sans_equipe_la_page_mene_a_en_definir_une(rose):
    page = rose.lire(ROUTAGE)

    assert "Définissez d'abord une équipe." in page
    assert "Ajouter la règle" not in page
