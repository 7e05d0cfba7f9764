"""The library in a real browser: with and without JavaScript, on a desk and on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from demo.textes import GESTIONNAIRE
from demo.textes import MOT_DE_PASSE as CELUI_DE_LA_DEMO
from portail.tests.conftest import avec_retour, fenetre, javascript, neutre, portail, visite
from portail.tests.navigateur import continuer, obstacles

__all__ = ["avec_retour", "fenetre", "javascript", "neutre", "portail", "visite"]

pytestmark = pytest.mark.navigateur
URL = "/campus/documents/"
PDF = "Que faire en cas d'incident"


def entrer(page: Page) -> None:
    """Signed in from the library, and back on it."""
    page.goto(URL)
    page.get_by_label("Adresse e-mail").fill(GESTIONNAIRE.email)
    page.get_by_label("Mot de passe").fill(CELUI_DE_LA_DEMO)
    continuer(page, "Se connecter")
    expect(page).to_have_url(re.compile(f"{URL}$"))


@pytest.mark.parametrize("javascript", [True], ids=["js"])
@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_les_documents_se_lisent_sans_obstacle(visite):
    page = visite.page
    entrer(page)

    for demande in ("", "?search=incident&tri=titre-asc", "?search=rien-de-tel", "?tri=poids"):
        page.goto(URL + demande)
        assert visite.fautes == [], demande
        assert obstacles(page) == []


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
