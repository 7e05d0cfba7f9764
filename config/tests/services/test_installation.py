"""A new base is made in one step: the same as one that took them all, and no other base is touched by it."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.installation import est_a_jour
from config.tests.outils.serveur import base_neuve
from config.tests.services.test_mise_a_jour import SECRETS
from config.tests.services.test_reglages import lancer

pytestmark = pytest.mark.longue

DEBUT = """
import json, django
from io import StringIO
from unittest.mock import patch
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from config import installation

def migrer(*quoi, **options):
    dit = StringIO()
    call_command("migrate", *quoi, stdout=dit, no_color=True, **options)
    return dit.getvalue()

def tables():
    return sorted(connection.introspection.table_names())
"""
LIRE = r"""
import re
REQUETES = {
    "sqlite": ["SELECT type || ' ' || name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"],
    "postgresql": [
        "SELECT 'colonne ' || table_name || '.' || column_name, concat_ws(' ', data_type, character_maximum_length,"
        " is_nullable, column_default, identity_generation) FROM information_schema.columns"
        " WHERE table_schema = 'public'",
        "SELECT 'index ' || indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT 'contrainte ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) || convalidated"
        " FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
        "SELECT 'sequence ' || sequencename, concat_ws(' ', data_type, start_value) FROM pg_sequences",
        "SELECT 'extension ' || extname, '' FROM pg_extension",
    ],
}
lu = {"migrations": sorted(map(list, MigrationRecorder(connection).applied_migrations()))}
with connection.cursor() as curseur:
    for requete in REQUETES[connection.vendor]:
        curseur.execute(requete)
        lu |= dict(curseur.fetchall())
    for table in tables():
        curseur.execute(f'SELECT count(*) FROM "{table}"')
        lu[f"lignes de {table}"] = curseur.fetchone()[0]
    curseur.execute("SELECT * FROM realtime_compteurevenements")
    lu["compteur"] = curseur.fetchall()
"""
PAS_A_PAS = f"""{DEBUT}
migrer("signalements", "0005_pieces_jointes")
au_milieu = len(MigrationRecorder(connection).applied_migrations())
migrer()
{LIRE}
encore, au_besoin = migrer(), migrer(if_needed=True)
apres = sorted(map(list, MigrationRecorder(connection).applied_migrations()))
print(json.dumps([au_milieu, encore, au_besoin, apres, lu]))
"""
EN_UNE_FOIS = f"""{DEBUT}
dit = migrer()
{LIRE}
print(json.dumps([dit, lu]))
"""
COUPEE = f"""{DEBUT}
ecrire = MigrationRecorder.record_applied

def couper(registre, app, nom):
    ecrire(registre, app, nom)
    if app == "stats":
        raise KeyboardInterrupt

with patch.object(MigrationRecorder, "record_applied", couper):
    try:
        migrer()
    except KeyboardInterrupt:
        coupee = tables(), len(MigrationRecorder(connection).applied_migrations())
print(json.dumps([coupee, migrer(), installation.est_a_jour(connection)]))
"""
PAS_NEUVE = f"""{DEBUT}
with patch.object(installation, "CONNUES", installation.CONNUES[:3]):
    inconnue = installation.installer(connection), tables()
deux = {{"stats": {{"0002_une", "0002_autre"}}}}
with patch.object(installation.MigrationLoader, "detect_conflicts", lambda chargees: deux):
    en_conflit = installation.installer(connection), tables()
with connection.cursor() as curseur:
    curseur.execute("CREATE TABLE stats_export (id integer)")
occupee = installation.installer(connection), tables()
print(json.dumps([inconnue, en_conflit, occupee]))
"""


@pytest.fixture
def executer(tmp_path: Path) -> Iterator[Any]:
    """What a script prints, last, about a base of its own: SQLite, or PostgreSQL where the suite has one."""
    with ExitStack() as pile:

        def faire(script: str) -> Any:
            dossier = tmp_path / str(len(list(tmp_path.iterdir())))
            reglages = {"DJANGO_SETTINGS_MODULE": "config.settings", **SECRETS}
            if serveur := os.environ.get("TEST_DATABASE_URL"):
                adresse = pile.enter_context(base_neuve(serveur))
                reglages |= {"DATABASE_URL": adresse, "PUBLIC_URL": "http://campus.example"}
            fait = lancer(dossier, "-c", script, au_plus=300, **reglages)  # every migration, one by one
            assert fait.returncode == 0, fait.stderr
            return json.loads(fait.stdout.splitlines()[-1])

        yield faire


def sans_ordre(lu: dict[str, Any]) -> dict[str, Any]:
    """Columns in any order: a SQLite table that was made again has some of them at its end."""
    return {
        nom: sorted(re.split(r", (?=\"|CONSTRAINT)(?![^()]*\))", valeur[:-1].partition(" (")[2]))
        if nom.startswith("table ")
        else valeur
        for nom, valeur in lu.items()
    }


def test_une_base_neuve_vaut_une_base_du_milieu_qui_s_est_mise_a_jour(executer):
    au_milieu, encore, au_besoin, apres, migree = executer(PAS_A_PAS)
    dit, neuve = executer(EN_UNE_FOIS)

    assert sans_ordre(neuve) == sans_ordre(migree)
    nombre = len(neuve["migrations"])
    assert f"Base neuve : {nombre} migrations en une fois." in dit
    assert 0 < au_milieu < nombre
    # At the last state nothing runs, whichever way it was reached.
    assert "No migrations to apply." in encore
    assert au_besoin == ""
    assert apres == migree["migrations"]


def test_une_installation_coupee_laisse_une_base_neuve(executer):
    (tables, appliquees), dit, est_complete = executer(COUPEE)

    assert (tables, appliquees) == (["django_migrations"], 0)
    assert "Base neuve" in dit
    assert est_complete


def test_une_base_qui_n_est_pas_neuve_prend_le_chemin_ordinaire(executer):
    """Where an operation is of an unknown kind, where two migrations are last, where a table is there already."""
    inconnue, en_conflit, occupee = executer(PAS_NEUVE)

    assert (inconnue, en_conflit, occupee) == ([0, []], [0, []], [0, ["stats_export"]])


@pytest.mark.django_db
def test_une_base_est_a_jour_quand_aucune_migration_ne_manque():
    assert est_a_jour(connection)

    MigrationRecorder(connection).migration_qs.filter(app="django_tasks_database").order_by("id").first().delete()

    assert not est_a_jour(connection)
