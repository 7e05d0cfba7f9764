"""Starting on a base that is away, and several starts at once on an empty one."""

import fcntl
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.tests.outils.serveur import Serveur, attendre, port_libre
from config.tests.pannes.conftest import REGLAGES
from config.tests.pannes.machines import gelee
from config.tests.pannes.sourds import en_demarrage, muet, serveur_sourd
from demo.textes import PERSONNES, RECITS
from socle.taches import exclusivite

pytestmark = pytest.mark.parcours
LONGTEMPS = 120.0  # four processes share two cores


@pytest.fixture
def processus(tmp_path: Path) -> Iterator[Callable[..., Serveur]]:
    """processus("migrate", NOM="valeur"): a command that runs, ended with the test."""
    lances = []

    def faire(*commande: str, **reglages: str) -> Serveur:
        serveur = Serveur(tmp_path, **{**REGLAGES, **reglages})
        lances.append(serveur)
        serveur.lancer(*commande)
        return serveur

    yield faire
    for serveur in lances:
        serveur.tuer()


# --- Without a base ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "commande"),
    [
        (None, "serve"),
        (None, "db_worker"),
        (None, "migrate"),
        (muet, "serve --no-migrate"),
        (muet, "migrate"),
        (en_demarrage, "migrate"),
    ],
)
def test_une_base_absente_est_dite_attendue_puis_abandonnee_en_une_ligne(processus, base, commande):
    """Nothing listens, or something that never answers, or a server that recovers."""
    with serveur_sourd(base) if base else nullcontext(port_libre()) as port:
        debut = time.monotonic()
        adresse = f"postgres://campus:secret-de-base@127.0.0.1:{port}/campus"
        ailleurs = {"REDIS_URL": f"redis://127.0.0.1:{port_libre()}/0"}
        lance = processus(*commande.split(), DATABASE_URL=adresse, DATABASE_WAIT_SECONDS="5", **ailleurs)

        code = lance.attendre_la_fin(30)

    *avant, derniere = lance.journal.read_text().splitlines()
    assert (code, derniere[:13]) == (1, "CommandError:")
    assert [ligne["level"] for ligne in lance.lignes("campus.base")] == ["WARNING", "ERROR"]
    assert all(ligne.startswith("{") for ligne in avant)
    assert "secret-de-base" not in lance.journal.read_text()
    assert time.monotonic() - debut >= 5


def test_zero_seconde_n_attend_pas(processus):
    adresse = f"postgres://campus@127.0.0.1:{port_libre()}/campus"
    lance = processus("migrate", DATABASE_URL=adresse, DATABASE_WAIT_SECONDS="0")

    assert lance.attendre_la_fin(30) == 1
    assert [ligne["level"] for ligne in lance.lignes("campus.base")] == ["ERROR"]


@pytest.mark.parametrize("commande", ["serve", "db_worker"])
def test_sigterm_arrete_aussi_ce_qui_attend_la_base(processus, commande):
    lance = processus(commande, DATABASE_URL=f"postgres://campus@127.0.0.1:{port_libre()}/campus")
    attendre(lambda: lance.lignes("campus.base"), "l'attente est dite", 20)

    lance.terminer()  # in less than the 30 s that it would wait


def test_une_base_qui_revient_a_temps_est_servie(processus, postgres):
    with gelee(postgres):
        lance = processus("serve", DATABASE_URL=postgres.adresse, DATABASE_WAIT_SECONDS="60")
        attendre(lambda: lance.lignes("campus.base"), "l'attente est dite", 20)

    attendre(lance._repond, "le service répond", LONGTEMPS)
    assert [ligne["level"] for ligne in lance.lignes("campus.base")] == ["WARNING"]


# --- Several at once --------------------------------------------------------------------------------------------------


def quatre_a_la_fois(
    processus: Callable[..., Serveur], verrou: AbstractContextManager[Any], **reglages: str
) -> list[Serveur]:
    """Two that serve and two that migrate, freed once each has met the lock that the test holds; all went well."""
    with verrou:
        serveurs = [processus("serve", **reglages) for _rang in range(2)]
        migrations = [processus("migrate", **reglages) for _rang in range(2)]
        lances = [*serveurs, *migrations]
        attendre(lambda: all(attend_son_tour(lance) for lance in lances), "chacun attend son tour", LONGTEMPS)
    with ThreadPoolExecutor(4) as fils:
        fins = [fils.submit(migration.attendre_la_fin, LONGTEMPS) for migration in migrations]
        prets = [fils.submit(attendre, serveur._repond, "le service répond", LONGTEMPS) for serveur in serveurs]
        assert [fin.result() for fin in fins] == [0, 0], [m.journal.read_text() for m in migrations]
        assert all(pret.result() for pret in prets)
    return lances


def attend_son_tour(lance: Serveur) -> bool:
    return any("migrate" in ligne["message"] for ligne in lance.lignes("campus.base"))


def verifier(lances: list[Serveur], comptes: int, dossiers: int) -> None:
    assert (comptes, dossiers) == (len(PERSONNES), len(RECITS))
    assert [lance.journal.read_text() for lance in lances if "Traceback" in lance.journal.read_text()] == []


def test_quatre_processus_migrent_a_la_fois_une_base_postgresql(processus, postgres_vide):
    with psycopg.connect(postgres_vide.adresse, autocommit=True) as base:
        lances = quatre_a_la_fois(processus, tenu_en_base(base), DATABASE_URL=postgres_vide.adresse)

        comptes, dossiers = (
            base.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 -- our own names
            for table in ("accounts_compte", "signalements_signalement")
        )
    verifier(lances, comptes, dossiers)


@contextmanager
def tenu_en_base(base: psycopg.Connection[Any]) -> Iterator[None]:
    cle = (exclusivite._ESPACE, zlib.crc32(b"migrate") & 0x7FFFFFFF)
    base.execute("SELECT pg_advisory_lock(%s, %s)", cle)
    yield
    base.execute("SELECT pg_advisory_unlock(%s, %s)", cle)


def test_quatre_processus_migrent_a_la_fois_une_base_sqlite(processus, tmp_path):
    with (tmp_path / "campus.sqlite3.migrate.verrou").open("w") as fichier:  # closing it frees the lock
        fcntl.flock(fichier, fcntl.LOCK_EX)
        lances = quatre_a_la_fois(processus, fichier)

    with closing(sqlite3.connect(tmp_path / "campus.sqlite3")) as base:
        comptes, dossiers = (
            base.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 -- our own names
            for table in ("accounts_compte", "signalements_signalement")
        )
    verifier(lances, comptes, dossiers)


def test_deux_demonstrations_a_la_fois_n_en_font_qu_une(processus, tmp_path):
    assert processus("migrate").attendre_la_fin(LONGTEMPS) == 0

    semees = [processus("seed_demo") for _rang in range(2)]

    assert [semee.attendre_la_fin(LONGTEMPS) for semee in semees] == [0, 0]
    with closing(sqlite3.connect(tmp_path / "campus.sqlite3")) as base:
        assert base.execute("SELECT count(*) FROM signalements_signalement").fetchone() == (len(RECITS),)
