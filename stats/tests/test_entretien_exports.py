"""What becomes of exports with time: files go, who exported what stays, and administrators read it."""

import os
import time
from datetime import timedelta
from io import BytesIO, StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tests.outils import entrer
from config.tests.outils import acteur_de
from resources import stockage
from resources.management.commands import sweep_files
from resources.tests import fabriques as fichiers
from stats.models import Export
from stats.tests import fabriques
from stats.vocabulaire import DOSSIER, StatutExport

pytestmark = pytest.mark.django_db
DEMAIN = timedelta(hours=24, minutes=1)


def commande(nom, *options):
    sortie = StringIO()
    call_command(nom, *options, stdout=sortie)
    return sortie.getvalue()


def cles(seau):
    return sorted(f"{DOSSIER}/{nom}" for nom in sweep_files._lister(seau, DOSSIER)[1])


# --- purge --------------------------------------------------------------------------------------------------------


def test_la_purge_retire_le_fichier_d_hier_et_garde_sa_ligne(magasin, gestionnaire, signalement):
    fabriques.export(gestionnaire)
    avec_un_jour_de_plus = time_machine.travel(timezone.now() + DEMAIN)
    with avec_un_jour_de_plus:
        d_aujourd_hui = fabriques.export(gestionnaire)
        simulation, restes = commande("purge", "--dry-run"), cles(magasin)
        affiche = commande("purge")

    assert "Fichiers d'export de plus d'un jour : 1 à supprimer" in simulation
    assert len(restes) == 2
    assert "Fichiers d'export de plus d'un jour : 1 supprimé(s)" in affiche
    assert cles(magasin) == [d_aujourd_hui.cle]
    ancien = Export.objects.order_by("date_creation").first()
    assert (ancien.statut, ancien.lignes, ancien.cle) == (StatutExport.PRET, 1, "")


def test_une_purge_interrompue_se_refait(gestionnaire, depot):
    export = fabriques.export(gestionnaire)
    stockage.effacer(export.seau, export.cle)

    with time_machine.travel(timezone.now() + DEMAIN):
        commande("purge")

    assert Export.objects.get().cle == ""


def test_un_export_dont_la_tache_est_perdue_est_dit_en_echec(gestionnaire, signalement, settings, evenements):
    settings.EXPORT_BACKGROUND_ROWS = 0
    fabriques.export(gestionnaire)

    avant = commande("purge")
    with time_machine.travel(timezone.now() + DEMAIN), evenements() as recus:
        simulation, encore = commande("purge", "--dry-run"), Export.objects.get().statut
        apres = commande("purge")

    assert "dits en échec : 0" in avant
    assert ("dits en échec : 1" in simulation, encore) == (True, StatutExport.EN_COURS)
    assert "dits en échec : 1" in apres
    assert Export.objects.get().statut == StatutExport.ECHEC
    assert [evenement["payload"]["statut"] for evenement in recus] == ["ECHEC"]


def test_la_purge_retire_ce_qu_un_processus_tue_a_laisse_sur_cette_machine(settings):
    vieux, recent = (settings.EXPORT_TEMP_DIR / nom for nom in ("a", "b"))
    for dossier in (vieux, recent):
        dossier.mkdir(parents=True)
        (dossier / "export.csv").write_text("reste")
    hier = time.time() - 25 * 3600
    os.utime(vieux, (hier, hier))

    simulation, gardes = commande("purge", "--dry-run"), len(list(settings.EXPORT_TEMP_DIR.iterdir()))
    commande("purge")

    assert "exports interrompus : 1 à supprimer" in simulation
    assert gardes == 2
    assert list(settings.EXPORT_TEMP_DIR.iterdir()) == [recent]


# --- sweep_files --------------------------------------------------------------------------------------------------


@pytest.fixture
def vieux(monkeypatch):
    """Every file of a store is taken for an old one."""
    monkeypatch.setattr(sweep_files, "_est_ancien", lambda seau, cle: True)


def test_le_balayage_garde_les_exports_et_retire_leurs_restes(magasin, vieux, gestionnaire, etudiante):
    envoi = fichiers.fichier(acteur_de(etudiante))
    export = fabriques.export(gestionnaire)
    stockage.ranger(BytesIO(b"reste"), dossier=DOSSIER)

    simulation, restes = commande("sweep_files", "--dry-run"), cles(magasin)
    affiche = commande("sweep_files")

    assert f"{magasin} : 0 fichiers sans ligne." in simulation
    assert f"{magasin}, exports : 1 fichiers sans ligne." in simulation
    assert len(restes) == 2
    assert f"{magasin}, exports : 1 fichiers sans ligne supprimés." in affiche
    assert cles(magasin) == [export.cle]
    assert envoi.cle in fichiers.stockes(magasin)


def test_un_stockage_qui_n_a_que_des_exports_est_celui_de_cette_base(magasin, vieux, gestionnaire):
    export = fabriques.export(gestionnaire)

    commande("sweep_files")

    assert cles(magasin) == [export.cle]


# --- The admin site -----------------------------------------------------------------------------------------------

ADRESSE = "/admin/stats/export/"


@pytest.mark.parametrize(("persona", "statut"), [("gestionnaire", 403), ("admin", 200)])
def test_seul_un_administrateur_lit_qui_a_exporte_quoi(personne, gestionnaire, persona, statut):
    export = fabriques.export(gestionnaire, statut="NOUVEAU", search="<b>amphi</b>")
    client = entrer(personne(persona).email)

    pages = [client.get(url) for url in (ADRESSE, f"{ADRESSE}{export.pk}/change/")]

    assert [page.status_code for page in pages] == [statut] * 2
    if statut == 200:
        for page in pages:
            texte = page.content.decode()
            assert "Paul Ilunga" in texte
            assert "search = &lt;b&gt;amphi&lt;/b&gt;, statut = Nouveau" in texte
            assert "jeton=" not in texte


def test_l_espace_de_l_equipe_n_en_change_rien(admin, gestionnaire):
    export = fabriques.export(gestionnaire)
    client = entrer(admin.email)

    statuts = [
        client.get(f"{ADRESSE}add/").status_code,
        client.post(f"{ADRESSE}{export.pk}/change/", {"statut": "ECHEC"}).status_code,
        client.post(f"{ADRESSE}{export.pk}/delete/", {"post": "yes"}).status_code,
    ]

    assert statuts == [403] * 3
    assert Export.objects.get().statut == StatutExport.PRET


def test_la_liste_coute_autant_pour_un_export_que_pour_neuf(admin, gestionnaire):
    client = entrer(admin.email)
    fabriques.export(gestionnaire)
    client.get(ADRESSE)

    with CaptureQueriesContext(connection) as pour_un:
        client.get(ADRESSE)
    for _rang in range(8):
        fabriques.export(gestionnaire)

    with CaptureQueriesContext(connection) as pour_neuf:
        client.get(ADRESSE)
    assert len(pour_neuf) == len(pour_un)
