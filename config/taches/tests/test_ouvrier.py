import threading
import time

import pytest
from django.db import connections
from django_tasks_db.models import DBTaskResult

from accounts.models import Compte
from config.taches import ouvrier
from config.taches.ouvrier import OuvrierInterne
from config.taches.reprise import tache

pytestmark = pytest.mark.django_db(transaction=True)
FILS = ("taches", "taches-veille")


@tache()
def renommer(identifiant: str) -> None:
    Compte.objects.filter(pk=identifiant).update(nom="Fait")


def bientot(condition, secondes=8.0):
    fin = time.monotonic() + secondes
    while time.monotonic() < fin:
        if condition():
            return True
        time.sleep(0.05)
    return False


def fils_vivants():
    return [fil for fil in threading.enumerate() if fil.name in FILS]


def puis_fermer(acte):
    """The act of a thread, which leaves no connection behind."""

    def faire(*args):
        try:
            acte(*args)
        finally:
            connections.close_all()

    return faire


@pytest.fixture
def interne(monkeypatch):
    """The worker of the one-command start; its threads are gone when the test ends."""
    monkeypatch.setattr(OuvrierInterne, "_travailler", puis_fermer(OuvrierInterne._travailler))
    monkeypatch.setattr(ouvrier, "veiller", puis_fermer(ouvrier.veiller))
    travailleur = OuvrierInterne()
    yield travailleur
    travailleur.arreter()
    for fil in fils_vivants():
        fil.join(timeout=8)


def test_l_ouvrier_interne_fait_ce_qui_est_en_file_puis_ce_qui_arrive(interne, etudiante, autre_etudiante):
    renommer.enqueue(str(etudiante.pk))
    interne.demarrer()
    premiere = bientot(lambda: Compte.objects.filter(nom="Fait").count() == 1)

    renommer.enqueue(str(autre_etudiante.pk))

    assert premiere
    assert bientot(lambda: Compte.objects.filter(nom="Fait").count() == 2)


def test_l_ouvrier_interne_reprend_ce_qu_un_mort_a_laisse(interne, etudiante, settings):
    renommer.enqueue(str(etudiante.pk))
    DBTaskResult.objects.get().claim("mort")
    DBTaskResult.objects.update(started_at=DBTaskResult.objects.get().started_at - 2 * settings.TASK_RECLAIM_AFTER)

    interne.demarrer()

    assert bientot(lambda: Compte.objects.filter(nom="Fait").exists())


def test_l_ouvrier_interne_s_arrete(interne):
    interne.demarrer()
    assert bientot(lambda: interne._ouvrier is not None)

    interne.arreter()

    assert bientot(lambda: fils_vivants() == [])


def test_l_ouvrier_interne_survit_a_une_base_absente(interne, etudiante, monkeypatch):
    pannes = [OSError("base absente")]
    vrai = ouvrier.Worker.run

    def run(self):
        if pannes:
            raise pannes.pop()
        return vrai(self)

    monkeypatch.setattr(ouvrier.Worker, "run", run)
    renommer.enqueue(str(etudiante.pk))

    interne.demarrer()

    assert bientot(lambda: Compte.objects.filter(nom="Fait").exists())
    assert pannes == []


def test_une_reprise_en_panne_ne_tue_pas_la_veille(monkeypatch):
    arret, appels = threading.Event(), []

    def reprendre():
        appels.append(1)
        if len(appels) == 2:
            arret.set()
        raise OSError

    monkeypatch.setattr(ouvrier, "reprendre", reprendre)
    monkeypatch.setattr(ouvrier, "close_old_connections", lambda: None)
    monkeypatch.setattr(ouvrier, "SECONDES_ENTRE_ENTRETIENS", 0.01)

    ouvrier.veiller(arret)

    assert len(appels) == 2
