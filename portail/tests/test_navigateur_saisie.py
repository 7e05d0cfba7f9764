"""What is being typed survives a reload of the page, with the script; it is asked about, then shown."""

import pytest
from playwright.sync_api import expect

from portail.tests.navigateur import SECRET, continuer

pytestmark = [
    pytest.mark.navigateur,
    pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True),
]
BOITE = "Que s’est-il passé ?"


@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_recharger_propose_ce_qui_etait_tape(visite, fenetre):
    page = visite.page
    page.clock.install()
    page.goto("/ecrire/faits/")
    page.get_by_label(BOITE).press_sequentially("Il m")
    page.clock.fast_forward(9_000)
    page.get_by_label(BOITE).fill(SECRET)
    with page.expect_response("**/ecrire/faits/") as gardee:
        page.clock.fast_forward(10_000)
    assert gardee.value.status == 200
    expect(page.locator("input[name=recit]")).to_have_value(gardee.value.text())

    page.reload()
    expect(page.get_by_text("Un texte commencé sur cette page n’a pas été envoyé.")).to_be_visible()
    expect(page.get_by_label(BOITE)).to_have_value("")
    assert not visite.deborde
    continuer(page, "Reprendre")
    expect(page.get_by_label(BOITE)).to_have_value(SECRET)

    page.get_by_label(BOITE).fill("")
    with page.expect_response("**/ecrire/faits/"):
        page.clock.fast_forward(10_000)
    page.reload()
    expect(page.get_by_label(BOITE)).to_have_value("")
    expect(page.get_by_text("Un texte commencé sur cette page n’a pas été envoyé.")).to_have_count(0)
    assert "brouillon" not in {cookie["name"] for cookie in page.context.cookies()}
