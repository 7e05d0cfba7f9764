"""The register followed by a collector: each line once at least, in the order of the seals."""

import json
import signal
from io import StringIO
from threading import Event
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import OperationalError

from socle.audit import sceaux, suivi
from socle.audit.management.commands import audit
from socle.audit.models import Sceau, Trace
from socle.audit.registre import consigner
from socle.audit.sceaux import sceller
from socle.audit.suivi import suivre
from socle.audit.vocabulaire import Acte, Sorte

pytestmark = pytest.mark.django_db


def ecrire(nombre):
    for _rang in range(nombre):
        consigner(Acte.COMPTE_DESACTIVE, par=None, objet=uuid4(), sorte=Sorte.COMPTE, mot="à\u2028lire")
    sceller()


def lus(apres=0, tours=()):
    """What is followed while each of these is done in turn where nothing is left to read."""
    restent = iter(tours)

    def attendre():
        faire = next(restent, None)
        return faire is not None and (faire(), True)[1]

    return [(numero, [ligne["id"] for ligne in lignes]) for numero, lignes in suivre(apres, attendre)]


@pytest.fixture
def arrete(monkeypatch):
    """As SIGTERM does once there is nothing left to read."""
    monkeypatch.setattr(Event, "wait", lambda *_args: True)
    poses = []
    monkeypatch.setattr(audit.signal, "signal", lambda signe, faire: poses.append(signe))
    yield
    assert set(poses) == {signal.SIGTERM, signal.SIGINT}


def suivies(*mots):
    sortie = StringIO()
    call_command("audit", "list", "--suivre", *mots, stdout=sortie)
    return [json.loads(ligne) for ligne in sortie.getvalue().split("\n") if ligne]


def test_chaque_ligne_vient_avec_son_sceau_dans_l_ordre_et_rien_ne_manque(monkeypatch):
    monkeypatch.setattr(sceaux, "LOT", 2)
    monkeypatch.setattr(suivi, "SCEAUX_LUS", 2)
    ecrire(5)

    suivis = lus(tours=(lambda: ecrire(1), lambda: None, lambda: ecrire(2)))

    assert [numero for numero, _lignes in suivis] == list(Sceau.objects.order_by("numero").values_list("pk", flat=True))
    assert [cle for _numero, cles in suivis for cle in cles] == list(
        Trace.objects.order_by("id").values_list("pk", flat=True)
    )
    assert len(suivis) == 5


def test_une_base_absente_se_redemande(monkeypatch):
    ecrire(1)
    vrai, pannes = Sceau.objects.filter, [OperationalError, OperationalError]

    def filtrer(*args, **kwargs):
        if pannes:
            raise pannes.pop()
        return vrai(*args, **kwargs)

    monkeypatch.setattr(Sceau.objects, "filter", filtrer)
    monkeypatch.setattr(suivi.connection, "close", lambda: None)  # the test's own transaction

    assert len(lus(tours=(lambda: None, lambda: None))) == 1


def test_la_commande_repart_de_ce_qu_elle_a_note(arrete, tmp_path):
    ecrire(2)
    reprise = tmp_path / "registre"

    premieres = suivies("--apres", "0", "--reprise", str(reprise))
    ecrire(1)
    (derniere,) = suivies("--apres", "0", "--reprise", str(reprise))

    assert [ligne["sceau"] for ligne in premieres] == [1, 1]
    assert (derniere["sceau"], derniere["acte"]) == (2, "COMPTE_DESACTIVE")
    assert derniere["details"]["mot"] == "à\u2028lire"
    assert reprise.read_text() == "2"
    assert list(tmp_path.iterdir()) == [reprise]


def test_sans_rien_dire_elle_suit_ce_qui_vient(arrete):
    ecrire(2)

    assert suivies() == []
