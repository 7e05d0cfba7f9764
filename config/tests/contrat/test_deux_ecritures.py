"""Every route answers with and without its trailing slash."""

from typing import Any

import pytest
from django.urls import resolve

from config.tests.outils import document, refermer
from config.tests.outils.envois import CHEMINS, HORS_DOCUMENT
from config.tests.outils.scene import Scene, exemple_de, methodes_de

pytestmark = [pytest.mark.django_db, pytest.mark.longue]


@pytest.mark.parametrize("chemin", [*CHEMINS, *HORS_DOCUMENT])
def test_une_adresse_repond_de_meme_avec_et_sans_barre_finale(brut, chemin):
    nue = exemple_de(chemin).rstrip("/")
    methodes = methodes_de(resolve(nue).func)

    reponses = [[brut.generic(m, url) for m in sorted(methodes)] for url in (nue, f"{nue}/")]

    vues = [
        [(r.status_code, r.headers.get("Content-Type"), r.json().get("code") if est_json(r) else None) for r in rs]
        for rs in reponses
    ]
    assert vues[0] == vues[1]
    assert not {statut for statut, *_ in vues[0]} & {301, 302, 307, 308, 404} or "{" in chemin


def est_json(reponse: Any) -> bool:
    return reponse.headers.get("Content-Type") == "application/json"


@pytest.mark.parametrize("chemin", [c for c in CHEMINS if "get" in document()["paths"][c]])
def test_une_lecture_rend_les_memes_donnees_avec_et_sans_barre_finale(chemin):
    scene = Scene()
    url = exemple_de(chemin).rstrip("/")

    lues = []
    for barre in ("", "/"):
        reponse = scene.client("admin").get(f"{url}{barre}")
        dit = reponse.json().get("data") if est_json(reponse) else reponse.headers["Content-Type"]
        lues.append((reponse.status_code, dit))
        refermer(reponse)

    assert lues[0] == lues[1]


def test_deux_barres_finales_sont_une_autre_adresse(brut):
    assert brut.get("/api/v1/signalements//").status_code == 404
