import os
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from demo.bench import bases
from demo.management.commands import bench

BASE = os.environ.get("TEST_DATABASE_URL", "")
MESURES = ("merges", "discussion", "readings")  # those that start no server


def lancer(*options: str) -> str:
    sortie = StringIO()
    call_command("bench", "--quick", "--only", *MESURES, "--writers", "2", "--reports", *options, stdout=sortie)
    return sortie.getvalue()


@pytest.fixture
def figures(monkeypatch):
    """figures(...): what the measures would answer, without measuring."""
    return lambda *mesures: monkeypatch.setattr(bench, "_figures", lambda url, demande: iter(mesures))


def fusion(messages: int, requetes: int) -> dict:
    return {"quoi": "fusion", "conflit": True, "messages": messages, "requetes": requetes, "secondes": 0.05}


def test_une_mesure_donne_chaque_figure_et_ne_laisse_rien(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    siennes = f"{bases.PREFIXE}{uuid4().hex[:8]}_"  # another test may measure at the same moment
    monkeypatch.setattr(bases, "PREFIXE", siennes)

    affiche = lancer(*(["40", "80", "--teams", "2", "--postgres", BASE] if BASE else []), "--messages", "1", "10")

    for titre in ("SQLite", *(["PostgreSQL"] if BASE else [])):
        assert titre in affiche
    lignes = re.findall(r"^(sans|avec) conflit +(\d+) +(\d+) +[\d.]+ +[\d.]+$", affiche, re.MULTILINE)
    assert [(conflit, n) for conflit, n, _requetes in lignes[-4:]] == [
        ("sans", "1"),
        ("sans", "10"),
        ("avec", "1"),
        ("avec", "10"),
    ]
    assert re.search(r"Une discussion, 2 fils : [1-9]\d* messages par seconde", affiche)
    if BASE:
        lectures = re.findall(r"^tableau de bord · (\d) éq. +\d+ +[\d.]+ +[\d.]+ +[\d.]+$", affiche, re.MULTILINE)
        assert lectures == ["1", "2"]
        assert [int(n) >= 40 for n in re.findall(r"Export de (\d+) : \d+ lignes par seconde", affiche)] == [True, True]
    assert list(tmp_path.iterdir()) == []
    assert bases_restantes(siennes) == []
    assert "campus.acces" not in capfd.readouterr().err  # a bare view writes no line of log either


def bases_restantes(prefixe: str) -> list[str]:
    if not BASE:
        return []
    with psycopg.connect(BASE) as connexion:
        noms = connexion.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{prefixe}%"])
        return [nom for (nom,) in noms]


def test_sans_postgresql_on_le_dit_et_on_continue(figures):
    figures({"quoi": "temoin", "secondes": 0.001})

    affiche = lancer("--postgres", "postgres://personne@127.0.0.1:1/rien")

    assert "PostgreSQL ne répond pas" in affiche
    assert "SQLite" in affiche


def test_une_base_ou_rien_ne_se_mesure_dit_ou_le_faire(figures):
    figures()

    assert "--postgres URL" in lancer()


def test_une_mesure_ne_se_dit_pas_vide(figures):
    figures(lecture(10, 9, 0.01))

    assert "Rien ne se mesure" not in lancer()


def test_une_fusion_ne_coute_pas_plus_de_requetes_pour_plus_de_messages(figures):
    figures({"quoi": "temoin", "secondes": 0.001}, fusion(1, 43), fusion(10, 61))

    with pytest.raises(CommandError, match=r"avec conflit : \[43, 61\] requêtes"):
        lancer()


def lecture(signalements: int, requetes: int, secondes: float, *, qui: str = "", vide: bool = False) -> dict:
    nom = "tableau de bord"
    return {
        "quoi": "lecture",
        "lecture": nom,
        "nom": nom + qui,
        "signalements": signalements,
        "requetes": requetes,
        "secondes": secondes,
        "vide": vide,
    }


def test_une_lecture_ne_coute_pas_plus_de_requetes_pour_plus_de_signalements(figures):
    figures(lecture(10, 9, 0.01), lecture(1000, 11, 0.01))

    with pytest.raises(CommandError, match=r"tableau de bord : \[9, 11\] requêtes"):
        lancer()


def test_une_lecture_ne_coute_pas_plus_de_requetes_a_qui_est_de_plus_d_equipes(figures):
    figures(lecture(10, 9, 0.01, qui=" · 1 éq."), lecture(10, 10, 0.01, qui=" · 20 éq."))

    with pytest.raises(CommandError, match=r"tableau de bord : \[9, 10\] requêtes"):
        lancer()


def test_une_page_sans_ligne_ne_compte_pas_parmi_les_requetes(figures):
    figures(lecture(10, 2, 0.01, vide=True), lecture(100, 3, 0.01), lecture(1000, 3, 0.01))

    assert "tableau de bord" in lancer()


def test_le_tableau_dit_chaque_taille_et_la_croissance(figures):
    figures(lecture(10, 9, 0.01), lecture(1000, 9, 0.025))

    affiche = lancer()

    assert re.search(r"^millisecondes +requêtes +10 +1000 +croissance$", affiche, re.MULTILINE)
    assert re.search(r"^tableau de bord +9 +10\.0 +25\.0 +2\.5$", affiche, re.MULTILINE)


def test_le_rapport_est_celui_au_temoin(figures):
    figures({"quoi": "temoin", "secondes": 0.001}, fusion(1, 43))

    assert re.search(r"^avec conflit +1 +43 +0\.0500 +50\.0$", lancer(), re.MULTILINE)


def test_les_mesures_refusent_une_base_qui_n_est_pas_la_leur(tmp_path):
    """Whatever the environment says, an operator's data is never written to."""
    base = tmp_path / "campus.sqlite3"
    environnement = {
        "DJANGO_SETTINGS_MODULE": "demo.bench.reglages",
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{base}",
    }

    fini = subprocess.run(
        [sys.executable, "-m", "demo.bench", "--messages", "1", "--writers", "1"],
        cwd=Path(settings.BASE_DIR),
        env=environnement,
        capture_output=True,
        text=True,
    )

    assert fini.returncode == 1
    assert "manage.py bench" in fini.stderr
    assert base.stat().st_size == 0  # made for its owner alone, and nothing in it
