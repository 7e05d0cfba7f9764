"""« Mon compte » and the requests to be erased in a real browser of the team, on a desk and on a narrow screen."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from config.tests.outils.navigateur import DELAI, FENETRES, Onglet, chromium
from config.tests.outils.serveur import Serveur
from demo.textes import ADMIN, MOT_DE_PASSE
from espace.tests.test_navigateur import violations

pytestmark = pytest.mark.navigateur
URL = "/equipe/compte/"


@pytest.fixture
def equipe(partages: Callable[..., Serveur]) -> Serveur:
    return partages(THROTTLE_ENABLED="false")


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    with chromium() as ouvert:
        yield ouvert


@pytest.mark.parametrize("fenetre", ["bureau", "etroite"])
def test_demander_a_etre_efface_se_lit_ou_l_on_travaille_et_se_retire(equipe, chrome, fenetre):
    taille: Any = FENETRES[fenetre]
    contexte = chrome.new_context(base_url=equipe.url, locale="fr-FR", viewport=taille)
    contexte.set_default_timeout(DELAI)
    expect.set_options(timeout=DELAI)
    onglet = Onglet(contexte.new_page())
    page = onglet.page
    onglet.entrer(ADMIN)
    page.goto("/equipe/dossiers/")
    page.get_by_role("navigation").get_by_role("link", name="Mon compte").click()
    expect(page.get_by_role("heading", name="Mon compte", level=1)).to_be_visible()
    assert violations(onglet) == []

    page.locator("summary", has_text="Demander à être effacé·e").click()
    page.get_by_label("Votre mot de passe").fill(MOT_DE_PASSE)
    assert violations(onglet) == []
    page.get_by_role("button", name="Demander à être effacé·e").dblclick()
    expect(page.get_by_text("Votre demande est partie")).to_be_visible()
    page.goto("/equipe/membres/")
    expect(page.get_by_text("manage.py effacer --compte")).to_have_count(1)
    assert violations(onglet) == []

    page.goto(URL)
    page.get_by_role("button", name="Retirer ma demande").click()
    expect(page.get_by_text("Votre demande est retirée")).to_be_visible()
    assert onglet.fautes == []
    contexte.close()
