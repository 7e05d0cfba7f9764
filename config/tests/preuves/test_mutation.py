"""Each check of who may do what is held by a test: removed, one turns red."""

import json
import os
import subprocess
import sys

import pytest

from config.tests.serveur import RACINE

# Checks that change no answer when they are removed, and why they are there nevertheless.
SANS_EFFET: dict[str, str] = {
    "discussions/permissions.py discussion_accessible : est_surveille(acteur) and (not discussion.est_de(acteur)) -> "
    "not discussion.est_de(acteur)": "whoever is not of the team passes this door to discussions of theirs alone",
}


@pytest.mark.preuve
def test_chaque_controle_retire_fait_rougir_un_test(longue, chiffre):
    ordre = [sys.executable, "-m", "config.tests.preuves.mutation", "--parts", "1" if longue else "100"]
    environnement = {nom: v for nom, v in os.environ.items() if not nom.startswith(("TEST_", "CAMPUS_"))}

    fait = subprocess.run(ordre, cwd=RACINE, env=environnement, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603

    rendu = json.loads(fait.stdout.splitlines()[-1])
    vivants = [un for un in rendu["vivants"] if un not in SANS_EFFET]
    chiffre("contrôles retirés, un à un", rendu["mutants"])
    chiffre("contrôles que nul test ne tient", len(vivants))
    assert vivants == []
