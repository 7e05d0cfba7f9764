"""What `deploy/` ships is well formed, and agrees with the service; each linter is run where it is installed."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from config.serveur.corps import JETES_OCTETS
from config.tests.services.test_caddy import AU_MOINS, programme
from config.tests.services.test_reglages import RACINE

DEPLOY = Path(RACINE) / "deploy"
UNITES = sorted((DEPLOY / "systemd").iterdir())
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
DU_SERVICE = {nom: un for nom, un in COMPOSE["services"].items() if un.get("image") == "campus"}


def lire(nom: str) -> str:
    return (DEPLOY / nom).read_text(encoding="utf-8")


def executer(*commande: str, **variables: str) -> subprocess.CompletedProcess[str]:
    if shutil.which(commande[0]) is None:
        pytest.skip(f"demande {commande[0]}")
    return subprocess.run(  # noqa: S603 -- our own command
        commande, capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **variables}
    )


# --- Containers


def test_l_image_ne_tourne_pas_en_root_et_n_installe_que_ce_qui_est_fige():
    etapes = re.split(r"^FROM ", lire("Dockerfile"), flags=re.MULTILINE)[1:]
    *_avant, derniere = etapes

    assert len(etapes) == 2
    assert all(re.match(r"python:3\.\d+\.\d+-slim-bookworm\b", etape) for etape in etapes)
    assert "--require-hashes" in etapes[0]
    assert re.search(r"^USER (\d+)", derniere, re.MULTILINE)[1] != "0"  # type: ignore[index]
    assert "/health/live" in derniere
    assert derniere.index("\nUSER ") < derniere.index("\nENTRYPOINT ")


def test_ni_secret_ni_donnee_n_entrent_dans_l_image():
    ecartes = lire("Dockerfile.dockerignore").split()

    assert {".*", "data", "var", "**/*.sqlite3*"} <= set(ecartes)


def test_les_services_de_compose_ne_demandent_que_des_reglages_qui_existent():
    connus = set(re.findall(r"^\| `([A-Z0-9_]+)` \|", (Path(RACINE) / "docs/reglages.md").read_text(), re.MULTILINE))

    assert set(DU_SERVICE) == {"migration", "service1", "service2", "ouvrier", "entretien"}
    for service in DU_SERVICE.values():
        assert set(service["environment"]) <= connus
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        commande = service.get("command", ["serve"])[0]
        assert commande.startswith("while ") or commande in get_commands()


def test_compose_ne_croit_que_son_mandataire_et_n_ouvre_que_lui():
    adresse = COMPOSE["services"]["mandataire"]["networks"]["devant"]["ipv4_address"]

    assert {un["environment"]["TRUSTED_PROXIES"] for un in DU_SERVICE.values()} == {adresse}
    assert [nom for nom, un in COMPOSE["services"].items() if "ports" in un] == ["mandataire"]
    assert COMPOSE["networks"]["dedans"]["internal"]
    images = {un["image"] for un in COMPOSE["services"].values()} - {"campus"}
    assert [une for une in images if ":" not in une or une.endswith("latest")] == []


def test_quelqu_un_veille_sur_chaque_version_que_l_on_nomme():
    veilles = yaml.safe_load((Path(RACINE) / ".github" / "dependabot.yml").read_text(encoding="utf-8"))["updates"]

    assert {(une["package-ecosystem"], une["directory"]) for une in veilles} == {
        ("uv", "/"),
        ("github-actions", "/"),
        ("docker", "/deploy"),
        ("docker-compose", "/deploy"),
    }


def test_le_modele_de_reglages_nomme_tout_ce_que_compose_exige_et_ne_donne_aucun_secret():
    lignes = dict(un.split("=", 1) for un in lire("compose.env.example").splitlines() if un and un[0] != "#")

    exiges = set(re.findall(r"\$\{(\w+):\?\}", lire("compose.yaml")))
    assert exiges <= set(lignes)
    assert {nom for nom in exiges if lignes[nom]} == {"DOMAINE", "DOMAINE_FICHIERS"}


@pytest.mark.parametrize(("age", "sauve"), [(None, True), (30, True), (24, True), (22, False)])
def test_compose_sauvegarde_chaque_jour_quelle_que_soit_l_heure(tmp_path, age, sauve):
    """An hour of the clock can fall between two rounds, and a day would have no backup."""
    copies, dit = tmp_path / "copies", tmp_path / "dit"
    copies.mkdir()
    if age is not None:
        (copies / "campus-20260101T000000Z").mkdir()
        alors = time.time() - age * 3600
        os.utime(copies / "campus-20260101T000000Z", (alors, alors))
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$@" >> {dit}\n')
    python.chmod(0o700)
    (boucle,) = COMPOSE["services"]["entretien"]["command"]
    un_tour = boucle.replace("while sleep 3600; do", "for tour in 1; do").replace("$$", "$")

    fait = executer("sh", "-c", un_tour.replace("/copies", str(copies)), PATH=f"{tmp_path}:{os.environ['PATH']}")

    assert fait.returncode == 0, fait.stderr
    faits = dit.read_text().splitlines()
    assert faits[0] == "manage.py purge"
    assert ("manage.py sauvegarde --garder 30" in faits) is sauve


def test_docker_compose_lit_le_fichier():
    if executer("docker", "compose", "version").returncode:
        pytest.skip("demande docker compose")
    variables = dict.fromkeys(re.findall(r"\$\{(\w+):\?\}", lire("compose.yaml")), "x")

    lu = executer("docker", "compose", "--file", str(DEPLOY / "compose.yaml"), "config", "--quiet", **variables)

    assert lu.returncode == 0, lu.stderr


# --- Units of systemd


@pytest.mark.parametrize("unite", UNITES, ids=lambda un: un.name)
def test_systemd_ne_reproche_rien_a_l_unite(unite, tmp_path):
    """An instance with a program that exists here: its other words are those that ship."""
    for une in UNITES:
        texte = une.read_text(encoding="utf-8").replace("/srv/campus/.venv/bin/python", "/bin/true")
        (tmp_path / une.name).write_text(texte)
    nom = unite.name.replace("@.", "@8001.")
    if nom != unite.name:
        (tmp_path / nom).write_text((tmp_path / unite.name).read_text())

    dit = executer("systemd-analyze", "verify", "--man=no", str(tmp_path / nom), SYSTEMD_UNIT_PATH=f"{tmp_path}:")

    assert [ligne for ligne in (dit.stdout + dit.stderr).splitlines() if "campus" in ligne] == []
    assert dit.returncode == 0, dit.stderr


@pytest.mark.parametrize("unite", [un for un in UNITES if un.suffix == ".timer"], ids=lambda un: un.name)
def test_chaque_minuterie_lance_une_commande_qui_existe(unite):
    (commande,) = re.findall(r"^Unit=campus-commande@(\w+)\.service$", unite.read_text(), re.MULTILINE)

    assert commande in get_commands()


@pytest.mark.parametrize("unite", [un for un in UNITES if un.suffix == ".service"], ids=lambda un: un.name)
def test_chaque_unite_perd_ses_droits(unite):
    lignes = set(unite.read_text().splitlines())

    assert {"User=campus", "NoNewPrivileges=true", "CapabilityBoundingSet=", "ProtectSystem=strict"} <= lignes
    assert {"UMask=0077", "PrivateTmp=true", "StateDirectoryMode=0700"} <= lignes


# --- Proxies


def tailles(texte: str) -> list[int]:
    """The body sizes that this file names, in megabytes."""
    return sorted({int(nombre) for nombre in re.findall(r"(?:client_max_body_size |max_size )(\d+)(?:m;|MB)", texte)})


def test_caddy_laisse_passer_ce_que_le_service_refuse_lui_meme():
    (tout,) = tailles(lire("caddy/Caddyfile"))

    assert tout * 1000 * 1000 >= 10 * max(settings.TELEVERSEMENTS.values())


def test_nginx_laisse_passer_ce_que_le_service_admet():
    texte = lire("nginx/campus.conf")

    json, fichiers = tailles(texte)
    assert json * 1024 * 1024 > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    limites = {**settings.TELEVERSEMENTS, **settings.ENSEMBLES}
    assert fichiers * 1000 * 1000 >= 4 * max(limites.values())
    assert fichiers * 1024 * 1024 <= JETES_OCTETS  # read, so that its refusal arrives
    for octets in limites.values():
        assert f" {octets // 2**20} Mo" in texte
    absents = [chemin for chemin in limites if chemin.strip("/").rpartition("/")[0] not in texte]
    assert absents == []


def test_caddy_lit_son_fichier(tmp_path):
    chemin, caddy = str(DEPLOY / "caddy" / "Caddyfile"), programme()

    lu = executer(caddy, "validate", "--adapter", "caddyfile", "--config", chemin, XDG_DATA_HOME=str(tmp_path))

    assert lu.returncode == 0, lu.stderr
    assert executer(caddy, "fmt", chemin).stdout == lire("caddy/Caddyfile")


def test_la_version_de_caddy_est_dite_partout():
    dite = ".".join(map(str, AU_MOINS))
    image = re.fullmatch(r"caddy:(\d+)\.(\d+)\.(\d+)-alpine", COMPOSE["services"]["mandataire"]["image"])

    assert f"# Caddy ({dite} or later)" in lire("caddy/Caddyfile")
    assert f"Caddy, {dite} ou plus récent" in (Path(RACINE) / "docs" / "deploiement.md").read_text(encoding="utf-8")
    assert image is not None
    assert tuple(map(int, image.groups())) >= AU_MOINS


def test_nul_secret_n_est_dans_deploy():
    """The names of secrets that settings read have no value in what ships."""
    for fichier in (un for un in DEPLOY.rglob("*") if un.is_file()):
        for nom in ("SECRET_KEY", "HASH_KEY", "FIELD_ENCRYPTION_KEYS", "AWS_SECRET_ACCESS_KEY"):
            donnes = re.findall(rf"{nom}[:=] *([^\s$]{{8,}})", fichier.read_text(encoding="utf-8"))
            assert donnes == [], fichier
