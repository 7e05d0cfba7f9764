"""HTTP figures: each route served by a real process to eight clients, then called beside a bare view in this one."""

import asyncio
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import uvloop

from demo.bench import interne
from demo.bench.connexion import ConnexionHttp
from demo.bench.routes import Campus, RouteMesuree, routes
from demo.bench.service import Service

CONNEXIONS = 8
TRANCHE_SECONDES = 0.4
TOURS = 5
TOURS_INTERNES, FOIS = 15, 10


def mesurer(campus: Campus, service: Service, *, rapide: bool) -> Iterator[dict[str, Any]]:
    """Slices of the routes alternate, so that what else the machine does falls on all of them."""
    demandes = routes(campus)
    tours, duree = (1, 0.05) if rapide else (TOURS, TRANCHE_SECONDES)
    servies: dict[str, list[dict[str, Any]]] = {nom: [] for nom in demandes}
    for demande in demandes.values():
        uvloop.run(_charger(service, demande, duree / 4))  # warms up
    for _tour in range(tours):
        for nom, demande in demandes.items():
            servies[nom].append(uvloop.run(_charger(service, demande, duree)))
    for nom, demande in demandes.items():
        tranches = servies[nom]
        attentes = sorted(attente for tranche in tranches for attente in tranche["attentes"])
        processeur = None if tranches[0]["processeur"] is None else median(t["processeur"] for t in tranches)
        yield {
            "quoi": "http",
            "nom": nom,
            "debit": median(t["debit"] for t in tranches),
            "p50": attentes[len(attentes) // 2],
            "p99": attentes[len(attentes) * 99 // 100],
            "processeur": processeur,
            **_dans_le_processus(demande, *((1, 1) if rapide else (TOURS_INTERNES, FOIS))),
        }


async def _charger(service: Service, demande: RouteMesuree, duree: float) -> dict[str, Any]:
    """Closed loop: each connection asks again as soon as it is answered, until the time is over."""
    octets, attentes = demande.octets(), list[float]()
    connexions = [await ConnexionHttp.ouvrir(service.port) for _une in range(CONNEXIONS)]
    processeur, debut = service.processeur(), time.perf_counter()

    async def insister(connexion: ConnexionHttp) -> None:
        while True:
            depart = time.perf_counter()
            await connexion.demander(demande, octets)
            attentes.append(time.perf_counter() - depart)
            if time.perf_counter() > debut + duree:
                return

    await asyncio.gather(*map(insister, connexions))
    passe, consomme = time.perf_counter() - debut, service.processeur()
    for connexion in connexions:
        connexion.fermer()
    cout = None if processeur is None or consomme is None else (consomme - processeur) / len(attentes)
    return {"attentes": attentes, "debit": len(attentes) / passe, "processeur": cout}


def _dans_le_processus(demande: RouteMesuree, tours: int, fois: int) -> dict[str, Any]:
    """Costs of the route, of the bare view and of the bare statements, each of its best turn: the machine only adds."""
    nue = interne.vue_nue(demande)
    lus = []
    for _tour in range(tours):
        requetes = interne.Requetes(demande)  # of now: a message already written would not be written again
        sql = requetes.executer(fois)
        lus.append((sql, interne.chronometrer(demande.appeler, fois), interne.chronometrer(nue, fois)))
    secondes = [min(cout.secondes for cout in couts) for couts in zip(*lus, strict=True)]
    calculs = [min(cout.processeur for cout in couts) for couts in zip(*lus, strict=True)]
    return {
        "requetes": requetes.nombre,
        "sql": secondes[0],
        "interne": secondes[1],
        "nue": secondes[2],
        "processeur_nue": median(nue.processeur for _sql, _route, nue in lus),
        "rapport": secondes[1] / secondes[2],
        "calcul": calculs[1] / calculs[2],
    }
