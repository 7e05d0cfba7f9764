"""« Qui lit ? »: the team of each type, on its page and before the report is sent, which goes to no others."""

import pytest

from accounts.tests import fabriques as comptes
from equipes.services import equipes as services
from equipes.tests import fabriques as equipes
from portail.tests.outils import cache, le_dossier, texte_de
from signalements.models import Signalement
from socle.domaine.acteurs import ActeurCompte

pytestmark = pytest.mark.django_db
VERIFIER = "/ecrire/verifier/"


@pytest.fixture
def equipe(db):
    nadia = comptes.gestionnaire(email="nadia@campus.test")
    return equipes.equipe(nadia, nom="Référentes", description="Deux personnes tenues au secret.")


def ecrire(visiteuse, type_="VIOLENCE"):
    visiteuse.remplir(type=type_)
    return visiteuse.lire(VERIFIER)


def envoyer(visiteuse, page):
    return visiteuse.envoyer(VERIFIER, {"titre": "Une bousculade", "lecteurs": cache(page, "lecteurs")})


def test_sans_regle_la_page_et_l_envoi_disent_toute_l_equipe(visiteuse):
    assert "Toute l'équipe qui traite les dossiers" in visiteuse.lire("/qui-lit/")
    assert "Toute l'équipe qui traite les dossiers, et personne d'autre." in ecrire(visiteuse)


def test_par_type_la_page_dit_quelle_equipe_lit_seule(visiteuse, equipe):
    equipes.regle(equipe, types=["VIOLENCE", "HARCELEMENT"])
    equipes.regle(equipes.equipe(nom="Bureau nord"), bureaux=["nord"])

    page = visiteuse.lire("/qui-lit/")

    assert "Référentes" in page
    assert "Deux personnes tenues au secret." in page
    assert "Tout autre dossier est lu par toute l'équipe" in page
    assert "Bureau nord" not in page


def test_avant_d_envoyer_elle_lit_qui_lira_et_c_est_ce_qui_arrive(visiteuse, equipe):
    equipes.regle(equipe, types=["VIOLENCE"])

    page = ecrire(visiteuse)

    assert "Référentes" in page
    assert "Deux personnes tenues au secret." in page
    assert envoyer(visiteuse, page).headers["Location"] == "/recu/"
    assert le_dossier().equipe == equipe


def test_un_texte_change_par_l_equipe_se_lit_aussitot(visiteuse, equipe, admin):
    equipes.regle(equipe, types=["VIOLENCE"])
    visiteuse.lire("/qui-lit/")

    services.modifier(equipe=equipe, acteur=ActeurCompte(compte=admin), description="Trois personnes.")

    assert "Trois personnes." in visiteuse.lire("/qui-lit/")


@pytest.mark.parametrize("d_abord", ["tous", "une equipe"])
def test_si_d_autres_liraient_depuis_la_page_rien_ne_part_sans_le_dire(visiteuse, equipe, d_abord):
    regle = equipes.regle(equipe, types=["VIOLENCE"]) if d_abord == "une equipe" else None
    montree = ecrire(visiteuse)
    if regle is None:
        equipes.regle(equipe, types=["VIOLENCE"])
    else:
        equipes.regle(equipes.equipe(nom="Une autre"), types=["VIOLENCE"], ordre=0)
        regle.delete()

    retenu = envoyer(visiteuse, montree)

    assert retenu.status_code == 409
    page = texte_de(retenu)
    assert "ceux qui liraient ce dossier ont changé" in page
    assert not Signalement.objects.exists()
    assert envoyer(visiteuse, page).status_code == 303
    assert Signalement.objects.get().equipe is not None
