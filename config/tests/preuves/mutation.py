"""python -m config.tests.preuves.mutation: does a test turn red for each check that is removed?

The tests are collected once for each core, on SQLite; each mutant is put in a child of that process, on a fresh copy of
the base, where they are run until one fails. That test must then fail alone with the mutant and pass alone without it,
or the search goes on. A long run, or one of what was left, first notes which tests come to which function: the others
say nothing of its mutants.
`--parts N` runs one mutant in N, `--seul TEXTE` those whose line holds it, `--encore FILE` those that the run with this
answer left; the answer is JSON, on the last line: how many were run, and those that no test has seen.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import django.test.utils
import pytest
from django.db import connections
from pytest_django.plugin import blocking_manager_key

from config.tests.preuves.mutants import PASSAGES, SANS_EFFET, Mutant, tous, veiller

RACINE = Path(__file__).resolve().parents[3]
# What says who may do what, beside the tests of the app whose check it is; what is read soonest first.
PARTOUT = [
    *("config/tests/contrat/test_qui_lit_quoi.py", "guests/tests/test_dossiers_reserves.py", "equipes/tests"),
    "homonymes/tests",
    *("socle/realtime/tests/test_garde.py", "resources/tests/test_api_fichiers.py"),
    *("config/tests/contrat/test_idempotence.py", "config/tests/contrat/test_idempotence_cas.py"),
    *(f"config/tests/contrat/test_{nom}.py" for nom in ("second_facteur_exige", "droits", "matrice")),
    *("config/tests/services/test_registre.py", "espace/tests", "portail/tests"),
]
APPS = (
    *(
        "accounts",
        "calendrier",
        "discussions",
        "equipes",
        "forum",
        "guests",
        "homonymes",
        "reponses",
        "resources",
        "signalements",
        "stats",
    ),
    "personnes",
)
LENTS = ("concurren", "proprietes", "plans", "hostile", "volume")
AU_PLUS = 600  # seconds of one mutant
AVEC_CARTE = 20  # mutants, from which it pays to run every test once for it
ENSEMBLE = os.cpu_count() or 1


class Verdict(NamedTuple):
    """How far a child came: the rank of the test that failed, None where all passed, or where time ran out."""

    rang: int | None
    dit: str = ""
    a_fini: bool = True


class Tournee:
    """A plugin that takes the place of the run: the collected tests, once for each mutant."""

    def __init__(self, mutants: list[Mutant], *, avec_carte: bool) -> None:
        self.mutants = mutants
        self.avec_carte = avec_carte
        self.vivants: list[str] = []
        self._voyants: list[str] = []  # tests that have seen one, the latest last: they see the neighbours of it too
        self._carte: dict[str, list[str]] | None = None
        self._dit = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("des tests ne se lisent pas")
        with session.config.stash[blocking_manager_key].unblock():
            bases = django.test.utils.setup_databases(verbosity=0, interactive=False)
            connections.close_all()  # none may be shared with a child
        django.test.utils.setup_databases = lambda *a, **k: []
        django.test.utils.teardown_databases = lambda *a, **k: None
        self._base = Path(connections["default"].settings_dict["NAME"])
        self._vierge = self._base.read_bytes()
        if self.avec_carte:
            debut = time.monotonic()
            self._carte = self._dans_un_enfant(partial(_passages, session.items, self.mutants), AU_PLUS * 6)
            assert self._carte, "aucun test n'a fini à temps"
            print(f"{len(self._carte)} lieux, {time.monotonic() - debut:.0f} s", file=sys.stderr, flush=True)
        for mutant in self.mutants:
            debut = time.monotonic()
            par = self._vu_par(session, mutant)
            if par is None:
                self.vivants.append(mutant.nom)
            dit = "NUL NE LE VOIT" if par is None else "vu"
            print(f"{dit:>14}  {time.monotonic() - debut:5.1f} s  {mutant}  {par or ''}", file=sys.stderr, flush=True)
        del bases
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self._dit:
            self._dit = f"{report.nodeid} {str(report.longrepr).strip().splitlines()[-1]}"

    def _vu_par(self, session: pytest.Session, mutant: Mutant) -> str | None:
        """The test that fails with the mutant and passes without it, and what it said; None if there is none."""
        restent = _dans_l_ordre(self._de(session.items, mutant), mutant)
        rangs = {nodeid: -rang for rang, nodeid in enumerate(self._voyants)}
        restent.sort(key=lambda un: rangs.get(un.nodeid, 1))
        while restent:
            trouve = self._essayer(restent, mutant)
            if not trouve.a_fini:
                print(f"au-delà de {AU_PLUS} s : {mutant}", file=sys.stderr, flush=True)
            if trouve.rang is None:
                return None  # killed by the alarm, nobody has said that it is wrong
            seul = restent[trouve.rang : trouve.rang + 1]
            if self._essayer(seul, mutant).rang is not None and self._essayer(seul, None) == Verdict(None):
                self._voyants.append(seul[0].nodeid)
                return trouve.dit
            print(f"ne prouve rien : {trouve.dit}", file=sys.stderr, flush=True)
            restent = restent[trouve.rang + 1 :]
        return None

    def _de(self, items: list[Any], mutant: Mutant) -> list[Any]:
        """Those that may see it: what comes to its function, where that was noted; else its app's, and `PARTOUT`."""
        if self._carte is None:
            return [un for un in items if un.nodeid.startswith((_app(mutant), *PARTOUT))]
        y_viennent = set(self._carte.get(mutant.lieu, ()))
        return [un for un in items if un.nodeid in y_viennent]

    def _essayer(self, items: list[Any], mutant: Mutant | None) -> Verdict:
        """Run them in a child until one fails."""
        recu = self._dans_un_enfant(partial(self._juger, items, mutant), AU_PLUS)
        return Verdict(None, a_fini=False) if recu is None else Verdict(*recu)

    def _juger(self, items: list[Any], mutant: Mutant | None) -> tuple[int | None, str]:
        if mutant is not None:
            mutant.poser()
        rang = _premier_rouge(items)
        return (None, "") if rang is None else (rang, self._dit)

    def _dans_un_enfant(self, faire: Callable[[], Any], au_plus: int) -> Any:
        """What it answers, on a base that no other has touched; None past these seconds."""
        for suite in ("-wal", "-shm", "-journal"):
            Path(f"{self._base}{suite}").unlink(missing_ok=True)
        self._base.write_bytes(self._vierge)
        lecture, ecriture = os.pipe()
        pid = os.fork()
        if not pid:
            try:
                signal.alarm(au_plus)
                sortie = os.open(os.devnull, os.O_WRONLY)
                os.dup2(sortie, 1)
                os.dup2(sortie, 2)
                rendu = faire()
                signal.alarm(0)
                with os.fdopen(ecriture, "w") as tube:
                    json.dump(rendu, tube)
            finally:
                os._exit(0)
        os.close(ecriture)
        with os.fdopen(lecture) as tube:
            recu = tube.read()
        _pid, fin = os.waitpid(pid, 0)
        return None if os.waitstatus_to_exitcode(fin) == -signal.SIGALRM else json.loads(recu)


def _passages(items: list[Any], mutants: list[Mutant]) -> dict[str, list[str]]:
    """The ids of the tests that come to each function, every statement written anew."""
    from socle.moteur.lectures import PREPAREES  # Django is set up by now

    veiller(mutants)
    carte = defaultdict(list)
    for rang, item in enumerate(items):
        PASSAGES.clear()
        for lecture in PREPAREES:
            lecture.oublier()
        _passer(items, rang)
        for lieu in PASSAGES:
            carte[lieu].append(item.nodeid)
    return carte


def _premier_rouge(items: list[Any]) -> int | None:
    """Run them until one fails; its rank."""
    for rang, item in enumerate(items):
        _passer(items, rang)
        if item.session.testsfailed:
            return rang
    return None


def _passer(items: list[Any], rang: int) -> None:
    suivant = items[rang + 1] if rang + 1 < len(items) else None
    items[rang].config.hook.pytest_runtest_protocol(item=items[rang], nextitem=suivant)


def _dans_l_ordre(items: list[Any], mutant: Mutant) -> list[Any]:
    """The first two of `PARTOUT`, its own app, the others in order; shuffled in each, as neighbours fail together."""
    melange = random.Random(0).sample(items, len(items))
    lieux = (*PARTOUT[:2], _app(mutant), *PARTOUT[2:])
    return sorted(melange, key=lambda un: next((i for i, lieu in enumerate(lieux) if un.nodeid.startswith(lieu)), 99))


def _app(mutant: Mutant) -> str:
    return mutant.fichier.partition("/")[0] + "/"


class Tri:
    """Leaves out what is slow, and what is about time or volume rather than about who."""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [un for un in items if not any(mot in un.nodeid for mot in LENTS)]


def main() -> int:
    lecteur = argparse.ArgumentParser()
    lecteur.add_argument("--parts", type=int, default=1)
    lecteur.add_argument("--seul", default="")
    lecteur.add_argument("--encore", type=Path)
    lecteur.add_argument("--tranche", type=int)
    options = lecteur.parse_args()
    choisis = [un for un in tous() if options.seul in str(un) and un.nom not in SANS_EFFET]
    if options.encore:
        restes = json.loads(options.encore.read_text().splitlines()[-1])["vivants"]
        choisis = [un for un in choisis if un.nom in restes]
    choisis = choisis[:: options.parts]
    if not choisis:
        lecteur.error("rien ne porte ce texte")
    if options.tranche is None:
        return _chacune_la_sienne(len(choisis))
    siens = choisis[options.tranche :: ENSEMBLE]
    tournee = Tournee(siens, avec_carte=bool(options.encore) or len(siens) >= AVEC_CARTE)
    ou = [*PARTOUT, *(f"{app}/tests" for app in APPS)]
    marques = "not parcours and not navigateur and not tableur and not postgres and not preuve"
    code = pytest.main(["-q", "-p", "no:cacheprovider", "-m", marques, *dict.fromkeys(ou)], plugins=[tournee, Tri()])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return int(code)
    print(json.dumps(tournee.vivants))
    return 0


def _chacune_la_sienne(combien: int) -> int:
    """A process for each core, with files and a base of its own."""
    ordres = [[sys.executable, "-m", __spec__.name, *sys.argv[1:], "--tranche", str(n)] for n in range(ENSEMBLE)]
    lances = [subprocess.Popen(ordre, stdout=subprocess.PIPE, text=True) for ordre in ordres]  # noqa: S603
    sorties = [un.communicate()[0] for un in lances]
    if ratee := next((un.returncode for un in lances if un.returncode), 0):
        return ratee
    vivants = [nom for sortie in sorties for nom in json.loads(sortie.splitlines()[-1])]
    print(json.dumps({"mutants": combien, "vivants": vivants}))
    return 0


if __name__ == "__main__":
    os.chdir(RACINE)
    sys.exit(main())
