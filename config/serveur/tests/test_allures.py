"""The pace of a body: what is waited for, what is not, and how many may be slow; the clock is the test's own."""

from collections.abc import Callable
from typing import Any

import pytest

from config.serveur import allures
from config.serveur.allures import ENVOI, TEXTE, Allure, Places, Reception
from config.tests.outils import document


@pytest.fixture
def horloge(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """[the moment]."""
    maintenant = [1000.0]
    monkeypatch.setattr(allures, "_maintenant", lambda: maintenant[0])
    return maintenant


Recevoir = Callable[..., int]


@pytest.fixture
def recevoir(horloge: list[float]) -> Recevoir:
    """recevoir(allure, octets, debit): the bytes that came of so many, a piece at a time; TimeoutError past a bound."""

    def faire(allure: Allure, octets: int, debit: float, *, toutes_les: float = 5.0, places: Any = None) -> int:
        with Reception(allure, places or Places(), lambda: "192.0.2.7").en_cours() as reception:
            recus = 0
            while recus < octets:
                fin = reception.attendre().when()
                horloge[0] += toutes_les
                assert fin is not None
                if fin < horloge[0]:
                    raise TimeoutError
                reception.recu(int(debit * toutes_les))
                recus += int(debit * toutes_les)
            return recus

    return faire


@pytest.mark.parametrize(
    ("allure", "octets", "debit"),
    [
        (TEXTE, 100_000, 600),  # 45 000 letters with accents, on a line of 600 bytes a second
        (TEXTE, 1_000_000, 600),
        (TEXTE, 1_000_000, 1_000_000),
        (ENVOI, 10_000_000, 12_000),
        (ENVOI, 20_000_000, 12_000),
        (ENVOI, 20_000_000, 6_000),
    ],
)
async def test_une_ligne_lente_est_attendue(recevoir, allure, octets, debit):
    assert recevoir(allure, octets, debit) >= octets


async def test_une_ligne_qui_s_arrete_vingt_secondes_est_attendue(recevoir):
    assert recevoir(TEXTE, 100_000, 600, toutes_les=20) >= 100_000


@pytest.mark.parametrize(
    ("allure", "debit", "toutes_les"),
    [
        (TEXTE, 0.1, 29.0),  # some bytes from time to time, never silent
        (TEXTE, 90, 5.0),
        (TEXTE, 1000, 31.0),
        (ENVOI, 90, 5.0),
        (ENVOI, 1000, 31.0),
    ],
)
async def test_qui_fait_durer_un_corps_n_est_pas_attendu(recevoir, horloge, allure, debit, toutes_les):
    with pytest.raises(TimeoutError):
        recevoir(allure, 1_000_000, debit, toutes_les=toutes_les)

    assert horloge[0] - 1000 <= allure.franchise + 2 * allures.FENETRE_SECONDES + toutes_les


@pytest.mark.parametrize("allure", [TEXTE, ENVOI])
async def test_rien_n_est_attendu_au_dela_d_un_temps_en_tout(recevoir, horloge, allure):
    with pytest.raises(TimeoutError):
        recevoir(allure, 10**9, 200)

    assert horloge[0] - 1000 <= allure.total + 5


async def test_les_corps_lents_sont_comptes_et_leurs_places_rendues(horloge, recevoir):
    places = Places(total=3, par_adresse=2)
    lents = [Reception(TEXTE, places, lambda: "192.0.2.7") for _rang in range(3)]
    autres = [Reception(TEXTE, places, lambda: "198.51.100.4") for _rang in range(2)]
    horloge[0] += 31

    assert _admis(lents) == [True, True, False]  # two of an address
    assert _admis(autres) == [True, False]  # three in all
    assert recevoir(TEXTE, 60_000, 6_000, places=places) >= 60_000  # who is not slow needs no place

    for lent in (lents[0], lents[1], autres[0]):
        with lent.en_cours():
            pass
    assert places._prises == {}
    assert recevoir(TEXTE, 100_000, 600, places=places) >= 100_000
    assert places._prises == {}


def _admis(corps: list[Reception]) -> list[bool]:
    admis = []
    for un in corps:
        try:
            un.attendre()
        except TimeoutError:
            admis.append(False)
        else:
            admis.append(True)
    return admis


def test_la_description_le_dit_des_routes_de_l_api():
    reponses = {chemin: operations for chemin, operations in document()["paths"].items() if chemin.startswith("/api/")}

    assert [
        (chemin, methode)
        for chemin, operations in reponses.items()
        for methode, operation in operations.items()
        if methode in ("get", "post", "put", "patch", "delete") and "408" not in operation["responses"]
    ] == []
    assert len(reponses) > 50
