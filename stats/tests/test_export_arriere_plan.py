"""Large exports: written by the worker, followed, announced; what fails says so and leaves nothing."""

import errno
import os
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from config.tests.outils import acteur_de
from resources import stockage
from signalements.tests import fabriques as signalements
from socle.domaine.acteurs import ActeurCompte
from socle.taches.ouvrier import OuvrierInterne
from socle.taches.reprise import TacheInterrompue, reprendre
from socle.taches.tests.outils import faire_les_taches
from socle.tests.mesures import Releve
from stats.exports import avancement, fichier, selection, services, tasks, temporaires
from stats.models import Export
from stats.tests import fabriques
from stats.tests.outils import EXPORT, lignes_csv, octets, telecharger
from stats.vocabulaire import StatutExport

pytestmark = pytest.mark.django_db


@pytest.fixture
def dossiers(etudiante, settings):
    """Three reports, one more than is written while somebody waits."""
    settings.EXPORT_BACKGROUND_ROWS = 2
    return [signalements.signalement(acteur_de(etudiante)) for _rang in range(3)]


@pytest.fixture
def demande(api, gestionnaire, dossiers):
    """What the request for a large export answers."""
    return api(gestionnaire).post(EXPORT, {}).json()["data"]


@pytest.fixture
def relire(api, gestionnaire, demande):
    return lambda: api(gestionnaire).get(f"/api/v1/stats/exports/{demande['exportId']}").json()["data"]


@pytest.fixture
def restes(settings):
    """restes(): temporary folders of exports that were not removed."""
    return lambda: list(settings.EXPORT_TEMP_DIR.iterdir())


# --- The way of a large export ------------------------------------------------------------------------------------


def test_un_grand_export_repond_aussitot_puis_devient_pret(demande, relire, dossiers):
    attendu = {"statut": "EN_COURS", "lignes": None, "progression": 0, "expireLe": None}
    assert demande.items() >= attendu.items()
    assert relire()["statut"] == "EN_COURS"

    faire_les_taches()
    fini = relire()

    assert (fini["statut"], fini["lignes"], fini["progression"]) == ("PRET", 3, 100)
    assert fini["exportedAt"] == demande["exportedAt"]
    lignes = lignes_csv(octets(telecharger(fini["downloadUrl"])))
    assert [ligne["Référence"] for ligne in lignes] == [dossier.reference for dossier in reversed(dossiers)]


@pytest.mark.parametrize(("langue", "titres"), [("en", ["Reference", "Title"]), ("fr", ["Référence", "Titre"])])
def test_un_grand_export_parle_la_langue_de_qui_l_a_demande(api, gestionnaire, dossiers, langue, titres):
    """In the task no request says one."""
    api(gestionnaire).put("/api/v1/preferences/", {"langue": langue})
    demande = api(gestionnaire).post(EXPORT, {}, headers={"Accept-Language": "fr"}).json()["data"]

    faire_les_taches()

    lignes = lignes_csv(octets(telecharger(demande["downloadUrl"])))
    assert (list(lignes[0])[:2], len(lignes)) == (titres, 3)


def test_le_lien_donne_a_la_demande_sert_quand_le_fichier_est_pret(demande):
    avant = telecharger(demande["downloadUrl"])

    faire_les_taches()

    assert (avant.status_code, avant.json()["code"]) == (409, "EXPORT_NOT_READY")
    assert len(lignes_csv(octets(telecharger(demande["downloadUrl"])))) == 3


def test_juste_au_seuil_un_export_est_encore_petit(api, gestionnaire, dossiers, settings):
    settings.EXPORT_BACKGROUND_ROWS = 3

    assert api(gestionnaire).post(EXPORT).json()["data"]["statut"] == "PRET"


def test_savoir_s_il_est_grand_ne_compte_pas_tout(gestionnaire, dossiers):
    tous = selection.signalements_a_exporter(ActeurCompte(compte=gestionnaire), {})

    with CaptureQueriesContext(connection) as requetes:
        assert selection.depassent(tous, 2)

    assert len(requetes) == 1
    assert "LIMIT 3" in requetes[0]["sql"]


def test_la_tache_nait_avec_la_ligne_ou_pas_du_tout(gestionnaire, dossiers):
    with pytest.raises(RuntimeError), transaction.atomic():
        fabriques.export(gestionnaire)
        raise RuntimeError

    assert not Export.objects.exists()
    assert not DBTaskResult.objects.exists()


def test_la_tache_ne_porte_qu_un_identifiant(demande):
    assert DBTaskResult.objects.get().args_kwargs == {"args": [demande["exportId"]], "kwargs": {}}


# --- Progress -----------------------------------------------------------------------------------------------------


def test_l_avancement_se_lit_pendant_l_ecriture(demande, relire, monkeypatch):
    vus = []
    monkeypatch.setattr(fichier, "LOT", 1)

    class Temoin(avancement.Avancement):
        def __call__(self, faites, total):
            super().__call__(faites, total)
            vus.append(relire()["progression"])

    monkeypatch.setattr(tasks, "Avancement", Temoin)
    faire_les_taches()

    assert vus == [33, 66, 99]
    assert relire()["progression"] == 100


class CacheAbsent:
    def __getattr__(self, nom):
        raise ConnectionError(nom)


def test_un_cache_absent_n_empeche_ni_d_ecrire_ni_de_repondre(demande, relire, monkeypatch, caplog):
    monkeypatch.setattr(fichier, "LOT", 1)
    monkeypatch.setattr(avancement, "cache", CacheAbsent())

    avant = relire()
    faire_les_taches()

    assert (avant["statut"], avant["progression"]) == ("EN_COURS", 0)
    assert (relire()["statut"], relire()["lignes"]) == ("PRET", 3)
    assert caplog.text.count("non gardé") == 1


def test_l_avancement_ne_survit_pas_a_un_echec(demande, relire):
    cache.set(f"export:{demande['exportId']}", 50)
    Export.objects.get().finir()

    assert (relire()["statut"], relire()["progression"]) == ("ECHEC", 0)


# --- What fails ---------------------------------------------------------------------------------------------------


def disque_plein(*args, **options):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/var/campus-export-secret/export.csv")


@pytest.fixture(params=["au rangement", "a la lecture", "au classeur"])
def panne(request, monkeypatch):
    """An error at each step of the writing; the format in which it shows."""
    if request.param == "au rangement":
        monkeypatch.setattr(stockage.StockageLocal, "_save", disque_plein)
    elif request.param == "a la lecture":
        monkeypatch.setattr(fichier.Redaction, "cellules", disque_plein)
    else:
        monkeypatch.setattr("xlsxwriter.workbook.Workbook._store_workbook", disque_plein)
        return "xlsx"
    return "csv"


def test_une_panne_se_dit_dans_la_ligne_et_ne_laisse_rien(api, gestionnaire, dossiers, panne, depot, restes, caplog):
    demande = api(gestionnaire).post(EXPORT, {"format": panne}).json()["data"]

    faire_les_taches()

    relu = api(gestionnaire).get(f"/api/v1/stats/exports/{demande['exportId']}").json()["data"]
    lien = telecharger(relu["downloadUrl"])
    assert (relu["statut"], relu["lignes"], relu["expireLe"]) == ("ECHEC", None, None)
    assert (lien.status_code, lien.json()["code"]) == (409, "EXPORT_FAILED")
    assert not depot.exists() or not list(depot.iterdir())
    assert restes() == []
    assert not DBTaskResult.objects.filter(status=TaskResultStatus.READY).exists()
    journal = "\n".join(str(vars(ligne)) for ligne in caplog.records if ligne.name.startswith("campus"))
    assert "StockageIndisponible" in journal
    assert "campus-export-secret" not in journal


def test_un_disque_presque_plein_refuse_un_grand_export_et_en_ecrit_un_petit(api, gestionnaire, dossiers, settings):
    settings.FREE_DISK_FLOOR_MB = 10**9

    grand = api(gestionnaire).post(EXPORT, {})
    petit = api(gestionnaire).post(EXPORT, {"priorite": "LOW"})

    assert (grand.status_code, grand.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert (petit.status_code, Export.objects.count()) == (201, 1)


def test_un_disque_qui_se_remplit_avant_la_tache_la_met_en_echec(demande, relire, settings):
    settings.FREE_DISK_FLOOR_MB = 10**9

    faire_les_taches()

    assert relire()["statut"] == "ECHEC"


def test_un_petit_export_qui_ne_peut_etre_range_est_un_503_sans_trace(
    api, gestionnaire, signalement, panne, depot, restes
):
    reponse = api(gestionnaire).post(EXPORT, {"format": panne})

    assert (reponse.status_code, reponse.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert not Export.objects.exists()
    assert not depot.exists() or not list(depot.iterdir())
    assert restes() == []


def test_les_exports_se_comptent_prets_ou_en_echec(
    api, gestionnaire, dossiers, settings, monkeypatch, django_capture_on_commit_callbacks
):
    comptes = [Releve("campus_exports_total", format="csv", resultat=resultat) for resultat in ("PRET", "ECHEC")]
    lus = []
    for seuil in (2, 20):  # in the background, then at once
        settings.EXPORT_BACKGROUND_ROWS = seuil
        with django_capture_on_commit_callbacks(execute=True):
            api(gestionnaire).post(EXPORT, {})
            faire_les_taches()
        lus.append([compte.plus for compte in comptes])
    monkeypatch.setattr(stockage.StockageLocal, "_save", disque_plein)
    api(gestionnaire).post(EXPORT, {})

    assert [*lus, [compte.plus for compte in comptes]] == [[1, 0], [2, 0], [2, 1]]


def test_un_petit_export_dont_la_ligne_ne_peut_etre_ecrite_ne_laisse_pas_de_fichier(gestionnaire, depot, monkeypatch):
    monkeypatch.setattr(Export, "save", disque_plein)

    with pytest.raises(OSError, match="No space"):
        fabriques.export(gestionnaire)

    assert list(depot.iterdir()) == []


def test_qui_a_quitte_l_equipe_entre_temps_ne_recoit_rien(demande, relire, gestionnaire, depot):
    gestionnaire.type_utilisateur = "UTILISATEUR"
    gestionnaire.save()

    faire_les_taches()

    assert Export.objects.get().statut == StatutExport.ECHEC
    assert not depot.exists()


# --- Again --------------------------------------------------------------------------------------------------------


def test_un_ouvrier_tue_laisse_un_export_en_cours_qu_un_autre_finit(demande, relire, settings):
    DBTaskResult.objects.get().claim("mort")
    avant = relire()["statut"]
    DBTaskResult.objects.update(started_at=timezone.now() - settings.TASK_RECLAIM_AFTER - timedelta(seconds=1))

    assert reprendre() == 1
    faire_les_taches()

    assert (avant, relire()["statut"]) == ("EN_COURS", "PRET")


@pytest.fixture(params=["a l'ecriture", "au rangement", "en panne"])
def ouvrier(request, monkeypatch):
    """A worker that is told to stop while it writes, while it stores, or before its files were taken from it."""
    monkeypatch.setattr(fichier, "LOT", 1)
    travailleur = OuvrierInterne()

    def prevenir_d_abord(module, nom, vrai):
        def faire(*args, **options):
            travailleur.prevenir()
            if request.param == "en panne":
                disque_plein()
            return vrai(*args, **options)

        monkeypatch.setattr(module, nom, faire)

    if request.param == "au rangement":
        prevenir_d_abord(fichier, "ranger", fichier.ranger)
    else:
        prevenir_d_abord(fichier.Redaction, "cellules", fichier.Redaction.cellules)
    return travailleur


def test_un_ouvrier_prevenu_rend_son_export_sans_rien_laisser_et_un_autre_le_finit(
    demande, relire, ouvrier, depot, restes, monkeypatch
):
    ouvrier.vider()

    tache = DBTaskResult.objects.get()
    assert (tache.status, tache.started_at, relire()["statut"]) == (TaskResultStatus.READY, None, "EN_COURS")
    assert restes() == []
    assert not depot.exists() or not list(depot.iterdir())
    monkeypatch.undo()
    faire_les_taches()
    assert relire()["statut"] == "PRET"


def test_un_processus_qui_finit_retire_ce_que_ses_exports_ecrivaient(demande, restes, monkeypatch):
    vus = []

    def finir(*args):
        vus.append(len(restes()))
        temporaires.retirer_les_dossiers()
        vus.append(len(restes()))
        raise TacheInterrompue

    monkeypatch.setattr(fichier.Redaction, "cellules", finir)
    faire_les_taches()

    assert (vus, restes()) == ([1, 0], [])


def test_refaire_une_tache_finie_ne_change_rien(demande, depot, evenements):
    faire_les_taches()
    avant = Export.objects.values().get()

    with evenements() as recus:
        tasks.ecrire_export.enqueue(demande["exportId"])
        faire_les_taches()

    assert Export.objects.values().get() == avant
    assert len(list(depot.iterdir())) == 1
    assert recus == []


def test_de_deux_ouvriers_le_premier_donne_son_fichier_l_autre_retire_le_sien(demande, depot, monkeypatch, evenements):
    ecrire = fichier.ecrire

    def pendant_qu_un_autre_finit(export, **options):
        ecrit = ecrire(export, **options)
        tasks._garder(Export.objects.get(), ecrire(export))
        return ecrit

    monkeypatch.setattr(tasks, "ecrire", pendant_qu_un_autre_finit)
    with evenements() as recus:
        faire_les_taches()

    export = Export.objects.get()
    assert [cle.name for cle in depot.iterdir()] == [export.cle.rpartition("/")[2]]
    assert [evenement["type"] for evenement in recus] == ["export_ready"]


# --- Announced ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("statut", "lignes"), [("PRET", 3), ("ECHEC", None)])
def test_la_fin_d_un_grand_export_s_annonce_sans_lien(demande, gestionnaire, evenements, monkeypatch, statut, lignes):
    if statut == "ECHEC":
        monkeypatch.setattr(stockage.StockageLocal, "_save", disque_plein)

    with evenements() as recus:
        faire_les_taches()

    attendu = {
        "exportId": demande["exportId"],
        "statut": statut,
        "format": "csv",
        "lignes": lignes,
        "exportedAt": demande["exportedAt"],
    }
    canal = f"user:{gestionnaire.pk}"
    assert recus == [{"type": "export_ready", "canal": canal, "audience": "PUBLIC", "payload": attendu}]


def test_rien_n_est_annonce_quand_la_transaction_echoue(demande, evenements):
    export = Export.objects.get()

    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        tasks._terminer(export)
        raise RuntimeError

    assert recus == []
    assert Export.objects.get().statut == StatutExport.EN_COURS


def test_un_petit_export_n_annonce_rien(gestionnaire, signalement, evenements):
    with evenements() as recus:
        services.demander(acteur=ActeurCompte(compte=gestionnaire), format="csv", filtres={})

    assert recus == []
