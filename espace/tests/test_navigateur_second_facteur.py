"""The second factor in a real browser: enrolled, then asked for, with and without JavaScript, on a phone too."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from accounts.tests.outils import Application
from config.tests.outils.navigateur import DELAI, FENETRES, Onglet, chromium
from config.tests.outils.serveur import Serveur, en_marche
from demo.textes import ADMIN, AUTRE_GESTIONNAIRE
from espace.tests.test_navigateur import violations

pytestmark = pytest.mark.navigateur
EXCEPTION = "status of 4"  # what the console says of a form that is asked again


@pytest.fixture(scope="module")
def equipe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serveur]:
    with en_marche(tmp_path_factory.mktemp("facteur"), THROTTLE_ENABLED="false", STAFF_OTP_REQUIRED="true") as serveur:
        yield serveur


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    with chromium() as ouvert:
        yield ouvert


@pytest.mark.parametrize(
    ("javascript", "fenetre", "personne"), [(True, "bureau", AUTRE_GESTIONNAIRE), (False, "etroite", ADMIN)]
)
def test_s_enroler_sortir_et_revenir_avec_un_code(equipe, chrome, javascript, fenetre, personne):
    taille: Any = FENETRES[fenetre]
    contexte = chrome.new_context(base_url=equipe.url, locale="fr-FR", viewport=taille, java_script_enabled=javascript)
    contexte.set_default_timeout(DELAI)
    expect.set_options(timeout=DELAI)
    onglet = Onglet(contexte.new_page())
    onglet.admise = EXCEPTION
    page = onglet.page

    onglet.entrer(personne)
    expect(page.get_by_role("heading", name="Connexion en deux étapes", level=1)).to_be_visible()
    assert _sans_faute(onglet, javascript)
    page.get_by_role("button", name="Commencer").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    assert _sans_faute(onglet, javascript)
    application = Application(page.locator(".secret").inner_text())
    page.get_by_label("Les six chiffres").fill(application.faux())
    page.get_by_role("button", name="Activer").click()
    expect(page.get_by_role("alert")).to_contain_text("Ce code n’est pas le bon")
    assert _sans_faute(onglet, javascript)
    page.get_by_label("Les six chiffres").fill(application.code())
    page.get_by_role("button", name="Activer").click()
    expect(page.locator(".secours li")).to_have_count(10)
    secours = page.locator(".secours code").first.inner_text()
    assert _sans_faute(onglet, javascript)
    page.get_by_role("link", name="J’ai noté mes codes : entrer").click()
    expect(page.get_by_role("heading", name="Dossiers", level=1)).to_be_visible()

    page.get_by_role("button", name="Se déconnecter").click()
    onglet.entrer(personne)
    expect(page.get_by_role("heading", name="Votre code")).to_be_visible()
    assert _sans_faute(onglet, javascript)
    page.get_by_label("Code", exact=True).fill(secours)
    page.get_by_role("button", name="Se connecter").click()
    page.goto("/equipe/second-facteur/")
    expect(page.get_by_text("Il vous reste 9 codes de secours.")).to_be_visible()
    assert _sans_faute(onglet, javascript)

    contexte.close()
    assert onglet.plaintes == []


def _sans_faute(onglet: Onglet, javascript: bool) -> bool:
    if javascript:  # axe never answers in a page that runs none
        assert violations(onglet) == []
    assert onglet.fautes == []
    return not onglet.deborde
