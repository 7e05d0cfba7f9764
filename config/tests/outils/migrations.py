"""When the tests of released migrations are played: each migrates a base of its age back and forth for a minute."""

import os

import pytest

# What is released does not change. `config/tests/services/test_mise_a_jour.py` brings a base of the first version up to
# date on every run; these look at each of its steps, in the long proofs.
DEJA_PUBLIEES = [
    pytest.mark.preuve,
    pytest.mark.skipif(os.environ.get("PREUVES") != "longue", reason="une migration publiée : PREUVES=longue"),
]
