"""The drill: a backup of a large base is put back elsewhere, whole, and can be served."""

import shutil
import time

import psycopg
import pytest

from config.tests.outils.serveur import Serveur, base_neuve
from config.tests.pannes.conftest import REGLAGES
from config.tests.pannes.machines import Postgres, RedisPropre

pytestmark = pytest.mark.preuve
NOMBRES = """
SELECT (SELECT count(*) FROM signalements_signalement), (SELECT count(*) FROM discussions_message),
       (SELECT count(*) FROM signalements_entreetimeline), (SELECT count(*) FROM resources_fichier),
       (SELECT md5(string_agg(id::text || titre || statut, '' ORDER BY id)) FROM signalements_signalement),
       (SELECT md5(string_agg(id::text || contenu, '' ORDER BY id)) FROM discussions_message)
"""


@pytest.fixture
def bases(postgres: Postgres, redis_propre: RedisPropre) -> dict[str, str]:
    return {**REGLAGES, "DATABASE_URL": postgres.adresse, "REDIS_URL": redis_propre.adresse}


def test_une_grande_sauvegarde_revient_entiere(pile, installation, postgres, bases, tmp_path, longue, chiffre):
    combien = 100_000 if longue else 2_000
    avant = Serveur(shutil.copytree(installation.donnees, tmp_path / "avant"), **bases)
    avant.commander("seed_demo", "--reports", str(combien), "--force", secondes=900)

    debut = time.monotonic()
    avant.commander("sauvegarde", str(tmp_path / "sauvegardes"), secondes=900)
    prise = time.monotonic() - debut
    (sauvegarde,) = (tmp_path / "sauvegardes").glob("campus-*")

    ailleurs = {**bases, "DATABASE_URL": pile.enter_context(base_neuve(postgres.adresse))}
    (tmp_path / "apres").mkdir()
    apres = Serveur(tmp_path / "apres", **ailleurs)
    debut = time.monotonic()
    apres.commander("restauration", str(sauvegarde), secondes=900)
    remise = time.monotonic() - debut

    chiffre("exercice : signalements, secondes pour sauvegarder, pour remettre", (combien, round(prise), round(remise)))
    assert _nombres(ailleurs["DATABASE_URL"]) == _nombres(postgres.adresse)
    assert _nombres(postgres.adresse)[0] >= combien
    assert "toutes justes" in apres.commander("merge_audit", "verify", secondes=300)
    apres.commander("stats_recount", "--check", secondes=300)
    apres.commander("audit", "verify", secondes=300)
    pile.callback(apres.tuer)
    apres.demarrer()


def _nombres(adresse: str) -> tuple[int | str, ...]:
    with psycopg.connect(adresse, connect_timeout=5) as connexion:
        return tuple(connexion.execute(NOMBRES.encode()).fetchone() or ())
