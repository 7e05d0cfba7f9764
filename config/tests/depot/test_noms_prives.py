"""Private names of other people's code that ours calls or replaces: each is listed, with what breaks if it moves."""

import ast
import importlib
import re
from pathlib import Path
from types import FunctionType

from config.tests.outils.arbres import RACINE, arbres

PAGE = RACINE / "docs" / "mise-a-niveau.md"
# Documented, though they begin with `_`: of a model, a row, a named tuple, a storage, the system.
PUBLICS = {
    *("_meta", "_default_manager", "_base_manager", "_state", "_save", "_exit"),
    *("_replace", "_asdict", "_fields", "_make"),
}


def est_prive(nom: str) -> bool:
    """True for `_x`; not for `__x__` nor for the `_x_` of an enumeration, which are Python's."""
    return nom.startswith("_") and not nom.startswith("__") and not nom.endswith("_") and nom not in PUBLICS


def definis(arbres: dict[str, ast.Module]) -> set[str]:
    """What ours defines under a private name: functions, classes, variables, slots, attributes of `self`."""
    noms: set[str] = set()
    for noeud in (noeud for arbre in arbres.values() for noeud in ast.walk(arbre)):
        if isinstance(noeud, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            noms.add(noeud.name)
        elif isinstance(noeud, ast.Attribute) and isinstance(noeud.ctx, ast.Store) and _est_soi(noeud.value):
            noms.add(noeud.attr)
        elif isinstance(noeud, ast.Name) and isinstance(noeud.ctx, ast.Store):
            noms.add(noeud.id)
        elif isinstance(noeud, ast.Constant) and isinstance(noeud.value, str) and noeud.value.isidentifier():
            noms.add(noeud.value)  # a slot
    return noms


def d_autrui(arbre: ast.Module, nos_noms: set[str]) -> set[str]:
    """The private names of others that a module imports, reads of an object or of itself, or calls by `super()`."""
    trouves: set[str] = set()
    for noeud in ast.walk(arbre):
        if isinstance(noeud, ast.ImportFrom) and noeud.level == 0:
            ailleurs = (noeud.module or "").partition(".")[0] not in _NOTRES
            trouves |= {un.name for un in noeud.names if ailleurs and est_prive(un.name)}
        elif isinstance(noeud, ast.Attribute) and est_prive(noeud.attr):
            du_parent = isinstance(noeud.value, ast.Call) and getattr(noeud.value.func, "id", "") == "super"
            if du_parent or noeud.attr not in nos_noms:
                trouves.add(noeud.attr)
    return trouves


def redefinis(chemin: str, arbre: ast.Module) -> set[str]:
    """The private methods of others that a class of this module replaces."""
    classes = [noeud.name for noeud in arbre.body if isinstance(noeud, ast.ClassDef)]
    if not classes or "/migrations/" in chemin or "/management/" in chemin:
        return set()
    module = importlib.import_module(chemin.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    trouves: set[str] = set()
    for classe in (getattr(module, nom) for nom in classes):
        miens = {nom for nom, valeur in vars(classe).items() if isinstance(valeur, FunctionType) and est_prive(nom)}
        trouves |= {nom for nom in miens for base in classe.__mro__[1:] if nom in vars(base) and not _est_a_nous(base)}
    return trouves


def _est_a_nous(classe: type) -> bool:
    return classe.__module__.partition(".")[0] in _NOTRES


def _est_soi(noeud: ast.expr) -> bool:
    return isinstance(noeud, ast.Name) and noeud.id in ("self", "cls")


_NOTRES = {chemin.parent.name for chemin in Path(RACINE).glob("*/__init__.py")}


def test_chaque_nom_prive_d_autrui_est_dans_la_liste_et_nul_autre():
    tous = arbres()
    nos_noms = definis(tous)

    utilises = {
        (chemin, nom) for chemin, arbre in tous.items() for nom in d_autrui(arbre, nos_noms) | redefinis(chemin, arbre)
    }

    hors_des_salles = [nom for chemin, nom in utilises if not chemin.startswith(("socle/moteur/", "config/serveur/"))]
    assert len(hors_des_salles) <= 6
    ecrits = re.findall(r"^\| `([\w.]+)` \| `([\w/.]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    listes = {(chemin, nom.rpartition(".")[2]) for nom, chemin in ecrits}
    assert utilises <= listes
    assert [(chemin, nom) for chemin, nom in listes if nom not in (RACINE / chemin).read_text(encoding="utf-8")] == []
