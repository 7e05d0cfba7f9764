"""The profiled process of `manage.py profile`: one route, called again and again, and its flame graph."""

import time
from pathlib import Path
from typing import Any

from django.conf import settings

from demo.bench import flamme
from demo.bench.routes import Campus, RouteMesuree, installer, routes
from demo.bench.volume import remplir

TOUR_DE_CHAUFFE = 20


def profiler(route: str, *, qui: str, secondes: float, signalements: int, sortie: Path) -> dict[str, Any]:
    remplir(signalements)
    campus = installer()
    demande = demande_de(route, campus, qui)
    for _une in range(TOUR_DE_CHAUFFE):
        demande.appeler()
    appels = 0

    def insister() -> None:
        nonlocal appels
        fin = time.perf_counter() + secondes
        while time.perf_counter() < fin:
            demande.appeler()
            appels += 1

    piles = flamme.relever(insister)
    titre = f"{demande.methode} {demande.chemin}, {appels} appels"
    sortie.write_text(flamme.dessiner(piles, titre=titre, notres=_les_notres()), encoding="utf-8")
    return {"quoi": "profil", "appels": appels, "secondes": secondes / appels}


def demande_de(route: str, campus: Campus, qui: str) -> RouteMesuree:
    """The route of this name in the table of `manage.py bench`, or GET this path as this person."""
    if not route.startswith("/"):
        connues = routes(campus)
        if route not in connues:
            raise SystemExit(f"Route inconnue. Un chemin, ou : {', '.join(connues)}.")
        return connues[route]
    chemin = route.replace("{signalement}", campus.signalement).replace("{discussion}", campus.discussion)
    return RouteMesuree("GET", chemin, getattr(campus, qui).entetes)


def _les_notres() -> set[str]:
    return {dossier.name for dossier in Path(settings.BASE_DIR).iterdir() if (dossier / "__init__.py").exists()}
