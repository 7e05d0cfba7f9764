"""Live events while a process freezes, and while the database admits no more connections."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress

import psycopg
import pytest

from config.tests.outils.serveur import Api, Prise, Serveur, attendre
from config.tests.pannes.conftest import Demarrer
from config.tests.pannes.machines import Postgres
from demo.textes import GESTIONNAIRE, MOT_DE_PASSE

pytestmark = pytest.mark.parcours
SIGNALEMENT = {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"}


def gestionnaire(serveur: Serveur) -> Api:
    ouverte = serveur.client()("POST", "/auth/login", {"email": GESTIONNAIRE.email, "motDePasse": MOT_DE_PASSE})
    return serveur.client(jeton=ouverte["token"])


def invite(serveur: Serveur) -> Api:
    session = serveur.client()("POST", "/guest/sessions", {"telephone": "+33639980099"}, statut=201)
    return serveur.client(guest_id=session["guestId"])


def entendre(prise: Prise, signalement: str) -> None:
    """Wait for the creation of this report, among others."""
    while prise.attendre("signalement_created")["payload"]["id"] != signalement:
        pass


def test_un_processus_gele_n_arrete_les_evenements_de_personne(demarrer: Demarrer):
    un, autre = demarrer(), demarrer()
    prise = autre.ecouter("signalements", token=gestionnaire(autre).jeton)
    prise.attendre("connected")
    la, ici = invite(un), invite(autre)

    with ThreadPoolExecutor(6) as clients:
        for _fois in range(5):
            ecritures = [clients.submit(_ecrire_sans_attendre, la) for _n in range(6)]
            time.sleep(0.15)  # it freezes in the middle of them
            un.geler()
            try:
                entendre(prise, ici("POST", "/signalements/", SIGNALEMENT, statut=201)["id"])
            finally:
                un.degeler()
            for ecriture in ecritures:
                ecriture.result()


def _ecrire_sans_attendre(client: Api) -> None:
    client("POST", "/signalements/", SIGNALEMENT, statut=201)


def test_sans_connexion_de_reste_les_evenements_arrivent_encore(demarrer: Demarrer, postgres: Postgres):
    serveur = demarrer()
    equipe, la = gestionnaire(serveur), invite(serveur)
    with ThreadPoolExecutor(8) as clients, ExitStack() as pile:
        list(clients.map(lambda _n: la("GET", "/guest/suivi"), range(40)))  # the threads of HTTP have theirs
        _prendre_le_reste(pile, postgres)
        prise = serveur.ecouter("signalements", token=equipe.jeton)
        prise.attendre("connected")

        entendre(prise, la("POST", "/signalements/", SIGNALEMENT, statut=201)["id"])


def _prendre_le_reste(pile: ExitStack, postgres: Postgres) -> None:
    """Every connection that the server still has to give."""
    with suppress(psycopg.OperationalError):
        while True:
            pile.enter_context(psycopg.connect(postgres.adresse, connect_timeout=3))


def test_trop_peu_de_connexions_se_dit_au_demarrage(demarrer: Demarrer, postgres: Postgres):
    postgres.executer("ALTER SYSTEM SET max_connections = 20")
    postgres.arreter()
    postgres.demarrer()

    serveurs = [demarrer() for _rang in range(2)]

    attendre(lambda: "augmentez max_connections" in serveurs[1].journal.read_text(), "l'avertissement")
