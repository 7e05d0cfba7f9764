"""What makes the suite fast, and changes nothing of what it says; a plugin that pytest.ini names."""

import gc
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase

from socle.audit import protection


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m` and a single mark, a file that does not name it need not be read."""
    marque = config.getoption("markexpr")
    if marque.isidentifier() and collection_path.name.startswith("test_") and collection_path.suffix == ".py":
        return f"mark.{marque}" not in collection_path.read_text(encoding="utf-8") or None
    return None


def pytest_collection_finish() -> None:
    """What is collected lives to the end: the garbage collector need not walk it again and again."""
    gc.collect()
    gc.freeze()


def _vider(_cas: TransactionTestCase) -> None:
    """Rows are deleted: to truncate every table and make the permissions again would take ten times as long."""
    gardees = {"django_content_type", "auth_permission"}
    tables = [t for t in connection.introspection.django_table_names(only_existing=True) if t not in gardees]
    if protection.est_posee(connection):  # a test has put it back, by migrating
        protection.lever(connection)
    with transaction.atomic(), connection.cursor() as curseur:  # their keys are checked at the end
        for table in tables:
            curseur.execute(f"DELETE FROM {table}")  # noqa: S608 -- our own names


@pytest.fixture(scope="session", autouse=True)
def _menage():
    with pytest.MonkeyPatch.context() as remplacements:
        remplacements.setattr(TransactionTestCase, "_fixture_teardown", _vider)
        yield
