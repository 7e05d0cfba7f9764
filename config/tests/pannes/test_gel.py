"""A process of the service that is stopped past its deadlines, and goes on: what it then answers is true."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx
import pytest

from config.tests.outils.serveur import Serveur
from config.tests.pannes.conftest import Demarrer

pytestmark = pytest.mark.parcours
GEL_SECONDES = 20.0
PERSONNES = 12


def test_ce_qui_est_valide_pendant_un_gel_est_repondu_comme_fait(demarrer: Demarrer):
    """No write that is refused as not done is there afterwards; what cannot be known says so."""
    serveur = demarrer()
    fin, reponses = threading.Event(), []

    def ecrire(rang: int, client: httpx.Client) -> None:
        with closing(client):
            tour = 0
            while not fin.is_set():
                tour += 1
                titre = f"Dossier {rang}-{tour}"
                corps = {"titre": titre, "description": "Devant l'amphi.", "type": "VOL"}
                reponse = client.post("/api/v1/signalements/", json=corps)
                reponses.append((titre, reponse.status_code, reponse.json().get("code")))
            reponses.extend((titre, 0, "EST LA") for titre in _titres(client))

    clients = [_invite(serveur, rang) for rang in range(PERSONNES)]
    with ThreadPoolExecutor(PERSONNES) as personnes:
        futurs = [personnes.submit(ecrire, rang, client) for rang, client in enumerate(clients)]
        time.sleep(1)
        _geler(serveur)
        time.sleep(1)
        fin.set()
        for futur in futurs:
            futur.result()

    presents = {titre for titre, _statut, code in reponses if code == "EST LA"}
    dits = [(titre, statut, code) for titre, statut, code in reponses if code != "EST LA"]
    assert len(dits) > PERSONNES
    assert [un for un in dits if un[1] == 201 and un[0] not in presents] == []
    assert [un for un in dits if un[2] not in (None, "RESULT_UNKNOWN") and un[0] in presents] == []
    assert {statut for _titre, statut, _code in dits} <= {201, 503}


def _invite(serveur: Serveur, rang: int) -> httpx.Client:
    client = httpx.Client(base_url=serveur.url, timeout=60)
    ouverte = client.post("/api/v1/guest/sessions", json={"telephone": f"+3363998{rang:04}"})
    client.headers["X-Guest-Id"] = ouverte.json()["data"]["guestId"]
    return client


def _geler(serveur: Serveur) -> None:
    serveur.geler()
    try:
        time.sleep(GEL_SECONDES)
    finally:
        serveur.degeler()


def _titres(client: httpx.Client) -> list[str]:
    titres: list[str] = []
    while True:
        adresse = f"/api/v1/signalements/guest/me?size=100&page={len(titres) // 100}"
        donnees = client.get(adresse).json()["data"]
        titres += [un["titre"] for un in donnees["items"]]
        if len(titres) >= donnees["total"]:
            return titres
