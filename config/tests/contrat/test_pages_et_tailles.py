"""Pages of a list: their numbers and their bounds."""

from typing import Any

import pytest

from config.tests.outils import acteur_de
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db


def page(client: Any, question: str = "") -> dict[str, Any]:
    donnees = client.get(f"/api/v1/signalements/me{question}").json()["data"]
    return {nom: donnees[nom] for nom in ("total", "page", "size", "pages")} | {"items": len(donnees["items"])}


def test_une_liste_vide_n_a_aucune_page(api, etudiante):
    assert page(api(etudiante)) == {"total": 0, "page": 0, "size": 20, "pages": 0, "items": 0}


@pytest.mark.parametrize(
    ("question", "attendue"),
    [
        ("", {"total": 3, "page": 0, "size": 20, "pages": 1, "items": 3}),
        ("?size=2", {"total": 3, "page": 0, "size": 2, "pages": 2, "items": 2}),
        ("?size=2&page=1", {"total": 3, "page": 1, "size": 2, "pages": 2, "items": 1}),
        ("?size=2&page=2", {"total": 3, "page": 2, "size": 2, "pages": 2, "items": 0}),
        ("?page=2147483647", {"total": 3, "page": 2147483647, "size": 20, "pages": 1, "items": 0}),
        ("?size=3", {"total": 3, "page": 0, "size": 3, "pages": 1, "items": 3}),
        ("?size=1", {"total": 3, "page": 0, "size": 1, "pages": 3, "items": 1}),
        ("?size=1000", {"total": 3, "page": 0, "size": 100, "pages": 1, "items": 3}),
        ("?size=101&page=0", {"total": 3, "page": 0, "size": 100, "pages": 1, "items": 3}),
    ],
)
def test_une_page_dit_ou_elle_en_est(api, etudiante, question, attendue):
    for _ in range(3):
        fabriques.signalement(acteur_de(etudiante))

    assert page(api(etudiante), question) == attendue


def test_les_pages_mises_bout_a_bout_rendent_chaque_ligne_une_fois(api, etudiante):
    faits = {str(fabriques.signalement(acteur_de(etudiante)).pk) for _ in range(5)}
    client = api(etudiante)

    pages = [client.get(f"/api/v1/signalements/me?size=2&page={n}").json()["data"]["items"] for n in range(3)]

    assert [len(items) for items in pages] == [2, 2, 1]
    assert {item["id"] for items in pages for item in items} == faits
