"""What a page of another site, once it is admitted, may send and read; the guide says the same."""

import re

import pytest
from django.test import Client

from config.tests.outils.serveur import RACINE

pytestmark = pytest.mark.django_db
ECRAN = "https://ecran.example"


def mots(entete: str) -> set[str]:
    return {mot.strip() for mot in entete.split(",")}


@pytest.fixture
def page(settings):
    settings.CORS_ALLOWED_ORIGINS = [ECRAN]
    return Client(headers={"Origin": ECRAN})


@pytest.mark.parametrize(
    "nom", ["Authorization", "X-Guest-Id", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer", "traceparent"]
)
def test_une_page_admise_envoie_ces_en_tetes(page, nom):
    demande = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": nom}

    reponse = page.options("/api/v1/config", headers=demande)

    assert reponse.headers["Access-Control-Allow-Origin"] == ECRAN
    assert nom.lower() in mots(reponse.headers["Access-Control-Allow-Headers"])


def test_une_page_admise_lit_les_en_tetes_que_le_guide_nomme(page):
    guide = (RACINE / "docs" / "api.md").read_text(encoding="utf-8")
    phrase = guide.partition("Les en-têtes ")[2].partition(" s'y lisent aussi")[0]

    lus = mots(page.get("/api/v1/config").headers["Access-Control-Expose-Headers"])

    assert lus == set(re.findall(r"`([\w-]+)`", phrase))
    assert {"ETag", "X-Request-Id", "Retry-After"} <= lus


def test_une_page_d_ailleurs_ne_lit_rien(page):
    reponse = page.get("/api/v1/config", headers={"Origin": "https://autre.example"})

    assert "Access-Control-Allow-Origin" not in reponse.headers
