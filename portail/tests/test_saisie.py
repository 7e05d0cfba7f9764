"""What is being typed on a step, kept by the script of its page before it is sent: sealed, asked about, never shown."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portail.models import Acces, Brouillon
from portail.tests.outils import DETAILS, FAITS, Visiteuse, cache, la_session, le_dossier, page_de, texte_de
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
FAITS_URL, DETAILS_URL = "/ecrire/faits/", "/ecrire/details/"
RECIT = "Il m'attend chaque soir\ndevant la cafétéria."
OFFRE = "Un texte commencé sur cette page n'a pas été envoyé."


def taper(visiteuse, texte, *, adresse=FAITS_URL, recit="", **champs):
    """As the script of the page sends it."""
    corps = {"description": texte, "recit": recit, **champs, "garder": "1"}
    return visiteuse.envoyer(adresse, corps, headers={"X-Direct": "1"})


def boite(page: str) -> str:
    return page.partition('name="description"')[2].partition(">")[2].partition("</textarea>")[0].strip()


def test_ce_qui_est_tape_se_propose_et_ne_se_montre_pas(visiteuse):
    gardee = taper(visiteuse, RECIT, type="VOL")

    page = visiteuse.lire(FAITS_URL)
    assert (gardee.status_code, gardee.headers["Content-Type"]) == (200, "text/plain")
    assert gardee.content.decode() == cache(page, "recit") != ""
    assert OFFRE in page
    assert "cafétéria" not in page
    assert "data-garder" not in page
    assert "brouillon.js" not in page
    assert "cafétéria" not in Brouillon.objects.get().contenu_scelle


@pytest.mark.parametrize("espace", [False, True], ids=["sans espace", "dans un espace"])
def test_reprendre_rend_le_texte_puis_tout_part(visiteuse, espace):
    if espace:
        visiteuse.signaler()
    taper(visiteuse, RECIT, type="VOL")

    reprise = visiteuse.envoyer(FAITS_URL, {**page_de(visiteuse.lire(FAITS_URL)), "reprendre": "oui"})

    assert (reprise.status_code, reprise.headers["Location"]) == (303, FAITS_URL)
    page = visiteuse.lire(FAITS_URL)
    assert boite(page) == RECIT
    assert OFFRE not in page
    assert "data-garder" in page
    suite = visiteuse.envoyer(FAITS_URL, {**page_de(page), "type": "VOL", "description": RECIT})
    assert suite.headers["Location"] == DETAILS_URL


def test_effacer_ne_laisse_rien(visiteuse):
    taper(visiteuse, RECIT)

    effacee = visiteuse.envoyer(FAITS_URL, {**page_de(visiteuse.lire(FAITS_URL)), "reprendre": "non"})

    assert effacee.cookies["brouillon"]["max-age"] == 0
    assert not Brouillon.objects.exists()
    page = visiteuse.lire(FAITS_URL)
    assert (OFFRE in page, boite(page)) == (False, "")


def test_la_suite_remplace_ce_qui_precede(visiteuse):
    recit = ""
    for fin in ("Un", "Un deux", "Un deux trois"):
        recit = taper(visiteuse, fin, recit=recit).content.decode()

    assert Brouillon.objects.count() == 2  # the former goes with the next: an answer may be lost
    visiteuse.envoyer(FAITS_URL, {**page_de(visiteuse.lire(FAITS_URL)), "reprendre": "oui"})
    assert boite(visiteuse.lire(FAITS_URL)) == "Un deux trois"


def test_une_boite_videe_vide_le_brouillon(visiteuse):
    recit = taper(visiteuse, RECIT).content.decode()

    videe = taper(visiteuse, "", recit=recit)

    assert videe.cookies["brouillon"]["max-age"] == 0
    assert not Brouillon.objects.exists()
    assert OFFRE not in visiteuse.lire(FAITS_URL)


def test_une_reponse_videe_ne_revient_pas(visiteuse):
    visiteuse.envoyer(FAITS_URL, FAITS)
    recit = page_de(visiteuse.lire(FAITS_URL))["recit"]

    taper(visiteuse, "", recit=recit, type=FAITS["type"])

    page = visiteuse.lire(FAITS_URL)
    assert (boite(page), OFFRE in page) == ("", False)
    assert f'value="{FAITS["type"]}"' in page.partition("checked")[0].rpartition("<input")[2] + page


def test_ce_qui_est_tape_apres_une_reponse_se_propose_a_cote_d_elle(visiteuse):
    visiteuse.envoyer(FAITS_URL, FAITS)
    recit = page_de(visiteuse.lire(FAITS_URL))["recit"]
    taper(visiteuse, f"{FAITS['description']}\nEt hier.", recit=recit, type=FAITS["type"])

    page = visiteuse.lire(FAITS_URL)

    assert (boite(page), OFFRE in page) == (FAITS["description"].replace("'", "'"), True)
    reprise = {**page_de(page), **FAITS, "reprendre": "oui"}
    visiteuse.envoyer(FAITS_URL, reprise)
    assert boite(visiteuse.lire(FAITS_URL)) == f"{FAITS['description']}\nEt hier."


def test_ce_qui_est_ecrit_a_cote_de_la_question_reste_aussi(visiteuse):
    taper(visiteuse, RECIT)
    page = page_de(visiteuse.lire(FAITS_URL))

    visiteuse.envoyer(FAITS_URL, {**page, "description": "Autre chose.", "reprendre": "oui"})

    assert boite(visiteuse.lire(FAITS_URL)) == f"{RECIT}\n\nAutre chose."


def test_une_etape_refusee_demande_encore_et_rend_ce_qui_est_ecrit(visiteuse):
    taper(visiteuse, RECIT)
    page = {**page_de(visiteuse.lire(FAITS_URL)), "propose": "1"}

    refus = visiteuse.envoyer(FAITS_URL, {**page, "description": "Sans type."})

    rendue = texte_de(refus)
    assert (refus.status_code, boite(rendue)) == (422, "Sans type.")
    assert (OFFRE in rendue, "data-garder" in rendue) == (True, False)


def test_la_date_reprise_est_celle_qui_part(visiteuse):
    visiteuse.envoyer(FAITS_URL, FAITS)
    recit = page_de(visiteuse.lire(DETAILS_URL))["recit"]
    taper(visiteuse, "", adresse=DETAILS_URL, recit=recit, jour="1er", mois="mars", annee="2026", lieu_incident="Amphi")

    page = visiteuse.lire(DETAILS_URL)
    assert "Amphi" not in page
    visiteuse.envoyer(DETAILS_URL, {**page_de(page), "reprendre": "oui"})
    assert 'value="Amphi"' in visiteuse.lire(DETAILS_URL)
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert f"{le_dossier().date_incident:%d/%m/%Y}" == "01/03/2026"


def test_le_texte_d_une_etape_attend_pendant_qu_une_autre_part(visiteuse):
    visiteuse.envoyer(FAITS_URL, FAITS)
    recit = page_de(visiteuse.lire(DETAILS_URL))["recit"]
    taper(visiteuse, "", adresse=DETAILS_URL, recit=recit, lieu_incident="Amphi")

    visiteuse.envoyer(FAITS_URL, {**page_de(visiteuse.lire(FAITS_URL)), **FAITS})

    assert OFFRE in visiteuse.lire(DETAILS_URL)
    visiteuse.envoyer(DETAILS_URL, {**page_de(visiteuse.lire(DETAILS_URL)), **DETAILS})
    assert OFFRE not in visiteuse.lire(DETAILS_URL)


def test_un_espace_garde_ne_garde_pas_ce_qui_est_tape(visiteuse):
    visiteuse.signaler()
    dans_un_an = timezone.now() + timedelta(days=14)
    Acces.objects.update(date_verification=timezone.now(), garde_jusqu_a=dans_un_an)
    page = visiteuse.lire(FAITS_URL)

    gardee = taper(visiteuse, RECIT)

    assert "data-garder" not in page
    assert gardee.status_code == 409
    assert not Brouillon.objects.filter(date_envoi=None).exists()


def test_garder_son_espace_oublie_ce_qui_se_tapait_et_garde_ce_qui_est_parti(visiteuse):
    visiteuse.signaler()
    visiteuse.envoyer(FAITS_URL, FAITS)
    taper(visiteuse, "Un collègue l'a vu.", adresse=DETAILS_URL, description_temoins="Un collègue l'a vu.")
    avant = visiteuse.cookies["brouillon"].value
    Acces.objects.update(date_verification=timezone.now())

    visiteuse.envoyer("/acces/garder/")

    assert OFFRE not in visiteuse.lire(DETAILS_URL)
    assert FAITS["description"] in visiteuse.lire(FAITS_URL)
    visiteuse.cookies["brouillon"] = avant
    assert OFFRE not in visiteuse.lire(DETAILS_URL)


def test_garder_son_espace_sans_rien_d_envoye_ne_laisse_aucun_brouillon(visiteuse):
    visiteuse.signaler()
    taper(visiteuse, RECIT)
    Acces.objects.update(date_verification=timezone.now())

    gardee = visiteuse.envoyer("/acces/garder/")

    assert gardee.cookies["brouillon"]["max-age"] == 0
    assert not Brouillon.objects.filter(date_envoi=None).exists()


def test_un_autre_onglet_n_est_pas_recouvert(visiteuse):
    visiteuse.envoyer(FAITS_URL, FAITS)
    avant = visiteuse.cookies["brouillon"].value

    assert taper(visiteuse, "D'un onglet vide.", recit="").status_code == 409
    assert visiteuse.cookies["brouillon"].value == avant
    assert boite(visiteuse.lire(FAITS_URL)) == FAITS["description"]


def test_un_espace_ferme_ne_garde_rien_de_soi_meme(visiteuse):
    visiteuse.signaler()
    espace = cache(visiteuse.lire(FAITS_URL), "espace")
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))

    refus = taper(visiteuse, RECIT, espace=espace)

    assert refus.status_code == 401
    assert "brouillon" not in refus.cookies or not refus.cookies["brouillon"].value
    assert "espace" not in refus.cookies
    assert not Brouillon.objects.filter(date_envoi=None).exists()


def test_ce_qui_attend_ne_se_lit_pas_dans_un_autre_espace(visiteuse, autre_visiteuse):
    autre_visiteuse.signaler()
    taper(visiteuse, RECIT)
    autre_visiteuse.cookies["brouillon"] = visiteuse.cookies["brouillon"].value

    assert OFFRE not in autre_visiteuse.lire(FAITS_URL)


def test_quitter_vite_l_oublie(visiteuse):
    taper(visiteuse, RECIT)

    assert visiteuse.get("/quitter/").cookies["brouillon"]["max-age"] == 0
    assert OFFRE not in visiteuse.lire(FAITS_URL)


def test_terminer_l_efface(visiteuse):
    visiteuse.signaler()
    taper(visiteuse, RECIT)

    visiteuse.envoyer("/acces/terminer/")

    assert not Brouillon.objects.filter(date_envoi=None).exists()


def test_sans_jeton_rien_n_est_garde(visiteuse):
    visiteuse.get(FAITS_URL)

    assert visiteuse.post(FAITS_URL, {"description": RECIT, "garder": "1"}).status_code == 403
    assert not Brouillon.objects.exists()


def test_ce_qui_grandit_compte_dans_la_place_d_une_adresse(visiteuse, settings):
    settings.THROTTLE_ENABLED = True
    settings.PORTAIL_BROUILLONS = Taux(2_000, 600)
    recit = ""
    for taille in range(100, 1_500, 100):  # what is kept again takes no other room
        gardee = taper(visiteuse, "x" * taille, recit=recit)
        assert gardee.status_code == 200, taille
        recit = gardee.content.decode()

    assert taper(visiteuse, "x" * 5_000, recit=recit).status_code == 429
    assert taper(Visiteuse(), "x" * 1_000).status_code == 429


def test_mode_ferme_rien_n_est_garde(visiteuse, settings):
    settings.GUEST_MODE_ENABLED = False

    assert taper(visiteuse, RECIT).status_code == 403
    assert not Brouillon.objects.exists()


def test_ce_qui_fut_envoye_ne_se_propose_plus(visiteuse):
    visiteuse.signaler()
    assert la_session()

    page = visiteuse.lire(FAITS_URL)

    assert OFFRE not in page
    assert "data-garder" in page


# --- Long texts ------------------------------------------------------------------------------------------------------


def test_un_texte_trop_long_n_est_coupe_nulle_part(visiteuse):
    long = "é" * 44_999 + "z"

    parti = visiteuse.envoyer(FAITS_URL, {"type": "VOL", "description": long, "vers": "aide"})

    assert parti.headers["Location"] == "/aide/"
    page = visiteuse.lire(FAITS_URL)
    assert boite(page) == long
    refus = visiteuse.envoyer(FAITS_URL, {**page_de(page), "type": "VOL", "description": long})
    assert refus.status_code == 422
    assert "20 000 caractères au plus, 25 000 de trop." in texte_de(refus)
    assert boite(texte_de(refus)) == long


def test_une_reponse_trop_longue_dit_de_combien(visiteuse):
    visiteuse.signaler()

    refus = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "a\r\n" * 6_000 + "b" * 8_001})

    assert "20 000 caractères au plus, 1 de trop." in texte_de(refus)


@pytest.mark.parametrize(
    ("champ", "longueur", "dit"),
    [
        ("description_temoins", 21_000, "20 000 caractères au plus, 1 000 de trop."),
        ("lieu_incident", 300, "255 caractères au plus, 45 de trop."),
        ("auteur_presume", 256, "255 caractères au plus, 1 de trop."),
    ],
)
def test_tout_texte_trop_long_dit_de_combien_et_reste(visiteuse, champ, longueur, dit):
    visiteuse.envoyer(FAITS_URL, FAITS)

    refus = visiteuse.envoyer(DETAILS_URL, {**DETAILS, champ: "x" * longueur})

    assert (refus.status_code, dit in texte_de(refus)) == (422, True)
    assert "x" * longueur in texte_de(refus)
