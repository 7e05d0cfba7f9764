"""A disk that fills up in the middle of an upload: refused, nothing kept by half, and room for the next."""

import resource
import shutil
import subprocess
import tempfile
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from resources import stockage
from resources.erreurs import StockageIndisponible
from resources.models import Fichier

pytestmark = pytest.mark.django_db
URL = "/api/v1/fichiers/upload"
MO = 1024 * 1024


@pytest.fixture
def local(settings, tmp_path):
    """The folder of the local store."""
    dossier = tmp_path / "files"
    magasin = {**settings.STORAGES["local"], "OPTIONS": {"location": dossier}}
    settings.STORAGES = {**settings.STORAGES, "default": magasin, "local": magasin}
    return dossier


@pytest.fixture
def petit_disque(local):
    """The store on a disk of its own, of 2 MB."""
    local.mkdir()
    mount = shutil.which("mount") or "mount"
    essai = subprocess.run([mount, "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(local)], capture_output=True)  # noqa: S603
    if essai.returncode:
        pytest.skip("monter un petit disque demande d'en avoir le droit")
    yield local
    subprocess.run(["umount", str(local)], check=True)  # noqa: S603, S607 -- what was mounted here


@pytest.fixture
def temporaires(tmp_path, monkeypatch):
    """Where what is being received waits."""
    dossier = tmp_path / "temp"
    dossier.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(dossier))
    return dossier


@pytest.fixture
def fichiers_courts():
    """No file of this process may pass 100 kB: a write stops half way, as on a full disk."""
    avant = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, avant[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, avant)


def envoyer(client, taille):
    return client.post(URL, {"file": SimpleUploadedFile("constat.bin", b"\1" * taille)})


def ranges(dossier):
    return [chemin for chemin in Path(dossier).rglob("*") if chemin.is_file()]


def test_ce_qui_n_est_ecrit_qu_a_moitie_ne_reste_pas(local, fichiers_courts):
    with pytest.raises(StockageIndisponible):
        stockage.ranger(BytesIO(b"\1" * 200_000))

    assert ranges(local) == []


def test_un_dossier_temporaire_plein_est_dit(api, etudiante, local, temporaires, fichiers_courts):
    reponse = envoyer(api(etudiante), 200_000)

    assert (reponse.status_code, reponse.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert reponse.headers["Retry-After"] == "60"
    assert (ranges(local), ranges(temporaires), Fichier.objects.count()) == ([], [], 0)


def test_un_envoi_refuse_en_chemin_ne_laisse_rien(api, etudiante, settings, temporaires):
    settings.TELEVERSEMENTS = {**settings.TELEVERSEMENTS, URL: 100_000}

    reponse = envoyer(api(etudiante), 200_000)

    assert reponse.json()["code"] == "FILE_TOO_LARGE"
    assert ranges(temporaires) == []


def test_un_disque_plein_ne_garde_rien_a_moitie_et_resert_ensuite(
    api, etudiante, petit_disque, django_capture_on_commit_callbacks
):
    client = api(etudiante)

    statuts = [envoyer(client, 900_000).status_code for _ in range(4)]

    assert statuts == [201, 201, 503, 503]
    assert len(ranges(petit_disque)) == Fichier.objects.count() == 2
    petit = envoyer(client, 50_000)
    assert petit.status_code == 201
    with django_capture_on_commit_callbacks(execute=True):
        client.delete(f"/api/v1/fichiers/{Fichier.objects.earliest('date_creation').pk}")
    assert envoyer(client, 900_000).status_code == 201
