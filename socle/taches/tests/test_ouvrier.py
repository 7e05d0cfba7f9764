import threading
import time

import pytest
from django.db import OperationalError
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from accounts.models import Compte
from socle.taches import ouvrier
from socle.taches.entretien import chaque_minute
from socle.taches.ouvrier import OuvrierInterne
from socle.taches.reprise import exiger_la_suite, tache

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.longue]
lachees = threading.Event()
commencees: list[str] = []


@tache()
def renommer(identifiant: str) -> None:
    Compte.objects.filter(pk=identifiant).update(nom="Fait")


@tache(queue_name="mail")
def pendre(identifiant: str) -> None:
    commencees.append(identifiant)
    lachees.wait(20)


@tache(queue_name="exports")
def durer(identifiant: str) -> None:
    commencees.append(identifiant)
    while not lachees.wait(0.02):
        exiger_la_suite()


def bientot(condition, secondes=8.0):
    fin = time.monotonic() + secondes
    while time.monotonic() < fin:
        if condition():
            return True
        time.sleep(0.05)
    return False


def fils_vivants():
    return [fil for fil in threading.enumerate() if fil.name.startswith("taches")]


def est_fait():
    return Compte.objects.filter(nom="Fait").exists()


def statut(**filtre):
    return DBTaskResult.objects.values_list("status", flat=True).get(**filtre)


@pytest.fixture
def autre_ouvrier():
    """A worker of another process; its threads are gone when the test ends."""
    lachees.clear()
    commencees.clear()
    travailleur = OuvrierInterne()
    yield travailleur
    lachees.set()
    travailleur.arreter()
    for fil in fils_vivants():
        fil.join(timeout=8)


@pytest.fixture
def interne(autre_ouvrier):
    """The worker of the one-command start."""
    travailleur = OuvrierInterne()
    yield travailleur
    lachees.set()
    travailleur.arreter()


def test_l_ouvrier_interne_fait_ce_qui_est_en_file_puis_ce_qui_arrive(interne, etudiante, autre_etudiante):
    renommer.enqueue(str(etudiante.pk))
    interne.demarrer()
    premiere = bientot(est_fait)

    renommer.enqueue(str(autre_etudiante.pk))

    assert premiere
    assert bientot(lambda: Compte.objects.filter(nom="Fait").count() == 2)


def test_l_ouvrier_interne_reprend_ce_qu_un_mort_a_laisse(interne, etudiante, settings):
    renommer.enqueue(str(etudiante.pk))
    DBTaskResult.objects.get().claim("mort")
    DBTaskResult.objects.update(started_at=DBTaskResult.objects.get().started_at - 2 * settings.TASK_RECLAIM_AFTER)

    interne.demarrer()

    assert bientot(est_fait)


# --- Each queue by itself ---------------------------------------------------------------------------------------------


def test_une_tache_qui_pend_n_arrete_que_sa_file(interne, etudiante):
    pendre.enqueue("a")
    interne.demarrer()
    assert bientot(lambda: commencees == ["a"])

    renommer.enqueue(str(etudiante.pk))

    assert bientot(est_fait)
    assert statut(queue_name="mail") == TaskResultStatus.RUNNING


def test_un_ouvrier_ne_fait_que_les_files_qu_on_lui_donne(etudiante):
    durer.enqueue("a")
    renommer.enqueue(str(etudiante.pk))

    OuvrierInterne(["default"]).vider()

    assert est_fait()
    assert statut(queue_name="exports") == TaskResultStatus.READY


def test_une_file_vide_ne_tient_ni_fil_ni_connexion(interne, etudiante):
    renommer.enqueue(str(etudiante.pk))

    interne.demarrer()

    assert bientot(est_fait)
    assert bientot(lambda: [fil.name for fil in fils_vivants()] == ["taches"])


# --- Told to stop -----------------------------------------------------------------------------------------------------


def test_l_ouvrier_interne_s_arrete(interne):
    interne.demarrer()
    assert bientot(fils_vivants)

    interne.arreter()

    assert bientot(lambda: fils_vivants() == [])


def test_prevenu_il_ne_prend_plus_rien(interne, etudiante):
    interne.demarrer()

    interne.prevenir()
    renommer.enqueue(str(etudiante.pk))
    time.sleep(1.5)

    assert statut() == TaskResultStatus.READY


def test_une_tache_qui_pend_est_remise_en_file_en_deux_secondes_et_un_autre_la_prend(interne, autre_ouvrier):
    pendre.enqueue("a")
    interne.demarrer()
    assert bientot(lambda: commencees == ["a"])

    debut = time.monotonic()
    interne.arreter()

    assert time.monotonic() - debut < 10  # it hangs for twenty
    assert ouvrier.SECONDES_POUR_FINIR + ouvrier.SECONDES_POUR_RENDRE < 2
    assert bientot(lambda: (statut(), DBTaskResult.objects.get().started_at) == (TaskResultStatus.READY, None))
    autre_ouvrier.demarrer()
    assert bientot(lambda: commencees == ["a", "a"])


def test_une_tache_longue_se_rend_des_qu_il_est_prevenu(interne):
    durer.enqueue("a")
    interne.demarrer()
    assert bientot(lambda: commencees == ["a"])

    interne.prevenir()

    assert bientot(lambda: statut() == TaskResultStatus.READY)


def test_une_tache_qu_un_autre_a_reprise_n_est_pas_remise_en_file(interne):
    pendre.enqueue("a")
    interne.demarrer()
    assert bientot(lambda: commencees == ["a"])
    DBTaskResult.objects.get().claim("autre")

    interne.arreter()

    assert statut() == TaskResultStatus.RUNNING


# --- The base is away -------------------------------------------------------------------------------------------------


@pytest.fixture
def base_absente(monkeypatch):
    """base_absente(lieu): this step of the worker fails twice as without a base; how often it still will."""
    monkeypatch.setattr(ouvrier, "INTERVALLE", 0.05)

    def faire(lieu):
        pannes = [OperationalError("base absente")] * 2
        vrai = getattr(OuvrierInterne, lieu)

        def absente(*args):
            if pannes:
                raise pannes.pop()
            return vrai(*args)

        monkeypatch.setattr(OuvrierInterne, lieu, absente)
        return pannes

    return faire


@pytest.mark.parametrize("lieu", ["_dues", "_prendre"])
def test_une_base_absente_est_attendue_et_dite_une_fois(interne, etudiante, base_absente, caplog, lieu):
    pannes = base_absente(lieu)
    renommer.enqueue(str(etudiante.pk))

    interne.demarrer()

    assert bientot(est_fait)
    assert pannes == []
    assert [ligne.exc_info for ligne in caplog.records if "en attente" in ligne.message] == [None]


def test_une_tache_dont_la_fin_n_a_pu_s_ecrire_est_refaite(interne, etudiante, monkeypatch):
    pannes = [OperationalError("base absente")]
    vrai = DBTaskResult.set_successful

    def ecrire(ligne, valeur):
        if pannes:
            raise pannes.pop()
        vrai(ligne, valeur)

    monkeypatch.setattr(DBTaskResult, "set_successful", ecrire)
    renommer.enqueue(str(etudiante.pk))

    interne.demarrer()

    assert bientot(lambda: statut() == TaskResultStatus.SUCCESSFUL)
    assert pannes == []
    assert len(DBTaskResult.objects.get().worker_ids) == 2


def test_un_entretien_en_panne_n_arrete_ni_les_autres_ni_les_taches(interne, etudiante, monkeypatch):
    appels = []

    def echouer():
        appels.append("en panne")
        raise OSError

    entretiens = {"un": echouer, "autre": lambda: appels.append("autre")}
    monkeypatch.setattr(chaque_minute, "_entrees", entretiens)
    monkeypatch.setattr(ouvrier, "SECONDES_ENTRE_ENTRETIENS", 0.01)
    renommer.enqueue(str(etudiante.pk))

    interne.demarrer()

    assert bientot(lambda: appels[:4] == ["en panne", "autre"] * 2)
    assert bientot(est_fait)


@pytest.mark.django_db
def test_une_panne_de_la_base_se_dit_en_une_ligne_pour_tout_l_entretien(monkeypatch, caplog):
    faits = []

    def en_panne():
        raise OperationalError

    def en_faute():
        raise ValueError

    entretiens = {"un": en_panne, "faux": en_faute, "deux": en_panne, "autre": lambda: faits.append("autre")}
    monkeypatch.setattr(chaque_minute, "_entrees", entretiens)

    OuvrierInterne()._entretenir()

    assert faits == ["autre"]
    assert [ligne.getMessage() for ligne in caplog.records] == [
        "faux : remis à la minute prochaine (ValueError)",
        "un, deux : remis à la minute prochaine (OperationalError)",
    ]
