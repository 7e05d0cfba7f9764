"""Messages on ended cases in the workspace: first in the list of who handles them, asked about before closing."""

import re

import pytest

from accounts.models import Compte
from config.tests.outils import acteur_de
from discussions.models import Message
from discussions.tests import fabriques as discussions
from espace.tests.outils import LISTE, texte_de, valeur
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
APRES = "a écrit après la clôture"
REPONSE = "reponse-contenu"


def references(page):
    return re.findall(r'<p class="indice"><span[^>]*>(SIG-\d{4}-\w{8})', page)


def compte_de(page, vue):
    """What the tab of a list says of how many it holds."""
    return re.search(rf'href="\?vue={vue}"[^>]*>[^<]*<[^>]*>(\d+)', page)[1]


@pytest.fixture
def clos(etudiante, gestionnaire, signalement):
    """A case of the manager's, closed, to which its author has written since; a newer one is open."""
    ouvert = fabriques.signalement(acteur_de(etudiante))
    fabriques.mettre(ouvert, statut="EN_COURS", gestionnaire=gestionnaire)
    fabriques.mettre(signalement, statut="CLOTURE", gestionnaire=gestionnaire)
    ecrire(etudiante, signalement)
    return signalement


def ecrire(qui, dossier, nombre=1):
    fil = discussions.discussion(acteur_de(qui), signalement=dossier)
    for rang in range(nombre):
        discussions.message(acteur_de(qui), fil, f"Message {rang}.")


def test_il_est_le_premier_de_la_liste_de_qui_le_traite_et_se_rouvre_d_ici(elle, clos):
    page = elle.lire(vue="a-moi")

    assert references(page)[0] == clos.reference
    assert len(references(page)) == 2
    assert page.count(APRES) == 1
    assert compte_de(page, "a-moi") == "2"
    assert re.search(r"<h2[^>]*>2\s+dossiers</h2>", page)
    rouvert = elle.agir(clos, "statut", statut="EN_COURS", vu="CLOTURE", liste="?vue=a-moi")
    assert (rouvert.status_code, rouvert.headers["Location"]) == (303, f"{LISTE}?vue=a-moi")
    clos.refresh_from_db()
    assert clos.statut == "EN_COURS"
    assert APRES not in elle.lire(vue="a-moi")


def test_il_est_parmi_les_non_lus_et_la_page_le_dit(elle, clos):
    assert references(elle.lire(vue="non-lus")) == [clos.reference]
    assert 'href="?vue=jamais-lus">1 dossier</a>' in elle.lire()
    assert references(elle.lire(vue="jamais-lus")) == [clos.reference]

    elle.agir(clos, "lus", vu=Message.objects.get().pk)

    assert "?vue=jamais-lus" not in elle.lire()
    assert references(elle.lire(vue="non-lus")) == []
    assert APRES not in elle.lire(vue="a-moi")


def test_celui_que_personne_ne_traite_est_le_premier_des_non_attribues(elle, equipiere, admin, etudiante):
    seul = fabriques.mettre(fabriques.signalement(acteur_de(etudiante)), statut="TRAITE")
    libre = fabriques.signalement(acteur_de(etudiante))
    ecrire(etudiante, seul)

    page = elle.lire(vue="non-attribues")
    assert references(page) == [seul.reference, libre.reference]
    assert compte_de(page, "non-attribues") == "2"
    assert references(elle.lire(vue="a-moi")) == []


def test_celui_de_qui_a_quitte_l_equipe_aussi(elle, clos, gestionnaire, admin, equipiere):
    Compte.objects.filter(pk=gestionnaire.pk).update(est_actif=False)

    assert references(equipiere(admin).lire(vue="non-attribues"))[0] == clos.reference


def test_ni_le_sien_ni_celui_dont_on_est_ecarte(elle, gestionnaire, equipiere, admin):
    sien = fabriques.mettre(fabriques.signalement(acteur_de(gestionnaire)), statut="CLOTURE")
    ecrire(gestionnaire, sien)

    assert APRES not in elle.lire(vue="non-attribues")
    assert APRES in equipiere(admin).lire(vue="non-attribues")


def test_la_page_du_dossier_le_dit_et_le_rouvre_sans_perdre_ce_qui_s_ecrit(elle, clos):
    page = elle.dossier(clos)

    assert "Qui a signalé a écrit après la clôture." in page
    reponse = elle.agir(clos, "statut", statut="CLOTURE", rouvrir="oui", vu="CLOTURE", **{REPONSE: "Je vous lis."})
    clos.refresh_from_db()
    assert clos.statut == "EN_COURS"
    assert "Je vous lis." in texte_de(reponse)
    assert "Qui a signalé a écrit après la clôture." not in elle.dossier(clos)


@pytest.mark.parametrize("statut", ["TRAITE", "CLOTURE"])
def test_clore_avec_des_messages_que_personne_n_a_lus_se_demande(elle, etudiante, signalement, statut):
    ecrire(etudiante, signalement, 5)

    question = elle.agir(signalement, "statut", statut=statut, vu="NOUVEAU", **{REPONSE: "Bonjour."})

    page = texte_de(question)
    assert question.status_code == 409
    assert "5 messages de qui a signalé n'ont été lus de personne." in page
    assert f'name="statut" value="{statut}"><p><button form="actes"' in page
    assert "Bonjour." in page
    signalement.refresh_from_db()
    assert signalement.statut == "NOUVEAU"

    ecrire(etudiante, signalement)  # another has come: asked again
    assert elle.agir(signalement, "statut", statut=statut, vu="NOUVEAU", vu_jamais_lus="5").status_code == 409
    assert elle.agir(signalement, "statut", statut=statut, vu="NOUVEAU", vu_jamais_lus="6").status_code == 303
    signalement.refresh_from_db()
    assert signalement.statut == statut


@pytest.mark.parametrize("dits", ["x", "-1", "٥", "9" * 50])
def test_un_nombre_que_la_page_n_a_pas_dit_ne_casse_rien(elle, etudiante, signalement, dits):
    ecrire(etudiante, signalement)

    assert elle.agir(signalement, "statut", statut="TRAITE", vu="NOUVEAU", vu_jamais_lus=dits).status_code in (303, 409)


def test_lu_ou_repondu_rien_ne_se_demande(elle, etudiante, signalement):
    ecrire(etudiante, signalement)
    page = elle.dossier(signalement)
    elle.agir(signalement, "messages", **{REPONSE: "Bonjour.", "vu_messages": valeur(page, "vu_messages")})

    assert elle.agir(signalement, "statut", statut="CLOTURE", vu="NOUVEAU").status_code == 303


@pytest.mark.parametrize("statut", ["TRAITE", "CLOTURE"])
def test_clore_sans_que_personne_ait_repondu_se_demande(elle, signalement, statut):
    question = elle.agir(signalement, "statut", statut=statut, vu="NOUVEAU", **{REPONSE: "Bonjour."})

    page = texte_de(question)
    assert question.status_code == 409
    assert "Personne de l'équipe n'a écrit ici" in page
    assert f'name="statut" value="{statut}"><p><button form="actes"' in page
    assert all(mot in page for mot in ('name="vu_sans_reponse" value="oui"', 'href="#repondre"', "Bonjour."))
    assert page.count("Changer quand même") + page.count("Clore quand même") == 1  # over a menu, it would ask again
    signalement.refresh_from_db()
    assert signalement.statut == "NOUVEAU"

    assert elle.agir(signalement, "statut", statut=statut, vu="NOUVEAU", vu_sans_reponse="oui").status_code == 303
    signalement.refresh_from_db()
    assert signalement.statut == statut


def test_ni_en_attendre_ni_clore_apres_une_reponse_ne_se_demande(elle, signalement):
    assert elle.agir(signalement, "statut", statut="EN_ATTENTE", vu="NOUVEAU").status_code == 303
    elle.agir(signalement, "messages", vu="", **{REPONSE: "Bonjour."})

    assert elle.agir(signalement, "statut", statut="CLOTURE", vu="EN_ATTENTE").status_code == 303


def test_d_un_statut_de_fin_a_l_autre_rien_ne_se_demande(elle, etudiante, clos):
    assert elle.agir(clos, "statut", statut="TRAITE", vu="CLOTURE").status_code == 303


def test_l_api_repond_comme_toujours(api, etudiante, gestionnaire, signalement):
    ecrire(etudiante, signalement)

    reponse = api(gestionnaire).put(f"/api/v1/signalements/{signalement.pk}/statut", {"statut": "CLOTURE"})

    assert reponse.status_code == 200
