"""The browser of the browser tests, and the service that it looks at."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from config.tests.outils.navigateur import Onglet, chromium, visiter
from config.tests.outils.serveur import Serveur, en_marche


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serveur]:
    """What `make run` starts, with its demonstration."""
    with en_marche(tmp_path_factory.mktemp("navigateur")) as serveur:
        yield serveur


@pytest.fixture(scope="module")
def navigateur() -> Iterator[Browser]:
    with chromium() as ouvert:
        yield ouvert


@pytest.fixture
def fenetre() -> str:
    return "bureau"


@pytest.fixture
def onglet(service: Serveur, navigateur: Browser, fenetre: str) -> Iterator[Onglet]:
    with visiter(navigateur, service.url, fenetre, permises=("blob:",)) as onglet:
        yield onglet
