"""Signals announce and calls hold: what is true with a row is written before anybody is told, and by no receiver."""

import ast
from pathlib import Path

import pytest
from django.conf import settings as reglages

APPS = (
    "accounts",
    "calendrier",
    "discussions",
    "forum",
    "guests",
    "portail",
    "resources",
    "signalements",
    "socle",
    "stats",
)
FICHIERS = [
    chemin
    for app in APPS
    for chemin in sorted((reglages.BASE_DIR / app).rglob("*.py"))
    if not {"tests", "migrations"} & set(chemin.parts)
]
INTERDITS = {"services", "compteurs", "fusion", "journal"}
# Signing in and out of the admin site is Django's act: its own signals alone tell of them.
DE_DJANGO = {"accounts.services.sessions"}
ECRIVENT = {"save", "create", "update", "delete", "enregistrer", "bulk_create", "bulk_update", "indexer"}
# Told before the end, since what follows closes the sockets that must still hear it, or opens channels to others.
AVANT_LA_FIN = {
    "accounts/services/comptes.py:desactiver",
    "accounts/services/effacement.py:effacer",
    "guests/fusion/retour.py:annuler",
    "stats/exports/services.py:perimer",  # one export is told of; the others are written
}


def arbre(chemin: Path) -> ast.Module:
    return ast.parse(chemin.read_text(encoding="utf-8"))


def nom(chemin: Path) -> str:
    return chemin.relative_to(reglages.BASE_DIR).as_posix()


def appels(noeud: ast.AST) -> list[ast.Call]:
    return [n for n in ast.walk(noeud) if isinstance(n, ast.Call)]


def signaux_de(module: ast.Module) -> set[str]:
    """The names under which a module has signals at hand."""
    importes = [n for n in ast.walk(module) if isinstance(n, ast.ImportFrom) and (n.module or "").endswith("signals")]
    return {alias.asname or alias.name for n in importes for alias in n.names}


def annonce(noeud: ast.AST, signaux: set[str]) -> bool:
    """True where a signal is sent there, or by the function that a service keeps for it."""
    for appel in appels(noeud):
        match appel.func:
            case ast.Attribute(value=ast.Name(id=signal), attr="send") if signal in signaux:
                return True
            case ast.Name(id="_annoncer"):
                return True
    return False


def ecrit_apres(corps: list[ast.stmt], signaux: set[str]) -> list[int]:
    """The lines that do something after an announcement of this block."""
    lignes, dite = [], False
    for instruction in corps:
        if annonce(instruction, signaux):
            dite = True
        elif dite and not isinstance(instruction, ast.Return):
            lignes.append(instruction.lineno)
    return lignes


def fonctions() -> list[tuple[str, ast.FunctionDef, set[str]]]:
    return [
        (f"{nom(chemin)}:{noeud.name}", noeud, signaux_de(module))
        for chemin in FICHIERS
        if chemin.name != "events.py"
        for module in [arbre(chemin)]
        for noeud in ast.walk(module)
        if isinstance(noeud, ast.FunctionDef) and signaux_de(module)
    ]


def test_les_signaux_ne_s_ecoutent_que_dans_events():
    ecoutent = {nom(c) for c in FICHIERS for a in appels(arbre(c)) if getattr(a.func, "id", "") == "receiver"}

    assert ecoutent == {f"{app}/events.py" for app in APPS if app != "socle"}


@pytest.mark.parametrize("app", [app for app in APPS if app != "socle"])
def test_qui_ecoute_publie_et_n_ecrit_rien_d_autre(app):
    module = arbre(reglages.BASE_DIR / app / "events.py")

    importes = {n.module for n in ast.walk(module) if isinstance(n, ast.ImportFrom)}
    ecrits = {a.func.attr for a in appels(module) if isinstance(a.func, ast.Attribute)} & ECRIVENT
    assert ecrits == set()
    assert not [m for m in importes - DE_DJANGO if m and INTERDITS & set(m.split("."))]


def test_un_service_annonce_a_sa_fin():
    trouvees = {cle: lignes for cle, noeud, signaux in fonctions() if (lignes := ecrit_apres(noeud.body, signaux))}

    assert trouvees.keys() == AVANT_LA_FIN


def test_une_ecriture_apres_l_annonce_serait_trouvee():
    fautif = ast.parse("def f():\n    if x:\n        cree.send(M)\n    autre.save()\n    return autre").body[0]

    assert isinstance(fautif, ast.FunctionDef)
    assert ecrit_apres(fautif.body, {"cree"}) == [4]
