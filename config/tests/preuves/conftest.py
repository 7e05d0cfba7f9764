"""Proofs: `make prove`. Short by default, long where PREUVES is `longue`; their figures are a table at the end."""

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from config.tests.pannes.conftest import donnees, installation, pile, postgres, redis_propre

__all__ = ["donnees", "installation", "pile", "postgres", "redis_propre"]

Chiffrer = Callable[[str, Any], None]
_CHIFFRES = pytest.StashKey[list[tuple[str, str]]]()


@pytest.fixture(scope="session")
def longue() -> bool:
    """True where the whole proof is asked for, which takes hours."""
    return os.environ.get("PREUVES") == "longue"


@pytest.fixture
def chiffre(request: pytest.FixtureRequest) -> Chiffrer:
    """chiffre("messages confirmés", 1200): a row of the table."""
    return lambda quoi, combien: request.config.stash[_CHIFFRES].append((quoi, str(combien)))


def pytest_configure(config: pytest.Config) -> None:
    logging.getLogger("httpx").setLevel(logging.WARNING)  # a line for each of many calls
    config.stash.setdefault(_CHIFFRES, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    lignes = config.stash[_CHIFFRES]
    if not lignes:
        return
    terminalreporter.section("chiffres")
    largeur = max(len(quoi) for quoi, _combien in lignes)
    for quoi, combien in lignes:
        terminalreporter.write_line(f"{quoi:<{largeur}}  {combien}")
    if ou := os.environ.get("PREUVES_CHIFFRES"):
        Path(ou).write_text(json.dumps(dict(lignes), ensure_ascii=False, indent=1), encoding="utf-8")
