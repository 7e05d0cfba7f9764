"""« Qui ne doit pas lire ? »: before a report is sent, and on the page of a case."""

import pytest

from accounts.services.comptes import modifier_preferences
from accounts.tests import fabriques as comptes
from portail.tests.outils import cache, le_dossier, texte_de
from signalements.models import Signalement
from socle.domaine.acteurs import ActeurCompte

pytestmark = pytest.mark.django_db
QUI, VERIFIER, DU_DOSSIER = "/ecrire/lecteurs/", "/ecrire/verifier/", "/dossiers/1/lecteurs/"
CHOIX = "ne_pas_montrer_a"


@pytest.fixture
def ruth(db, admin):
    ruth = comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    modifier_preferences(compte=ruth, parait_au_portail=True, fonction="Référente égalité")
    return ruth


def choisir(visiteuse, *personnes):
    visiteuse.remplir()
    page = visiteuse.lire(QUI)
    corps = {CHOIX: [str(une.pk) for une in personnes], "recit": cache(page, "recit")}
    return visiteuse.envoyer(QUI, corps)


def envoyer(visiteuse):
    page = visiteuse.lire(VERIFIER)
    return visiteuse.envoyer(VERIFIER, {"titre": "Une bousculade", "lecteurs": cache(page, "lecteurs")})


def lit(compte):
    return Signalement.objects.visibles_par(ActeurCompte(compte=compte)).exists()


def test_sans_personne_a_nommer_rien_n_est_demande(visiteuse, gestionnaire):
    visiteuse.remplir()

    assert "Qui ne doit pas lire" not in visiteuse.lire(VERIFIER)
    assert "Avant d'envoyer" not in visiteuse.lire("/ecrire/details/")


def test_la_personne_choisie_ne_lira_jamais_ce_qui_part(visiteuse, ruth, admin):
    assert "Référente égalité" in visiteuse.lire("/qui-lit/")
    assert "Okito" not in visiteuse.lire("/qui-lit/")

    assert choisir(visiteuse, ruth).headers["Location"] == VERIFIER
    assert "Ruth Okito" in visiteuse.lire(VERIFIER)
    assert envoyer(visiteuse).headers["Location"] == "/recu/"

    assert (lit(ruth), lit(admin)) == (False, True)


def test_les_autres_reponses_restent_et_la_liste_garde_son_choix(visiteuse, ruth):
    choisir(visiteuse, ruth)

    assert f'value="{ruth.pk}"' in visiteuse.lire(QUI)
    assert "checked" in visiteuse.lire(QUI)
    visiteuse.envoyer(QUI, {"recit": cache(visiteuse.lire(QUI), "recit")})
    assert "Ruth Okito" not in visiteuse.lire(VERIFIER)
    assert envoyer(visiteuse).headers["Location"] == "/recu/"
    assert lit(ruth)


def test_qui_n_accepte_plus_d_etre_nomme_ne_l_est_pas_et_rien_ne_part(visiteuse, ruth):
    choisir(visiteuse, ruth)
    modifier_preferences(compte=ruth, parait_au_portail=False)

    refus = envoyer(visiteuse)

    assert refus.status_code == 422
    assert "comme elle est à présent" in texte_de(refus)
    assert not Signalement.objects.exists()
    assert choisir(visiteuse).headers["Location"] == VERIFIER
    assert envoyer(visiteuse).headers["Location"] == "/recu/"


def test_un_identifiant_d_ailleurs_est_refuse_sur_la_page(visiteuse, ruth, gestionnaire):
    refus = choisir(visiteuse, gestionnaire)

    assert refus.status_code == 422
    assert "comme elle est à présent" in texte_de(refus)


def test_apres_l_envoi_elle_ajoute_quelqu_un_et_y_revient(visiteuse, ruth, admin):
    visiteuse.remplir()
    envoyer(visiteuse)
    page = visiteuse.lire("/dossiers/1/")
    assert DU_DOSSIER in page
    dossier = cache(visiteuse.lire(DU_DOSSIER), "dossier")

    fait = visiteuse.envoyer(DU_DOSSIER, {"dossier": dossier, "vus": "", CHOIX: [str(ruth.pk)]})
    assert (fait.headers["Location"], lit(ruth)) == (f"{DU_DOSSIER}?fait#fait", False)
    assert "checked" in visiteuse.lire(DU_DOSSIER)

    visiteuse.envoyer(DU_DOSSIER, {"dossier": dossier, "vus": str(ruth.pk)})
    assert lit(ruth)


def test_un_dossier_que_personne_ne_lirait_se_refuse_et_le_dit(visiteuse, ruth, admin):
    modifier_preferences(compte=admin, parait_au_portail=True)

    assert choisir(visiteuse, ruth, admin).headers["Location"] == VERIFIER
    refus = envoyer(visiteuse)
    assert (refus.status_code, Signalement.objects.count()) == (422, 0)
    assert "laissez au moins une personne" in texte_de(refus)

    choisir(visiteuse, ruth)
    envoyer(visiteuse)
    dossier = str(le_dossier().pk)
    refus = visiteuse.envoyer(
        DU_DOSSIER, {"dossier": dossier, "vus": str(ruth.pk), CHOIX: [str(ruth.pk), str(admin.pk)]}
    )
    assert refus.status_code == 422
    assert lit(admin)


def test_le_dossier_d_une_autre_ne_s_y_change_pas(visiteuse, ruth, signalement):
    visiteuse.remplir()
    envoyer(visiteuse)

    refus = visiteuse.envoyer(DU_DOSSIER, {"dossier": str(signalement.pk), CHOIX: [str(ruth.pk)]})

    assert refus.status_code == 409
    assert not signalement.regles.exists()


def test_un_onglet_en_retard_ne_defait_pas_ce_qu_un_autre_a_dit(visiteuse, ruth, admin):
    modifier_preferences(compte=admin, parait_au_portail=True)
    comptes.gestionnaire(email="leo@campus.test")
    visiteuse.remplir()
    envoyer(visiteuse)
    dossier = cache(visiteuse.lire(DU_DOSSIER), "dossier")
    visiteuse.envoyer(DU_DOSSIER, {"dossier": dossier, "vus": "", CHOIX: [str(ruth.pk)]})

    en_retard = visiteuse.envoyer(DU_DOSSIER, {"dossier": dossier, "vus": "", CHOIX: [str(admin.pk)]})

    page = texte_de(en_retard)
    assert (en_retard.status_code, lit(ruth), page.count(" checked")) == (409, False, 2)
    assert "relisez-la" in page
    visiteuse.envoyer(DU_DOSSIER, {"dossier": dossier, "vus": cache(page, "vus"), CHOIX: [str(ruth.pk), str(admin.pk)]})
    assert (lit(ruth), lit(admin)) == (False, False)


def test_plus_de_vingt_se_dit_en_personnes(visiteuse, ruth):
    visiteuse.remplir()
    envoyer(visiteuse)
    dossier = cache(visiteuse.lire(DU_DOSSIER), "dossier")

    refus = visiteuse.envoyer(DU_DOSSIER, {"dossier": dossier, "vus": "", CHOIX: [str(ruth.pk)] * 21})

    assert (refus.status_code, "Vingt personnes au plus." in texte_de(refus)) == (422, True)


def test_le_lien_reste_a_qui_a_choisi_quand_plus_personne_n_est_propose(visiteuse, ruth):
    choisir(visiteuse, ruth)
    envoyer(visiteuse)
    modifier_preferences(compte=ruth, parait_au_portail=False)

    assert DU_DOSSIER in visiteuse.lire("/dossiers/1/")
    assert "Ruth Okito" in visiteuse.lire(DU_DOSSIER)
