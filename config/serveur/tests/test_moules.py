"""What many ask for alike is rendered once, and still answered to each: an id, a time, a line of the log."""

import json
from typing import Any

import pytest

from config.serveur import moules
from config.serveur.moules import Moules
from config.serveur.tests.boucle import PONT, portee
from socle.api.sondes import ETATS
from socle.api.vocabulaire import EtatSonde

OK = {nom: EtatSonde.OK for nom in ("base_de_donnees", "cache", "temps_reel", "disque")}


@pytest.fixture
def rendues():
    """The requests that Django has rendered, and what answers them."""
    vues: list[Any] = []

    def rendre(scope: Any, su: Any) -> Any:
        vues.append(scope)
        return PONT.dans_la_boucle(scope, su)

    return vues, Moules(rendre).repondre


def sante(**autres: Any) -> Any:
    return portee("/health", methode="GET", **autres)


def lue(reponse: Any) -> Any:
    return json.loads(reponse.corps)


def identifiant(reponse: Any) -> str:
    return dict(reponse.entetes)[b"x-request-id"].decode()


def test_la_meme_demande_est_rendue_une_fois_et_repondue_a_chacune(rendues, caplog, monkeypatch):
    vues, repondre = rendues
    premiere = repondre(sante(), {ETATS: OK})
    monkeypatch.setattr(moules, "horodatage", lambda: "2026-11-26T09:00:00.000Z")

    seconde = repondre(sante(), {ETATS: dict(OK)})

    assert len(vues) == 1
    assert lue(seconde) == lue(premiere) | {"timestamp": "2026-11-26T09:00:00.000Z"}
    assert [nom for nom, _ in seconde.entetes] == [nom for nom, _ in premiere.entetes]
    assert identifiant(premiere) != identifiant(seconde)
    lignes = [ligne for ligne in caplog.records if ligne.name == "campus.acces"]
    assert [ligne.requestId for ligne in lignes] == [identifiant(premiere), identifiant(seconde)]
    assert {(ligne.route, ligne.statut, ligne.adresse) for ligne in lignes} == {("/health", 200, "192.0.2.7")}


@pytest.mark.parametrize(
    "autre",
    [
        {"headers": [(b"accept-language", b"en")]},
        {"client": ("192.0.2.8", 1)},
        {"query_string": b"a=1"},
        {"scheme": "https"},
        {"method": "HEAD"},
    ],
    ids=str,
)
def test_une_autre_demande_a_la_sienne(rendues, autre):
    vues, repondre = rendues
    repondre(sante(), {ETATS: OK})
    repondre({**sante(), **autre}, {ETATS: OK})

    assert len(vues) == 2


def test_un_etat_qui_change_se_dit_aussitot(rendues):
    _vues, repondre = rendues
    sans_cache = OK | {"cache": EtatSonde.INDISPONIBLE}
    dits = [lue(repondre(sante(), {ETATS: etats}))["data"]["statut"] for etats in (OK, OK, sans_cache, OK)]

    assert dits == ["OK", "OK", "DEGRADE", "OK"]


def test_un_refus_est_rendu_chaque_fois(rendues):
    vues, repondre = rendues
    absente = {ETATS: OK | {"base_de_donnees": EtatSonde.INDISPONIBLE}}
    refus = [repondre(sante(), absente) for _fois in range(2)]

    assert ([un.statut for un in refus], len(vues)) == ([503, 503], 2)
    assert [lue(un)["requestId"] for un in refus] == [identifiant(un) for un in refus]


def test_l_identifiant_d_un_mandataire_reste_le_sien(rendues, settings):
    settings.TRUSTED_PROXIES = ["192.0.2.7"]
    vues, repondre = rendues
    donnes = [b"du-mandataire-1", b"du-mandataire-2"]
    rendus = [identifiant(repondre(sante(headers=[(b"x-request-id", un)]), {ETATS: OK})) for un in donnes]

    assert rendus == ["du-mandataire-1", "du-mandataire-2"]
    assert identifiant(repondre(sante(), {ETATS: OK})) not in rendus
    assert len(vues) == 1


def test_des_demandes_toutes_differentes_ne_remplissent_rien(monkeypatch):
    monkeypatch.setattr(moules, "MOULES_MAX", 3)
    garde = Moules(PONT.dans_la_boucle)
    for rang in range(10):
        garde.repondre(sante(query_string=b"%d" % rang), {ETATS: OK})

    assert len(garde._moules) <= 3
