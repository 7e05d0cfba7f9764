"""The lists of the repository are complete: an app that one of them forgot would be checked by nobody, in silence."""

import configparser
import json
import os
import re
import subprocess
import threading
import tomllib
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import grimp
import pytest
import yaml
from django.apps import apps
from django.conf import settings

RACINE = Path(settings.BASE_DIR)
# The packages of this repository that are apps, or hold some.
PIECES = {
    piece
    for piece in (app.name.partition(".")[0] for app in apps.get_app_configs())
    if (RACINE / piece / "__init__.py").exists()
}
NOM_SIMPLEJWT = "rest_framework" + "_simplejwt"
HORS_DES_APPLICATIONS = {"config", "demo"}  # the roof, and what stands on it: they have other files


@pytest.fixture(scope="module")
def projet() -> dict[str, Any]:
    return tomllib.loads((RACINE / "pyproject.toml").read_text(encoding="utf-8"))["tool"]


@pytest.fixture(scope="module")
def pytest_ini() -> Any:
    lu = configparser.ConfigParser()
    lu.read(RACINE / "pytest.ini", encoding="utf-8")
    return lu["pytest"]


@pytest.fixture(scope="module")
def couches(projet) -> list[dict[str, Any]]:
    return [contrat for contrat in projet["importlinter"]["contracts"] if contrat["type"] == "layers"]


def test_chaque_application_est_dans_une_couche(projet, couches):
    entre_applications = [mots(contrat["layers"]) for contrat in couches if "containers" not in contrat]

    assert set(projet["importlinter"]["root_packages"]) == PIECES
    assert PIECES in entre_applications


def test_deux_modules_ne_s_importent_pas_l_un_l_autre():
    graphe = grimp.build_graph(*sorted(PIECES), cache_dir=None)  # imports inside functions, and for types alone, too
    modules = [nom for nom in sorted(graphe.modules) if ".tests" not in nom]
    importes = {nom: graphe.find_modules_directly_imported_by(nom) for nom in modules}

    mutuels = [(un, autre) for un in modules for autre in modules if un < autre and autre in importes[un]]
    # A manager names the model that it makes, for the type checker alone.
    assert [paire for paire in mutuels if paire[0] in importes[paire[1]]] == [("accounts.models", "accounts.querysets")]


def test_les_fichiers_de_chaque_application_ont_leurs_couches(couches):
    au_dedans = {nom for contrat in couches for nom in contrat.get("containers", ())}

    assert {nom.partition(".")[0] for nom in au_dedans} >= PIECES - HORS_DES_APPLICATIONS


def test_les_tests_de_chaque_application_sont_lances(pytest_ini):
    assert set(pytest_ini["testpaths"].split()) == PIECES
    assert [ligne for ligne in pytest_ini["filterwarnings"].split() if mots([ligne]) & PIECES < PIECES] == []


def mots(lignes: list[str]) -> set[str]:
    return {mot for ligne in lignes for mot in re.findall(r"\w+", ligne)}


# --- Checks that others run -------------------------------------------------------------------------------------------


def lire(chemin: str) -> Any:
    return yaml.safe_load((RACINE / chemin).read_text(encoding="utf-8"))


def test_le_flux_de_travail_fait_ce_que_fait_ci_run_et_rien_de_flottant():
    (travail,) = lire(".github/workflows/ci.yml")["jobs"].values()

    assert travail["steps"][-1]["run"] == ".ci/run"
    assert re.fullmatch(r"python:3\.\d+\.\d+-\w+", travail["container"])
    actions = [etape["uses"] for etape in travail["steps"] if "uses" in etape]
    assert [action for action in actions if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []


def test_avant_un_commit_ce_sont_les_outils_du_projet_qui_jugent():
    (depot,) = lire(".pre-commit-config.yaml")["repos"]

    assert depot["repo"] == "local"
    assert {Path(crochet["entry"].split()[0]).parent for crochet in depot["hooks"]} == {Path(".venv/bin")}


# --- What the project stands on ---------------------------------------------------------------------------------------


def auditer(url: str, outil: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "AUDIT_URL": url, "AUDIT_TOOL": outil, "no_proxy": "*"}
    return subprocess.run(  # noqa: S603 -- our own command
        [str(RACINE / ".ci" / "audit")], env=variables, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def page():
    """page("…"): the address of a server that answers this to everyone."""
    with ExitStack() as pile:

        def servir(corps: str) -> str:
            class Reponse(BaseHTTPRequestHandler):
                def do_GET(self) -> None:
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(corps.encode())

                def log_message(self, *_args: Any) -> None:
                    """Nothing on the screen."""

            serveur = pile.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Reponse))
            threading.Thread(target=serveur.serve_forever, daemon=True).start()
            pile.callback(serveur.shutdown)
            return f"http://127.0.0.1:{serveur.server_address[1]}/"

        yield servir


@pytest.mark.parametrize("corps", [None, "{}", "une page d'accueil"])
def test_un_audit_qui_ne_peut_avoir_lieu_est_dit_et_n_arrete_rien(page, corps):
    fait = auditer("http://127.0.0.1:9/" if corps is None else page(corps), "/bin/false")

    assert fait.returncode == 0
    assert "NOT AUDITED" in fait.stderr


@pytest.mark.parametrize(("outil", "reussit"), [("true", True), ("false", False)])
def test_un_audit_qui_a_lieu_decide(page, outil, reussit):
    fait = auditer(page('{"vulnerabilities": []}'), outil)

    assert (fait.returncode == 0) == reussit
    assert "NOT AUDITED" not in fait.stderr


@pytest.mark.longue
def test_la_liste_de_ce_qui_tourne_nomme_chaque_paquet_fige():
    subprocess.run(["make", "--no-print-directory", "sbom"], cwd=RACINE, check=True, capture_output=True)  # noqa: S607

    lue = json.loads((RACINE / "build" / "sbom.cdx.json").read_text(encoding="utf-8"))
    figes = re.findall(
        r"^([a-z0-9.-]+)(?:\[[^]]*\])?==([^ ]+)", (RACINE / "requirements.txt").read_text(), re.MULTILINE
    )
    assert lue["bomFormat"] == "CycloneDX"
    assert {(un["name"], un["version"]) for un in lue["components"]} == set(figes)


def test_un_seul_module_connait_simplejwt():
    """Beside the contract of the imports, which reads neither tests nor names in texts."""
    fichiers = (un for piece in PIECES for un in (RACINE / piece).rglob("*.py"))
    connaissent = {
        str(un.relative_to(RACINE)) for un in fichiers if "import" in (lu := un.read_text()) and NOM_SIMPLEJWT in lu
    }

    assert connaissent == {"accounts/jetons.py"}
