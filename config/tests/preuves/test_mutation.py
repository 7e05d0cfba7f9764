"""Each check of who may do what is held by a test: removed, one turns red."""

import json
import os
import subprocess
import sys

import pytest

from config.tests.outils.serveur import RACINE
from config.tests.preuves.mutants import SANS_EFFET, tous


@pytest.mark.preuve
def test_chaque_controle_retire_fait_rougir_un_test(longue, chiffre):
    ordre = [sys.executable, "-m", "config.tests.preuves.mutation", "--parts", "1" if longue else "400"]
    environnement = {nom: v for nom, v in os.environ.items() if not nom.startswith(("TEST_", "CAMPUS_"))}

    fait = subprocess.run(ordre, cwd=RACINE, env=environnement, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603

    rendu = json.loads(fait.stdout.splitlines()[-1])
    chiffre("contrôles retirés, un à un", rendu["mutants"])
    chiffre("contrôles que nul test ne tient", len(rendu["vivants"]))
    assert rendu["vivants"] == []
    assert set(SANS_EFFET) <= {un.nom for un in tous()}
