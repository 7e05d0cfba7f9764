"""The portal on a bad line, on none, and in a low window."""

import pytest
from playwright.sync_api import expect

from config.tests.outils.navigateur import attente
from portail.tests.departs import partir
from portail.tests.navigateur import SECRET, ce_que_retour_montre, signaler

pytestmark = pytest.mark.navigateur
AVEC_JS = pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
# What leaving shows at the moment of the click, and how long it took.
CLIQUER = """() => {
    document.getElementById("quitter").click();
    return document.documentElement.textContent;
}"""


def test_une_page_sert_sur_une_ligne_lente(visite):
    signaler(visite.page)
    for adresse, secondes in (("/", 3), ("/ecrire/faits/", 3), ("/recu/", 4), ("/dossiers/1/", 4)):
        visite.page.goto("about:blank")

        assert attente(visite.page, adresse) <= secondes, adresse


@AVEC_JS
def test_sur_une_ligne_lente_l_ecran_est_vide_aussitot(visite, neutre):
    page = visite.page
    signaler(page)
    attente(page, "/dossiers/1/")
    expect(page.get_by_text(SECRET)).to_be_visible()

    assert SECRET not in page.evaluate(CLIQUER)
    page.wait_for_url(f"{neutre}/**")


@AVEC_JS
def test_sans_reseau_quitter_vide_l_ecran_et_part_quand_il_revient(visite, portail, neutre):
    """No page of ours can be asked, so the cookies stay until then."""
    page = visite.page
    signaler(page)
    page.goto("/dossiers/1/")
    visite.admise = "net::ERR_"
    page.context.set_offline(True)

    page.get_by_role("link", name="Quitter vite").first.click()
    page.wait_for_timeout(300)
    vus = ce_que_retour_montre(page, portail.url)

    assert vus
    assert not any(SECRET in vu for vu in vus)
    page.context.set_offline(False)
    page.goto("/quitter/")
    page.wait_for_url(f"{neutre}/**")
    assert "espace" not in {cookie["name"] for cookie in page.context.cookies()}


@pytest.mark.parametrize(("hauteur", "suit"), [(320, True), (250, True), (200, False)])
def test_quitter_vite_suit_le_lecteur_sauf_ou_il_cacherait_la_page(visite, neutre, hauteur, suit):
    """A phone on its side or with its keyboard; 200 px are 800 at 400 %, and a sticky bar would cover the page."""
    page = visite.page
    page.set_viewport_size({"width": 667, "height": hauteur})
    page.goto("/securite/")
    page.locator("footer").scroll_into_view_if_needed()
    quitter = page.get_by_role("link", name="Quitter vite").first

    if not suit:
        expect(quitter).not_to_be_in_viewport()
        return
    expect(quitter).to_be_in_viewport()
    partir(page, neutre)
