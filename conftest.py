"""The people of the tests, their clients, and the services that browsers look at."""

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import translation

from accounts import jetons
from accounts.tests import fabriques as comptes
from calendrier.tests import fabriques as calendrier
from config.tests.outils import acteur_de, client_de, evenements_publies
from config.tests.outils.canaris import ecoute, rien_ne_s_echappe
from config.tests.outils.formes import chaque_evenement_a_sa_forme, formes_tenues
from config.tests.outils.neutre import site_neutre
from config.tests.outils.serveur import Serveur, en_marche
from guests.tests.fabriques import session_invitee
from signalements.tests import fabriques as signalements
from socle.audit import protection, registre
from socle.domaine import limites
from socle.domaine.memoire import MEMOIRES

__all__ = ["chaque_evenement_a_sa_forme", "ecoute", "formes_tenues", "rien_ne_s_echappe"]


def pytest_runtest_setup(item: pytest.Item) -> None:
    if "postgres" in item.keywords and connection.vendor != "postgresql":
        pytest.skip("demande PostgreSQL")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any):
    """Tables are emptied between tests, those of the register too; its own tests have it protected again."""
    with django_db_blocker.unblock():
        protection.lever(connection)


@pytest.fixture(autouse=True)
def _table_rase():
    cache.clear()
    limites.locaux.vider()
    jetons._acces_verifie.cache_clear()
    registre.recommencer()
    for memoire in MEMOIRES:
        memoire.vider()
    translation.activate("fr")  # a request leaves the language of its reader behind in the thread


@pytest.fixture
def etudiante(db):
    return comptes.compte(email="awa@campus.test", nom="Diop", prenom="Awa")


@pytest.fixture
def autre_etudiante(db):
    return comptes.compte(email="lea@campus.test", nom="Moreau", prenom="Léa")


@pytest.fixture
def gestionnaire(db):
    return comptes.gestionnaire(email="paul@campus.test")


@pytest.fixture
def admin(db):
    return comptes.admin(email="rose@campus.test")


@pytest.fixture
def invite(db):
    return session_invitee("+243812345621")


@pytest.fixture
def autre_invite(db):
    return session_invitee("+243898765432")


@pytest.fixture
def api():
    """api(gestionnaire).put(...): the client of an account, a guest, or None."""
    return client_de


@pytest.fixture
def personne(request: pytest.FixtureRequest):
    """personne("etudiante"): the fixture of that name, or None for "anonyme"."""
    return lambda nom: None if nom == "anonyme" else request.getfixturevalue(nom)


@pytest.fixture
def client_de_personne(personne: Any):
    return lambda nom: client_de(personne(nom))


@pytest.fixture
def signalement(etudiante):
    """An IDENTIFIE report of the student."""
    return signalements.signalement(acteur_de(etudiante))


@pytest.fixture
def signalement_invite(invite):
    """An ANONYME report of the guest."""
    return signalements.signalement(acteur_de(invite))


@pytest.fixture
def evenement(gestionnaire):
    """A workshop of the manager's, in a month, without limit."""
    return calendrier.evenement(gestionnaire)


@pytest.fixture
def participation(evenement, etudiante):
    return calendrier.participation(evenement, etudiante)


@pytest.fixture
def sans_confirmation(monkeypatch: pytest.MonkeyPatch):
    """A changed address counts at once, as where mails go to the console; these still reach `mailoutbox`."""
    monkeypatch.setattr("accounts.services.adresses.se_confirment", lambda: False)


@pytest.fixture
def evenements():
    return evenements_publies


@pytest.fixture(scope="session")
def partages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Serveur]]:
    """partages(THROTTLE_ENABLED="false"): the service of these settings, the same for all whose tests take it as it is.

    A test finds there what others have written, and says nothing of it.
    """
    with ExitStack() as pile:

        @functools.cache
        def partage(**reglages: str) -> Serveur:
            return pile.enter_context(en_marche(tmp_path_factory.mktemp("partage"), **reglages))

        yield partage


@pytest.fixture(scope="session")
def neutre() -> Iterator[str]:
    """Where leaving in a hurry leads."""
    with site_neutre() as adresse:
        yield adresse
