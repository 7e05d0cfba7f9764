"""manage.py sweep_files: what a crash leaves is removed, what a store has lost is named."""

import os
import tempfile
import time
from io import BytesIO, StringIO

import pytest
from django.core.management import CommandError, call_command

from config.tests.outils import acteur_de
from resources import stockage
from resources.management.commands import sweep_files
from resources.models import Fichier
from resources.services.fichiers import supprimer
from resources.tests import fabriques

pytestmark = pytest.mark.django_db


@pytest.fixture
def vieux(monkeypatch):
    """Every file of a store is taken for an old one."""
    monkeypatch.setattr(sweep_files, "_est_ancien", lambda seau, cle: True)


def balayer(*options):
    sortie = StringIO()
    call_command("sweep_files", *options, stdout=sortie)
    return sortie.getvalue()


def test_un_fichier_sans_ligne_est_supprime_les_autres_restent(magasin, vieux, etudiante):
    garde = fabriques.fichier(acteur_de(etudiante))
    stockage.ranger(BytesIO(b"reste"))

    simulation = balayer("--dry-run")
    restes = len(fabriques.stockes(magasin))
    affiche = balayer()

    assert f"{magasin} : 1 fichiers sans ligne." in simulation
    assert restes == 2
    assert f"{magasin} : 1 fichiers sans ligne supprimés." in affiche
    assert fabriques.stockes(magasin) == [garde.cle]


def test_un_envoi_en_cours_n_est_pas_un_reste(settings, tmp_path, etudiante):
    local = {**settings.STORAGES["local"], "OPTIONS": {"location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "local": local, "default": local}
    fabriques.fichier(acteur_de(etudiante))
    _seau, recent = stockage.ranger(BytesIO(b"en cours"))
    _seau, ancien = stockage.ranger(BytesIO(b"ancien"))
    hier = time.time() - 24 * 3600
    os.utime(tmp_path / "files" / ancien, (hier, hier))

    balayer()

    assert recent in fabriques.stockes("local")
    assert ancien not in fabriques.stockes("local")


def test_une_ligne_sans_fichier_est_nommee_et_n_est_retiree_que_sur_demande(magasin, vieux, etudiante):
    perdu, garde = (fabriques.fichier(acteur_de(etudiante)) for _rang in range(2))
    stockage.effacer(perdu.seau, perdu.cle)

    with pytest.raises(CommandError, match="1 lignes sans fichier"):
        balayer()
    assert Fichier.objects.count() == 2
    affiche = balayer("--rows")

    assert str(perdu.pk) in affiche
    assert list(Fichier.objects.all()) == [garde]


def test_une_base_vide_devant_un_stockage_plein_arrete_tout(magasin, vieux):
    stockage.ranger(BytesIO(b"d'une autre base"))

    with pytest.raises(CommandError, match="bonne base"):
        balayer()
    assert len(fabriques.stockes(magasin)) == 1

    balayer("--force")
    assert fabriques.stockes(magasin) == []


def test_un_stockage_que_l_on_a_vide_n_inquiete_personne(magasin, vieux, etudiante, django_capture_on_commit_callbacks):
    fichier = fabriques.fichier(acteur_de(etudiante))
    with django_capture_on_commit_callbacks(execute=True):
        supprimer(fichier=fichier, acteur=acteur_de(etudiante))

    assert "0 fichiers sans ligne" in balayer()


def test_ce_qu_un_processus_tue_recevait_est_retire_et_rien_d_autre(magasin, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ailleurs = tmp_path / "ailleurs"
    ailleurs.mkdir()
    (tmp_path / "campus-envoi-tue").mkdir()
    (tmp_path / "campus-envoi-tue" / "propre").write_bytes(b"photo")
    for nom in ("tmpa1b2.upload.jpg", "tmpa1b2.upload", "tmpa1b2.txt", "campus-sauvegarde"):
        (tmp_path / nom).write_bytes(b"photo")
    (tmp_path / "campus-envoi-lien").symlink_to(ailleurs)
    hier = time.time() - 24 * 3600
    for chemin in tmp_path.iterdir():
        os.utime(chemin, (hier, hier), follow_symlinks=False)
    (tmp_path / "tmpc3d4.upload.jpg").write_bytes(b"en cours")

    simulation, presents = balayer("--dry-run"), len(list(tmp_path.iterdir()))
    affiche = balayer()

    assert "envois interrompus : 3 restes." in simulation
    assert presents == 8
    assert "envois interrompus : 3 restes supprimés." in affiche
    assert sorted(chemin.name for chemin in tmp_path.iterdir()) == [
        "ailleurs",
        "campus-envoi-lien",
        "campus-sauvegarde",
        "tmpa1b2.txt",
        "tmpc3d4.upload.jpg",
    ]


def test_des_fichiers_dans_un_seau_que_rien_ne_regle_sont_dits_et_gardes(magasin, etudiante):
    fabriques.fichier(acteur_de(etudiante), seau="ancien-seau")

    with pytest.raises(CommandError, match="ancien-seau"):
        balayer("--rows", "--force")

    assert Fichier.objects.count() == 1
