"""« Mon compte » in a real browser: with and without JavaScript, on a desk and on phones, and by the keyboard."""

import pytest
from playwright.sync_api import Page, expect

from demo.textes import ETUDIANTE
from portail.tests.conftest import avec_retour, fenetre, javascript, portail, visite
from portail.tests.navigateur import entrer_pour, obstacles_partout

__all__ = ["avec_retour", "fenetre", "javascript", "portail", "visite"]

pytestmark = pytest.mark.navigateur
URL = "/compte/"
FENETRES = ("bureau", "petit_telephone", "etroite")
EXCEPTION = "the server responded with a status of 4"  # of a form that is asked again


def entrer(page: Page) -> None:
    entrer_pour(page, URL, ETUDIANTE)


@pytest.mark.parametrize("javascript", [True], ids=["js"])
def test_mon_compte_se_lit_sans_obstacle(visite):
    visite.admise = EXCEPTION
    page = visite.page
    entrer(page)
    assert obstacles_partout(page, FENETRES, ("light",)) == []  # which opens every fold

    page.get_by_label("Votre mot de passe").fill("faux")
    page.get_by_role("button", name="Demander à être effacé·e").click()
    expect(page.get_by_role("alert")).to_contain_text("Ce n’est pas votre mot de passe actuel.")
    expect(page.get_by_label("Votre mot de passe")).to_have_value("")
    assert obstacles_partout(page, FENETRES, ("light",)) == []


@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_changer_de_nom_se_dit_et_reste(visite):
    page = visite.page
    entrer(page)

    page.get_by_role("button", name="Enregistrer").click()

    expect(page.get_by_text("C’est enregistré.")).to_be_visible()
    expect(page.get_by_label("Prénom")).to_have_value(ETUDIANTE.prenom)
    assert visite.fautes == []


@pytest.mark.parametrize("javascript", [False], ids=["sans_js"])
@pytest.mark.parametrize("fenetre", ["bureau"])
def test_tout_s_atteint_au_clavier(visite):
    """Each form in its turn, a fold opened by its own key; no step is lost on the way."""
    page = visite.page
    entrer(page)
    atteints = []
    page.locator("#contenu").focus()

    for _pas in range(40):
        page.keyboard.press("Tab")
        dit = page.evaluate("() => document.activeElement.labels?.[0]?.innerText || document.activeElement.innerText")
        atteints.append(dit.strip())
        if page.evaluate("() => document.activeElement.matches('details:not([open]) > summary')"):
            page.keyboard.press("Enter")

    attendus = [
        *("Prénom", "Nom", "Enregistrer", "Nouvelle adresse e-mail", "Nouveau mot de passe"),
        *("Tout fermer ailleurs", "Télécharger mes données", "Votre mot de passe", "Mon accès"),
    ]
    assert [un for un in attendus if un not in atteints] == []
