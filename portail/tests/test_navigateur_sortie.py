"""Leaving in a hurry, in a real browser: from whatever page, « Retour » and « Recharger » show nothing of the case."""

import time

import pytest
from playwright.sync_api import Page, expect

from config.tests.outils.serveur import Serveur
from config.tests.pannes.conftest import SECRETS
from config.tests.pannes.machines import Postgres, machine, peut_demarrer
from portail.tests.departs import partir, un_acces_fini, un_jeton_perdu, une_erreur, une_erreur_d_avant
from portail.tests.navigateur import SECRET, UNE_MAIN, ce_qu_une_entree_montre, ce_que_retour_montre, lisible, signaler

pytestmark = pytest.mark.navigateur
# True where the browser no longer shows the page.
REGARDER = """(cache) => {
    Object.defineProperty(document, "hidden", { value: cache, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def ce_que_recharger_montre(page: Page, adresse: str) -> list[str]:
    """What « Retour » to each entry of the history shows, then « Recharger », with what was posted sent again."""
    cdp = page.context.new_cdp_session(page)
    vus = []
    for entree in cdp.send("Page.getNavigationHistory")["entries"]:
        if not entree["url"].startswith(adresse):
            continue
        cdp.send("Page.navigateToHistoryEntry", {"entryId": entree["id"]})
        ce_qu_une_entree_montre(page, cdp, entree["id"])  # between two pages there is none to reload
        cdp.send("Page.reload")
        page.wait_for_timeout(2 * UNE_MAIN)
        vus.append(lisible(cdp))
    return vus


@pytest.fixture
def refusee(visite):
    """A visit whose requests may be refused: what was open before is open no more."""
    visite.admise = "the server responded with a status of 4"
    return visite


@pytest.mark.parametrize("depart", [une_erreur, une_erreur_d_avant, un_jeton_perdu, un_acces_fini])
def test_recharger_ce_qui_fut_envoye_n_en_montre_rien(refusee, portail, neutre, depart):
    page = refusee.page
    depart(page)
    partir(page, neutre)

    vus = ce_que_recharger_montre(page, portail.url)

    assert vus
    assert not any(SECRET in vu for vu in vus)


@pytest.mark.parametrize("javascript", [False], ids=["sans js"], indirect=True)
def test_sans_le_cookie_du_depart_recharger_le_montrerait(refusee, portail, neutre):
    """What the tests above would see, were the departure not noted."""
    page = refusee.page
    une_erreur(page)
    partir(page, neutre)
    page.context.clear_cookies(name="parti")

    assert any(SECRET in vu for vu in ce_que_recharger_montre(page, portail.url))


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_la_page_d_un_jeton_perdu_se_quitte_au_clavier_et_se_voile(refusee, neutre):
    page = refusee.page
    un_jeton_perdu(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Quitter vite")).to_be_focused()
    assert page.locator(".tete:has(nav.sortie)").evaluate("e => getComputedStyle(e).position") == "sticky"

    page.evaluate(REGARDER, True)
    expect(page.get_by_label("Votre texte")).to_be_hidden()

    for _fois in range(3):
        page.keyboard.press("Shift")
    page.wait_for_url(f"{neutre}/**")


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_le_dessin_de_quitter_vite_quitte_comme_ses_mots(refusee, neutre):
    """By the script: the page is replaced, and « Retour » has no line of it."""
    page = refusee.page
    page.goto("/securite/")
    dessin = page.locator("#quitter .ic").bounding_box()

    page.mouse.click(dessin["x"] + dessin["width"] / 2, dessin["y"] + dessin["height"] / 2)

    page.wait_for_url(f"{neutre}/**")
    cdp = page.context.new_cdp_session(page)
    entrees = cdp.send("Page.getNavigationHistory")["entries"]
    assert [une["url"] for une in entrees if une["url"].endswith("/securite/")] == []


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_une_adresse_inconnue_se_quitte_au_clavier(refusee, neutre):
    page = refusee.page
    page.goto("/inconnue/")
    for _fois in range(3):
        page.keyboard.press("Shift")

    page.wait_for_url(f"{neutre}/**")


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_ce_qui_n_est_plus_regarde_est_voile_puis_revient(visite):
    page = visite.page
    signaler(page)
    for adresse in ("/dossiers/1/", "/recu/", "/ecrire/faits/"):
        page.goto(adresse)
        contenu = page.get_by_role("main")

        page.evaluate(REGARDER, True)
        expect(contenu, adresse).to_be_hidden()
        expect(page.get_by_role("link", name="Quitter vite").first, adresse).to_be_visible()
        page.evaluate(REGARDER, False)
        expect(contenu, adresse).to_be_visible()


def test_un_lien_d_un_autre_site_ne_met_personne_dehors(visite, portail, neutre):
    page = visite.page
    signaler(page)
    page.goto(f"{neutre}/?vers={portail.url}/quitter/")
    page.get_by_role("link", name="Y aller").click()
    page.wait_for_url(f"{neutre}/**")
    page.goto("/dossiers/1/")

    expect(page.get_by_text(SECRET)).to_be_visible()


def test_partir_n_oublie_que_nos_cookies(visite, portail, neutre):
    """Somebody thrown out of their mail would see that something has happened."""
    page = visite.page
    autres = [
        {"name": "messagerie", "value": "ouverte", "url": neutre},
        {"name": "ent", "value": "ouvert", "domain": "127.0.0.1", "path": "/"},
    ]
    page.context.add_cookies(autres)
    signaler(page)
    partir(page, neutre)

    noms = {cookie["name"] for cookie in page.context.cookies()}
    assert {"messagerie", "ent"} <= noms
    assert not noms & {"espace", "brouillon", "csrftoken"}


@pytest.fixture
def sur_postgresql(tmp_path, neutre):
    """A portal on a PostgreSQL of its own, and what stops it."""
    if not peut_demarrer():
        pytest.skip("demande les programmes de PostgreSQL")
    with machine(Postgres) as base:
        reglages = {**SECRETS, "DATABASE_URL": base.adresse, "PORTAIL_SORTIE_URL": neutre}
        serveur = Serveur(tmp_path, **reglages)
        serveur.regler(PUBLIC_URL=serveur.url)
        try:
            serveur.demarrer()
            yield serveur, base
        finally:
            base.degeler()
            serveur.tuer()


def test_on_part_sans_la_base(avec_retour, sur_postgresql, neutre):
    """Frozen, then killed; with and without JavaScript."""
    serveur, base = sur_postgresql
    for panne in (base.geler, base.tuer):
        pages = [
            avec_retour.new_context(base_url=serveur.url, locale="fr-FR", java_script_enabled=javascript).new_page()
            for javascript in (True, False)
        ]
        for page in pages:
            signaler(page)
            page.goto("/dossiers/1/")
            expect(page.get_by_text(SECRET)).to_be_visible()
        panne()

        for page in pages:
            debut = time.monotonic()
            partir(page, neutre)

            assert time.monotonic() - debut < 3
            assert not {cookie["name"] for cookie in page.context.cookies()} & {"espace", "brouillon", "csrftoken"}
            assert not any(SECRET in vu for vu in ce_que_retour_montre(page, serveur.url)[:2])
            page.context.close()
        base.degeler()
