"""python -m config.tests.preuves.mutation: does a test turn red for each check that is removed?

The tests are collected once, on SQLite; each mutant is put in a child of this process, where they are run until one
fails. `--parts N` runs one mutant in N, `--seul TEXTE` those whose line holds it; the answer is JSON, on the last line:
how many were run, and those that no test has seen.
"""

import argparse
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import django.test.utils
import pytest
from pytest_django.plugin import blocking_manager_key

from config.tests.preuves.mutants import Mutant, tous

RACINE = Path(__file__).resolve().parents[3]
# What says who may do what, beside the tests of the app whose check it is.
PARTOUT = [
    *("config/tests/test_matrice.py", "config/tests/test_qui_lit_quoi.py", "config/tests/test_droits.py"),
    *("config/tests/test_registre.py", "guests/tests/test_dossiers_reserves.py", "socle/realtime/tests/test_garde.py"),
    *("portail/tests", "espace/tests", "config/tests/test_second_facteur_exige.py"),
]
APPS = ("accounts", "calendrier", "discussions", "forum", "guests", "resources", "signalements", "stats", "personnes")
LENTS = ("concurren", "proprietes", "plans", "hostile", "volume")
AU_PLUS = 600  # seconds of one mutant
ENSEMBLE = os.cpu_count() or 1


class Tournee:
    """A plugin that takes the place of the run: the collected tests, once for each mutant."""

    def __init__(self, mutants: list[Mutant]) -> None:
        self.mutants = mutants
        self.vivants: list[str] = []
        self.enfants: dict[int, tuple[Mutant, float]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        with session.config.stash[blocking_manager_key].unblock():
            bases = django.test.utils.setup_databases(verbosity=0, interactive=False)
        django.test.utils.setup_databases = lambda *a, **k: []
        django.test.utils.teardown_databases = lambda *a, **k: None
        restes = list(reversed(self.mutants))
        while restes or self.enfants:
            while restes and len(self.enfants) < ENSEMBLE:
                self._naitre(session, restes.pop())
            self._attendre()
        del bases
        return True

    def _naitre(self, session: pytest.Session, mutant: Mutant) -> None:
        pid = os.fork()
        if pid:
            self.enfants[pid] = (mutant, time.monotonic())
            return
        rouge = False
        try:
            signal.alarm(AU_PLUS)
            sortie = os.open(os.devnull, os.O_WRONLY)
            os.dup2(sortie, 1)
            os.dup2(sortie, 2)
            mutant.poser()
            rouge = _un_rouge(session, _dans_l_ordre(session.items, mutant))
        except BaseException:
            rouge = True
        os._exit(0 if rouge else 3)

    def _attendre(self) -> None:
        pid, fin = os.wait()
        mutant, debut = self.enfants.pop(pid)
        code = os.waitstatus_to_exitcode(fin)
        vivant = code != 0  # killed by the alarm, nobody has said that it is wrong
        if vivant:
            self.vivants.append(mutant.nom)
        dit = "NUL NE LE VOIT" if vivant else "vu"
        print(f"{dit:>14}  {time.monotonic() - debut:5.1f} s  {mutant}", file=sys.stderr, flush=True)


def _un_rouge(session: pytest.Session, items: list[Any]) -> bool:
    """Run them until one fails."""
    for rang, item in enumerate(items):
        suivant = items[rang + 1] if rang + 1 < len(items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=suivant)
        if session.testsfailed:
            return True
    return False


def _dans_l_ordre(items: list[Any], mutant: Mutant) -> list[Any]:
    """Those of its own app first, then `PARTOUT`; shuffled, as neighbours fail together."""
    siens = mutant.fichier.partition("/")[0] + "/"
    gardes = [un for un in items if un.nodeid.startswith((siens, *PARTOUT))]
    melange = random.Random(0).sample(gardes, len(gardes))
    return sorted(melange, key=lambda un: not un.nodeid.startswith(siens))


class Tri:
    """Leaves out what is slow, and what is about time or volume rather than about who."""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [un for un in items if not any(mot in un.nodeid for mot in LENTS)]


def main() -> int:
    lecteur = argparse.ArgumentParser()
    lecteur.add_argument("--parts", type=int, default=1)
    lecteur.add_argument("--seul", default="")
    options = lecteur.parse_args()
    choisis = [un for un in tous() if options.seul in str(un)][:: options.parts]
    tournee = Tournee(choisis)
    ou = [*PARTOUT, *(f"{app}/tests" for app in APPS)]
    marques = "not parcours and not navigateur and not tableur and not postgres and not preuve"
    code = pytest.main(["-q", "-p", "no:cacheprovider", "-m", marques, *dict.fromkeys(ou)], plugins=[tournee, Tri()])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return int(code)
    print(json.dumps({"mutants": len(choisis), "vivants": tournee.vivants}))
    return 0


if __name__ == "__main__":
    os.chdir(RACINE)
    sys.exit(main())
