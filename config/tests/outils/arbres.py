"""The product's own modules as syntax trees, parsed once for all the tests that read them."""

import ast
from functools import cache

from django.conf import settings

RACINE = settings.BASE_DIR


@cache
def arbres() -> dict[str, ast.Module]:
    """Their paths, from the root, with their trees; nobody changes these."""
    dossiers = [dossier for dossier in RACINE.iterdir() if dossier.is_dir() and not dossier.name.startswith(".")]
    chemins = sorted([*RACINE.glob("*.py"), *(chemin for dossier in dossiers for chemin in dossier.rglob("*.py"))])
    produits = (chemin for chemin in chemins if "tests" not in chemin.parts and chemin.name != "conftest.py")
    return {str(chemin.relative_to(RACINE)): ast.parse(chemin.read_text(encoding="utf-8")) for chemin in produits}
