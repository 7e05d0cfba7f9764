"""The browser of the browser tests, and the service that it looks at."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, expect

from config.tests.navigateur import DELAI, FENETRES, Onglet, chromium
from config.tests.serveur import Serveur


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serveur]:
    """What `make run` starts, with its demonstration."""
    serveur = Serveur(tmp_path_factory.mktemp("navigateur"))
    try:
        serveur.demarrer()
        yield serveur
    finally:
        serveur.tuer()


@pytest.fixture(scope="module")
def navigateur() -> Iterator[Browser]:
    with chromium() as ouvert:
        yield ouvert


@pytest.fixture
def fenetre() -> str:
    return "bureau"


@pytest.fixture
def onglet(service: Serveur, navigateur: Browser, fenetre: str) -> Iterator[Onglet]:
    taille: Any = FENETRES[fenetre]
    contexte = navigateur.new_context(base_url=service.url, locale="fr-FR", viewport=taille)
    contexte.set_default_timeout(DELAI)
    expect.set_options(timeout=DELAI)
    onglet = Onglet(contexte.new_page())
    yield onglet
    contexte.close()
    assert onglet.plaintes == []


@pytest.fixture
def brut():
    """A client without credentials that checks nothing by itself."""
    return Client(raise_request_exception=False)
