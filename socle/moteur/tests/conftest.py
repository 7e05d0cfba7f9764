from collections.abc import Sequence

import pytest

from socle.moteur.choix import ORDINAIRE

# What they look at is not there when the ordinary engine serves.
_DU_MOTEUR = ("test_pipeline.py", "test_issue.py", "test_lectures.py", "test_sorties.py")


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    if ORDINAIRE:
        for item in items:
            if item.path.parent.name == "tests" and item.path.name in _DU_MOTEUR and "moteur" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason="le moteur ordinaire n'a rien de cela"))
