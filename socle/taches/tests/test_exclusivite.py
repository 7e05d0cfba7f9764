import threading
from collections.abc import Iterator

import pytest
from django.core.management.base import CommandError
from django.db import connection, connections

from socle.taches import exclusivite
from socle.taches.exclusivite import un_seul

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def autre_processus(monkeypatch) -> Iterator[threading.Event]:
    """Another holds `essai`, until this event is set or the test ends."""
    monkeypatch.setattr(exclusivite, "PAUSE", 0.05)
    tenu, lache = threading.Event(), threading.Event()

    def tenir():
        try:
            with un_seul("essai"):
                tenu.set()
                lache.wait(20)
        finally:
            connections.close_all()

    fil = threading.Thread(target=tenir)
    fil.start()
    assert tenu.wait(10)
    yield lache
    lache.set()
    fil.join()


def test_le_second_attend_le_dit_une_fois_et_poursuit(autre_processus, caplog):
    caplog.set_level("INFO", "campus.base")
    threading.Timer(0.5, autre_processus.set).start()

    with un_seul("essai"):
        assert autre_processus.is_set()

    assert [ligne.message for ligne in caplog.records] == [
        "« essai » est en cours dans un autre processus : on l'attend"
    ]


def test_l_attente_a_une_limite(autre_processus, monkeypatch):
    monkeypatch.setattr(exclusivite, "MINUTES", 0.005)

    with pytest.raises(CommandError, match="essai"), un_seul("essai"):
        pytest.fail("deux à la fois")


def test_un_autre_acte_n_attend_pas(autre_processus):
    with un_seul("autre essai"):
        assert not autre_processus.is_set()


@pytest.mark.parametrize("echoue", [False, True])
def test_ce_qui_est_fini_est_rendu(echoue):
    try:
        with un_seul("essai"):
            if echoue:
                connection.close()
                raise RuntimeError
    except RuntimeError:
        pass

    with un_seul("essai"):
        pass
