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
# Bars that stay while the page goes by.
RESTEES = """() => [...document.querySelectorAll(".tete, .nav")]
    .filter((un) => getComputedStyle(un).position !== "static").map((un) => un.className)"""
DESSOUS = """() => {
    const [lui, elle] = [document.activeElement, document.getElementById("quitter")]
        .map((un) => un.getBoundingClientRect());
    const couvre = lui.left < elle.right && elle.left < lui.right && lui.top < elle.bottom && elle.top < lui.bottom;
    return couvre || lui.bottom <= 0 || lui.top >= innerHeight ? [document.activeElement.outerHTML.slice(0, 80)] : [];
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


@pytest.mark.parametrize(("largeur", "hauteur"), [(320, 256), (360, 380), (667, 320)])
def test_dans_une_fenetre_basse_rien_ne_reste_sur_ce_qui_a_le_foyer(visite, largeur, hauteur):
    """320 × 256 px are 1280 × 1024 at 400 %: no bar stays, and « Quitter vite » alone follows, over nothing."""
    page = visite.page
    signaler(page)
    page.set_viewport_size({"width": largeur, "height": hauteur})

    for adresse in ("/dossiers/1/", "/aide/"):
        page.goto(adresse)
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Quitter vite").first).to_be_focused()
        assert page.evaluate(RESTEES) == []
        assert couverts(page) == []
    expect(page.get_by_role("link", name="Quitter vite").first).to_be_in_viewport()


def couverts(page):
    """What « Quitter vite » is over while it has the focus, by Tab to the end of the page."""
    page.keyboard.press("Tab")  # « Aller au contenu », which is above all
    trouves = []
    for _pas in range(150):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body || document.activeElement.id === 'quitter'"):
            return trouves
        trouves += page.evaluate(DESSOUS)
    raise AssertionError("le clavier n'arrive pas au bout")
