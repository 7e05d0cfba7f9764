"""The library in a real browser: with and without JavaScript, on a desk and on a phone."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from demo.textes import GESTIONNAIRE
from portail.tests.conftest import avec_retour, fenetre, javascript, portail, visite
from portail.tests.departs import ecrire_au_compte, partir
from portail.tests.navigateur import SECRET, ce_que_retour_montre, entrer_pour, obstacles, obstacles_partout

__all__ = ["avec_retour", "fenetre", "javascript", "portail", "visite"]

pytestmark = pytest.mark.navigateur
URL = "/campus/documents/"
PDF = "Que faire en cas d’incident"


def entrer(page: Page) -> None:
    entrer_pour(page, URL, GESTIONNAIRE)


@pytest.mark.parametrize("javascript", [True], ids=["js"])
def test_les_documents_se_lisent_sans_obstacle(visite):
    page, trouves = visite.page, []
    entrer(page)

    for demande in ("", "?search=incident&tri=titre-asc", "?search=rien-de-tel", "?tri=poids", "ajouter/"):
        page.goto(URL + demande)
        trouves += obstacles_partout(page, ("bureau", "petit_telephone"), ("light",), tout=True)
    assert trouves == []


@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_chercher_et_telecharger(visite):
    page = visite.page
    entrer(page)
    page.get_by_label("Chercher un document").fill("INCIDENT garder")
    page.get_by_label("Chercher un document").press("Enter")
    expect(page.locator(".carte h2")).to_have_text([PDF])

    with page.expect_download() as recu:
        page.get_by_role("link", name=f"Télécharger : {PDF}").click()

    assert recu.value.suggested_filename.endswith(".pdf")
    assert recu.value.path().read_bytes().startswith(b"%PDF-")
    expect(page).to_have_url(re.compile(r"\?search=INCIDENT\+garder"))


@pytest.mark.parametrize("fenetre", ["bureau", "etroite"])
def test_ajouter_puis_supprimer(visite, javascript):
    visite.admise = "the server responded with a status of 422"
    page, titre = visite.page, f"Essai {uuid4().hex}"
    entrer(page)
    page.get_by_role("link", name="Ajouter un document").click()
    page.get_by_label("Titre").fill(titre)
    page.get_by_label("Description").fill("Une page,\nen clair.")
    page.get_by_role("button", name="Ajouter", exact=True).click()
    expect(page.get_by_role("link", name=re.compile("Choisissez un fichier, ou donnez"))).to_be_visible()
    expect(page.get_by_label("Titre")).to_have_value(titre)
    assert not javascript or obstacles(page) == []
    page.get_by_label("Fichier").set_input_files(
        {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"}
    )
    page.get_by_role("button", name="Ajouter", exact=True).dblclick()

    expect(page.get_by_text("Le document est ajouté.")).to_be_visible()
    carte = page.locator(".carte", has_text=titre)
    expect(carte).to_have_count(1)
    carte.get_by_text("Supprimer ce document").click()
    carte.get_by_role("button", name="Supprimer").click()
    expect(page.get_by_text("Le document est supprimé.")).to_be_visible()
    expect(carte).to_have_count(0)


@pytest.mark.parametrize("javascript", [True], ids=["js"])
@pytest.mark.parametrize("fenetre", ["bureau"])
def test_quitter_vite_l_ajout(visite, portail, neutre):
    """« Retour » shows nothing of what was being written."""
    visite.admise = "the server responded with a status of 4"  # what was open before is open no more
    page = visite.page
    ecrire_au_compte(page)
    page.goto(f"{URL}ajouter/")
    page.get_by_label("Description").fill(SECRET)

    partir(page, neutre)

    assert [un for un in ce_que_retour_montre(page, portail.url) if SECRET in un] == []
