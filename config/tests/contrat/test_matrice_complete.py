"""The table of who may do what names every route, every channel, and everybody."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from config.tests.outils.scene import HTTP, LIGNES, WS, methodes_de, nom_de_canal, operation_de
from socle.realtime import canaux

PREFIXES = ("api/v1/", "health", "metrics", "openapi", "asyncapi")
ACTEURS = {
    "anonymous",
    "guest_owner",
    "guest_stranger",
    "user_owner",
    "user_stranger",
    "gestionnaire",
    "admin",
    "deactivated_user",
    "revoked_session",
    "merged_guest",
    "disabled_guest",
}


def operations_existantes(resolveur: URLResolver | None = None, debut: str = "") -> Iterator[tuple[str, str]]:
    for motif in (resolveur or get_resolver()).url_patterns:
        route = URLResolver._join_route(debut, str(motif.pattern))
        if isinstance(motif, URLResolver):
            yield from operations_existantes(motif, route)
        elif isinstance(motif, URLPattern) and route.lstrip("^").startswith(PREFIXES):
            yield from ((methode, route) for methode in methodes_de(motif.callback))


def test_chaque_operation_a_ses_lignes():
    couvertes = {operation_de(ligne) for ligne in HTTP}

    oubliees = set(operations_existantes()) - couvertes

    assert oubliees == set(), "ajoutez leurs lignes à permission-matrix.csv"


def test_chaque_canal_inscrit_a_ses_lignes():
    oublies = {nom for nom, _regle in canaux._regles.items()} - {nom_de_canal(ligne) for ligne in WS}

    assert oublies == set(), "ajoutez leurs lignes à permission-matrix.csv"


def test_chaque_groupe_de_lignes_nomme_tous_les_acteurs_une_fois():
    groupes: dict[tuple[str, str], list[str]] = {}
    for ligne in LIGNES:
        groupes.setdefault((ligne.methode, ligne.chemin), []).append(ligne.acteur)

    incomplets = {
        cle for cle, noms in groupes.items() if set(noms) - {"bad_bearer_good_guest"} != ACTEURS or len(noms) > 12
    }

    assert incomplets == set()
