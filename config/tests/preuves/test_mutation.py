"""Each check of who may do what is held by a test: removed, one turns red."""

import json
import os
import subprocess
import sys

import pytest

from config.tests.outils.serveur import RACINE
from config.tests.preuves.mutants import SANS_EFFET, tous


def test_les_controles_que_rien_ne_tient_a_dessein_sont_encore_du_nombre():
    assert set(SANS_EFFET) <= {un.nom for un in tous()}


@pytest.mark.preuve
def test_chaque_controle_retire_fait_rougir_un_test(longue, chiffre):
    """In the long proofs alone: the suite is collected by each process, whatever the number of mutants."""
    if not longue:
        pytest.skip("des heures : PREUVES=longue")
    ordre = [sys.executable, "-m", "config.tests.preuves.mutation"]
    environnement = {nom: v for nom, v in os.environ.items() if not nom.startswith(("TEST_", "CAMPUS_"))}

    fait = subprocess.run(ordre, cwd=RACINE, env=environnement, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603

    rendu = json.loads(fait.stdout.splitlines()[-1])
    chiffre("contrôles retirés, un à un", rendu["mutants"])
    chiffre("contrôles que nul test ne tient", len(rendu["vivants"]))
    assert rendu["vivants"] == []
