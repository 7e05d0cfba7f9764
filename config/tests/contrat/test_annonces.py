"""Signals announce: a service writes, then tells; receivers publish, or bring an app above its own rows."""

import ast
from collections.abc import Iterator

import pytest

from config.tests.outils.arbres import arbres

MODULES = {chemin: arbre for chemin, arbre in arbres().items() if "/" in chemin and "/migrations/" not in chemin}
PUBLIENT = sorted(chemin for chemin in MODULES if chemin.endswith("/events.py"))
AJOUTENT = sorted(chemin for chemin in MODULES if chemin.endswith("/receveurs.py"))
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


def appels(noeud: ast.AST) -> list[ast.Call]:
    return [n for n in ast.walk(noeud) if isinstance(n, ast.Call)]


def modules_importes(module: ast.Module) -> set[str]:
    return {n.module for n in ast.walk(module) if isinstance(n, ast.ImportFrom) and n.module}


def ecritures(module: ast.Module) -> set[str]:
    return {appel.func.attr for appel in appels(module) if isinstance(appel.func, ast.Attribute)} & ECRIVENT


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


def fonctions() -> Iterator[tuple[str, ast.FunctionDef, set[str]]]:
    for chemin, module in MODULES.items():
        if not chemin.endswith("events.py") and (signaux := signaux_de(module)):
            for noeud in ast.walk(module):
                if isinstance(noeud, ast.FunctionDef):
                    yield f"{chemin}:{noeud.name}", noeud, signaux


def test_les_signaux_ne_s_ecoutent_que_dans_leurs_receveurs():
    ecoutent = {c for c, module in MODULES.items() for a in appels(module) if getattr(a.func, "id", "") == "receiver"}

    assert ecoutent == {*PUBLIENT, *AJOUTENT}


@pytest.mark.parametrize("chemin", PUBLIENT)
def test_qui_publie_n_ecrit_rien_d_autre(chemin):
    importes = modules_importes(MODULES[chemin])

    assert "socle.realtime.diffusion" in importes
    assert ecritures(MODULES[chemin]) == set()
    assert not [m for m in importes - DE_DJANGO if INTERDITS & set(m.split("."))]


@pytest.mark.parametrize("chemin", AJOUTENT)
def test_qui_ajoute_des_lignes_le_fait_par_les_services_de_son_application(chemin):
    importes = modules_importes(MODULES[chemin])

    assert "socle.realtime.diffusion" not in importes
    assert ecritures(MODULES[chemin]) == set()
    assert {m.split(".")[0] for m in importes if INTERDITS & set(m.split("."))} <= {chemin.split("/")[0]}


def test_un_service_annonce_a_sa_fin():
    trouvees = {cle: lignes for cle, noeud, signaux in fonctions() if (lignes := ecrit_apres(noeud.body, signaux))}

    assert trouvees.keys() == AVANT_LA_FIN


def test_une_ecriture_apres_l_annonce_serait_trouvee():
    fautif = ast.parse("def f():\n    if x:\n        cree.send(M)\n    autre.save()\n    return autre").body[0]

    assert isinstance(fautif, ast.FunctionDef)
    assert ecrit_apres(fautif.body, {"cree"}) == [4]
