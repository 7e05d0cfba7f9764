from typing import Any

import pytest

from resources.tests.conftest import magasin, serveur_s3

__all__ = ["magasin", "serveur_s3"]


@pytest.fixture(autouse=True)
def depot(settings: Any, tmp_path: Any) -> Any:
    """An empty store on disk; its folder of exports."""
    local = {**settings.STORAGES["local"], "OPTIONS": {"location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "default": local, "local": local}
    settings.EXPORT_TEMP_DIR = tmp_path / "tmp"
    return tmp_path / "files" / "exports"
