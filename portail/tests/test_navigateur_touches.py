"""Shift three times leaves; Shift as it is used to write does not."""

import pytest
from playwright.sync_api import Page, expect

from portail.tests.navigateur import SECRET

pytestmark = [
    pytest.mark.navigateur,
    pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True),
]
# What an input method lets a page see of a key that it takes.
PRISE = """(init) => ["keydown", "keyup"].forEach((type) =>
    document.activeElement.dispatchEvent(new KeyboardEvent(type, { key: "Shift", bubbles: true, ...init })))"""
BOITE = "Que s’est-il passé ?"


def en_composant(page: Page) -> None:
    """The input method holds letters that are not in the text yet."""
    cdp = page.context.new_cdp_session(page)
    for lettres in ("z", "zh", "zho"):
        cdp.send("Input.imeSetComposition", {"text": lettres, "selectionStart": 3, "selectionEnd": 3})
        page.keyboard.press("Shift")
    cdp.send("Input.insertText", {"text": "中"})


def par_la_methode(page: Page) -> None:
    for _fois in range(3):
        page.evaluate(PRISE, {"keyCode": 229})
        page.evaluate(PRISE, {"keyCode": 16, "isComposing": True})


def en_changeant_de_clavier(page: Page) -> None:
    for touches in ("Control+Shift", "Alt+Shift", "Shift+Control", "Meta+Shift"):
        page.keyboard.press(touches)


def en_capitales(page: Page) -> None:
    for lettre in "SOS":
        page.keyboard.press(f"Shift+{lettre}")


def entre_deux_lettres(page: Page) -> None:
    for lettre in "abc":
        page.keyboard.press("Shift")
        page.keyboard.press(lettre)


def en_choisissant(page: Page) -> None:
    """Shift and a click extend what is chosen."""
    for _fois in range(3):
        page.get_by_label(BOITE).click(modifiers=["Shift"])


def entre_deux_morceaux(page: Page) -> None:
    """An input method, or a voice, writes without a key in between."""
    cdp = page.context.new_cdp_session(page)
    for mot in ("un ", "deux ", "trois "):
        page.keyboard.press("Shift")
        cdp.send("Input.insertText", {"text": mot})


ECRIRE = [
    en_composant,
    par_la_methode,
    en_changeant_de_clavier,
    en_capitales,
    entre_deux_lettres,
    en_choisissant,
    entre_deux_morceaux,
]


@pytest.mark.parametrize("ecrire", ECRIRE, ids=lambda une: une.__name__)
def test_majuscule_qui_sert_a_ecrire_ne_quitte_pas(visite, neutre, ecrire):
    page = visite.page
    page.goto("/ecrire/faits/")
    page.get_by_label(BOITE).fill(SECRET)
    page.get_by_label(BOITE).focus()

    ecrire(page)
    page.keyboard.press("Shift")
    page.keyboard.press("Shift")

    expect(page.locator("#annonce")).to_have_text("Encore 1 fois la touche Majuscule pour quitter.")
    assert SECRET.split()[0] in page.get_by_label(BOITE).input_value()
    page.keyboard.press("Shift")
    page.wait_for_url(f"{neutre}/**")
