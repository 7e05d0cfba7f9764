"""Examples of the API's description are exchanges that take place: each is exchanged again, and is the same."""

import json
import os
import re

import pytest

from config.tests.outils.evenements import envoye
from config.tests.outils.exemples import DOSSIER, description_de, exemple_de, routes
from config.tests.outils.formes import valideur
from socle.api.evenements import EXEMPLES, declares

pytestmark = pytest.mark.django_db
ROUTES = routes()
SANS_DESCRIPTION = {
    f"GET /api/v1/{page}" for page in ("openapi.json", "asyncapi.json", "docs", "docs/evenements", "redoc")
} | {
    "GET /openapi.json",
    "GET /asyncapi.json",
}


@pytest.mark.longue
@pytest.mark.parametrize("route", ROUTES)
def test_un_exemple_est_ce_qui_s_echange(route):
    decrite = description_de(route)
    if decrite is None:
        assert route in SANS_DESCRIPTION
        return
    exemple, fichier = (
        exemple_de(ROUTES[route], refuse_le_vide="422" in decrite["responses"]),
        DOSSIER / f"{decrite['operationId']}.json",
    )
    if os.environ.get("EXEMPLES") == "ecrire":
        fichier.write_text(exemple.imprime, encoding="utf-8")

    assert json.loads(fichier.read_text(encoding="utf-8")) == json.loads(exemple.imprime)


@pytest.mark.parametrize("type_", [une.type for une in declares()])
def test_l_exemple_d_un_evenement_est_ce_qui_s_envoie(type_):
    exemple, fichier = envoye(type_), EXEMPLES / f"{type_}.json"
    if os.environ.get("EXEMPLES") == "ecrire":
        fichier.write_text(json.dumps(exemple, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")

    assert json.loads(fichier.read_text(encoding="utf-8")) == exemple
    assert list(valideur(type_).iter_errors(exemple)) == []


def test_chaque_type_a_son_exemple_et_nul_autre():
    assert {fichier.stem for fichier in EXEMPLES.glob("*.json")} == {une.type for une in declares()}


def test_chaque_operation_a_ses_exemples_et_nulle_autre():
    decrites = [decrite for route in ROUTES if (decrite := description_de(route))]

    assert {fichier.stem for fichier in DOSSIER.glob("*.json")} == {une["operationId"] for une in decrites}


def test_aucun_exemple_ne_nomme_une_machine_ni_une_adresse_d_ici():
    trouves = {
        f"{fichier.stem}: {mot}"
        for fichier in DOSSIER.rglob("*.json")
        for mot in re.findall(r"testserver|localhost|/tmp/|/root/|\+243\d+|canari", fichier.read_text(encoding="utf-8"))
    }

    assert trouves == set()
