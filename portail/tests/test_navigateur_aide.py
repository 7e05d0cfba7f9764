"""The help page in a real browser: searched with and without JavaScript, on a desk and on a phone."""

import re

import pytest
from playwright.sync_api import expect

from portail.tests.navigateur import obstacles, obstacles_partout

pytestmark = pytest.mark.navigateur


@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_chercher_une_question_et_tout_revoir(visite, javascript):
    page = visite.page
    page.goto("/aide/")
    toutes = page.locator("summary").count()
    assert toutes > 1

    page.get_by_label("Chercher dans les questions").fill("TEMOIN signaler")
    page.get_by_label("Chercher dans les questions").press("Enter")

    expect(page).to_have_url(re.compile(r"/aide/#questions$"))  # what is searched is in no address
    expect(page.locator("details[open] summary")).to_have_text(
        ["Je suis témoin, puis-je signaler à la place de quelqu’un ?"]
    )
    assert visite.fautes == []
    if javascript:
        page.evaluate("window.scrollTo(0, 0)")  # at its end, the field is under the frame
        assert obstacles(page) == []
    page.get_by_role("button", name="Toutes les questions").click()
    expect(page.locator("summary")).to_have_count(toutes)


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_une_recherche_refusee_se_lit_sans_obstacle(visite):
    page = visite.page

    page.goto("/aide/")
    page.get_by_label("Chercher dans les questions").fill("x" * 201)
    page.get_by_label("Chercher dans les questions").press("Enter")

    expect(page.get_by_role("alert")).to_be_visible()
    assert obstacles_partout(page, ("bureau", "petit_telephone"), ("light",)) == []
