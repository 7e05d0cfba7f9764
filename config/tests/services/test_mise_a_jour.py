"""A service that was installed before the rooms were moved comes up to date by `migrate`, with all it held."""

import json
import lzma
import subprocess
from pathlib import Path
from typing import Any

import pytest

from config.tests.services.test_reglages import lancer

# Demonstration data, one guest with a report, and an export that waits in the queue.
ANCIENNE = Path(__file__).parents[1] / "data" / "installation-0.1.sqlite3.xz"
SECRETS = {
    "SECRET_KEY": "secret-d-avant-" + "s" * 40,
    "HASH_KEY": "hachage-d-avant-" + "h" * 40,
    "FIELD_ENCRYPTION_KEYS": "dGVzdC10ZXN0LXRlc3QtdGVzdC10ZXN0LXRlc3QtMTI=",
}
INVITE, REFERENCE = "948d384a-d4e0-45df-934c-766b92c6d86f", "SIG-2026-081STNZB"
EXPORT = "de87463a-ab7a-4957-b4c0-87ae59f40f97"
LIRE = f"""
import json, django
django.setup()
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django_tasks_db.models import DBTaskResult
from guests.models import SessionInvitee
from guests.services import session_de
from signalements.models import Signalement
from stats.models import Export

(tache,) = DBTaskResult.objects.filter(status="READY")
tache.task.func(*tache.args_kwargs["args"], **tache.args_kwargs["kwargs"])
executeur = MigrationExecutor(connection)
session = session_de("{INVITE}")
print(json.dumps({{
    "a_migrer": len(executeur.migration_plan(executeur.loader.graph.leaf_nodes())),
    "dossiers": Signalement.objects.count(),
    "references": list(Signalement.objects.filter(invite=session).values_list("reference", flat=True)),
    "telephone": session.telephone,
    "tache": tache.task_path,
    "export": Export.objects.get(pk="{EXPORT}").statut,
}}))
call_command("stats_recount", "--check")
"""


@pytest.fixture
def ancienne(tmp_path: Path) -> Path:
    (tmp_path / "campus.sqlite3").write_bytes(lzma.decompress(ANCIENNE.read_bytes()))
    return tmp_path


def executer(dossier: Path, *commande: str) -> subprocess.CompletedProcess[str]:
    fait = lancer(dossier, *commande, DJANGO_SETTINGS_MODULE="config.settings", **SECRETS)
    assert fait.returncode == 0, fait.stderr
    return fait


@pytest.mark.longue
def test_une_installation_d_avant_se_met_a_jour_et_garde_tout(ancienne):
    executer(ancienne, "manage.py", "migrate")

    lu, recompte = executer(ancienne, "-c", LIRE).stdout.splitlines()

    etat: dict[str, Any] = json.loads(lu)
    assert etat == {
        "a_migrer": 0,
        "dossiers": etat["dossiers"],
        "references": [REFERENCE],
        "telephone": "+243812345621",
        "tache": "stats.taches.ecrire_export",
        "export": "PRET",
    }
    assert etat["dossiers"] > 1
    assert recompte == "Les compteurs sont justes."
