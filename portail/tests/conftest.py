from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser

from config.tests.outils.navigateur import Onglet, chromium, visiter
from config.tests.outils.serveur import Serveur
from portail.pages import sortie
from portail.tests.navigateur import EXCEPTION
from portail.tests.outils import Visiteuse


@pytest.fixture
def visiteuse():
    """Somebody with a browser, who has nothing here yet."""
    return Visiteuse()


@pytest.fixture
def autre_visiteuse():
    return Visiteuse()


@pytest.fixture
def numero_exige(settings):
    """A phone number is asked of whoever writes for the first time."""
    settings.PORTAIL_TELEPHONE_EXIGE = True


@pytest.fixture(autouse=True)
def _sans_fil(monkeypatch):
    """What a thread of its own does beside the answer is done before it: a test has one connection."""
    monkeypatch.setattr(sortie, "terminer_a_part", sortie.finir)


# --- In a real browser ----------------------------------------------------------------------------------------------


@pytest.fixture
def portail(partages: Callable[..., Serveur], neutre: str) -> Serveur:
    return partages(PORTAIL_SORTIE_URL=neutre, THROTTLE_ENABLED="false")


@pytest.fixture
def exigeant(partages: Callable[..., Serveur], neutre: str) -> Serveur:
    """A service that asks for a phone number."""
    reglages = {"PORTAIL_TELEPHONE_EXIGE": "true", "TIME_ZONE_CAMPUS": "Europe/Paris", "THROTTLE_ENABLED": "false"}
    return partages(PORTAIL_SORTIE_URL=neutre, **reglages)


@pytest.fixture(scope="module")
def avec_retour() -> Iterator[Browser]:
    """A browser that keeps pages for « Retour »."""
    with chromium(ignore_default_args=["--disable-back-forward-cache"]) as ouvert:
        yield ouvert


@pytest.fixture
def fenetre() -> str:
    return "bureau"


@pytest.fixture(params=[True, False], ids=["js", "sans js"])
def javascript(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def visite(portail: Serveur, avec_retour: Browser, javascript: bool, fenetre: str) -> Iterator[Onglet]:
    with _visiter(portail, avec_retour, javascript, fenetre) as onglet:
        yield onglet


@pytest.fixture
def visite_exigeante(exigeant: Serveur, avec_retour: Browser, fenetre: str) -> Iterator[Onglet]:
    with _visiter(exigeant, avec_retour, True, fenetre) as onglet:
        yield onglet


@contextmanager
def _visiter(service: Serveur, navigateur: Browser, javascript: bool, fenetre: str) -> Iterator[Onglet]:
    sortie_permise = ("http://localhost:",)
    with visiter(navigateur, service.url, fenetre, javascript=javascript, permises=sortie_permise) as onglet:
        onglet.admise = EXCEPTION
        yield onglet
