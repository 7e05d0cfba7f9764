"""Rate limits: what is counted, by whom, and what is answered past them."""

import threading
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as reglages
from django.core.cache import cache

from accounts.tests.fabriques import MOT_DE_PASSE
from config.tests.outils.envois import SIGNALER, verifier_enveloppe
from socle.api.schema import RESTE
from socle.domaine import limites as throttling
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db


@pytest.fixture
def horloge(monkeypatch):
    """The clock of the limits, in the middle of a window."""
    heure = SimpleNamespace(maintenant=1_800_000_010.0)
    lire = lambda: heure.maintenant  # noqa: E731
    monkeypatch.setattr(throttling, "time", SimpleNamespace(time=lire, monotonic=lire))
    monkeypatch.setattr(throttling, "_cache_revient_a", 0.0)
    return heure


@pytest.fixture
def limiter(settings, horloge):
    """limiter(general=2): that many calls in each minute, under that limit."""

    def poser(**nombres: int) -> None:
        settings.THROTTLE_ENABLED = True
        settings.THROTTLES = {**reglages.THROTTLES, **{p: Taux(n, 60) for p, n in nombres.items()}}

    return poser


def test_au_dela_de_la_limite_on_attend_la_fenetre_suivante(api, etudiante, limiter, horloge):
    limiter(general=2)
    client = api(etudiante)

    reponses = [client.get("/api/v1/comptes/me") for _ in range(3)]
    horloge.maintenant += int(reponses[2].headers["Retry-After"])
    apres = client.get("/api/v1/comptes/me")

    assert [r.status_code for r in reponses] == [200, 200, 429]
    verifier_enveloppe(reponses[2], 429, "RATE_LIMITED", "/api/v1/comptes/me")
    assert int(reponses[2].headers["Retry-After"]) == 51
    assert apres.status_code == 200


def test_ce_qui_reste_a_chacun_se_lit_sur_ses_reponses(api, etudiante, invite, limiter, horloge):
    limiter(general=3)

    for qui in (etudiante, invite):
        lues = [api(qui).get(f"/api/v1/signalements/{uuid4()}") for _ in range(2)]
        assert [[r.headers[nom] for nom in RESTE] for r in lues] == [["3", "2", "51"], ["3", "1", "51"]]


def test_rien_n_est_dit_de_ce_que_compte_une_adresse(api, limiter):
    """An address is a lecture hall's: what is left of it tells what the others do."""
    limiter(general=3)

    lues = [api(None).get("/api/v1/faqs/"), api(None).post("/api/v1/auth/login", {"email": "x", "password": "y"})]

    assert [nom for lue in lues for nom in RESTE if nom in lue.headers] == []


def test_chacun_a_sa_part_de_la_limite_generale(api, etudiante, autre_etudiante, invite, limiter):
    limiter(general=1)
    url = SIGNALER

    statuts = [api(qui).post(url, {}).status_code for qui in (etudiante, autre_etudiante, invite, None, etudiante)]

    assert statuts == [422, 422, 422, 401, 429]


def test_la_sonde_n_est_jamais_limitee(brut, limiter):
    limiter(general=1)

    assert [brut.get("/health").status_code for _ in range(3)] == [200] * 3


def test_un_mauvais_jeton_compte_par_adresse(brut, limiter):
    limiter(general=2)
    entetes = [{"Authorization": f"Bearer faux{n}"} for n in range(3)]

    assert [brut.get("/api/v1/comptes/me", headers=e).status_code for e in entetes] == [401, 401, 429]


def test_les_adresses_derriere_un_mandataire_comptent_chacune(brut, settings, limiter):
    limiter(general=1)
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    qui = ["203.0.113.9", "203.0.113.10", "203.0.113.9", "1.1.1.1, 203.0.113.10"]

    statuts = [brut.get("/api/v1/config", headers={"X-Forwarded-For": adresse}).status_code for adresse in qui]

    assert statuts == [200, 200, 429, 429]


def test_un_identifiant_inconnu_de_trop_n_arrete_que_les_inconnus(api, invite, limiter):
    limiter(guest_unknown=2)
    inconnus = [session_de_personne() for _ in range(4)]

    statuts = [api(qui).get("/api/v1/guest/suivi").status_code for qui in inconnus]

    assert statuts == [404, 404, 429, 429]
    assert api(invite).get("/api/v1/guest/suivi").status_code == 200


def session_de_personne() -> Any:
    return SimpleNamespace(guest_id=uuid4())


def test_les_echecs_de_connexion_comptent_par_compte_et_une_reussite_les_efface(brut, etudiante, limiter):
    limiter(login=3)

    def essayer(email: str, mot_de_passe: str) -> int:
        corps = {"email": email, "motDePasse": mot_de_passe}
        return brut.post("/api/v1/auth/login", corps, "application/json").status_code

    elle = etudiante.email
    assert [essayer(elle, "faux-faux-faux") for _ in range(2)] == [401, 401]
    assert essayer(elle.upper(), MOT_DE_PASSE) == 200
    assert [essayer(elle, "faux-faux-faux") for _ in range(4)] == [401, 401, 401, 429]
    assert essayer(elle, MOT_DE_PASSE) == 429
    assert essayer("inconnue@campus.test", MOT_DE_PASSE) == 401


def test_une_limite_se_compte_dans_le_cache_commun(brut, limiter, monkeypatch):
    limiter(general=2)
    compte_ici = []
    monkeypatch.setattr(throttling.locaux, "ajouter", lambda *args: compte_ici.append(args) or 1)

    statuts = [brut.get("/api/v1/config").status_code for _ in range(3)]

    assert statuts == [200, 200, 429]
    assert compte_ici == []


class CacheAbsent:
    def __getattr__(self, nom: str) -> Any:
        def echouer(*args: Any, **options: Any) -> Any:
            raise ConnectionError(nom)

        return echouer


def test_un_cache_absent_ne_leve_ni_la_limite_ni_une_erreur(brut, limiter, monkeypatch, horloge):
    limiter(general=2)
    monkeypatch.setattr(throttling, "cache", CacheAbsent())

    statuts = [brut.get("/api/v1/config").status_code for _ in range(3)]
    monkeypatch.setattr(throttling, "cache", cache)
    horloge.maintenant += throttling.PAUSE_APRES_PANNE + 1
    au_retour = [brut.get("/api/v1/config").status_code for _ in range(3)]

    assert statuts == [200, 200, 429]
    assert au_retour == [200, 200, 429]


def test_beaucoup_d_appels_a_la_fois_ne_depassent_pas_la_limite(limiter):
    limiter(general=10)
    passes = []

    def appeler() -> None:
        for _ in range(10):
            try:
                throttling.consommer("general", "la même")
                passes.append(1)
            except throttling.TropDeRequetes:
                pass

    fils = [threading.Thread(target=appeler) for _ in range(4)]
    for fil in fils:
        fil.start()
    for fil in fils:
        fil.join()

    assert len(passes) == 10


@pytest.mark.parametrize("cache_present", [True, False])
def test_une_place_ne_se_prend_qu_une_fois_et_se_rend(monkeypatch, cache_present):
    if not cache_present:
        monkeypatch.setattr(throttling, "cache", None)
    prendre = {"refus": throttling.TropDeRequetes}
    throttling.occuper("essai", "compte:1", 600, **prendre)
    throttling.occuper("essai", "compte:2", 600, **prendre)

    for _fois in range(2):
        with pytest.raises(throttling.TropDeRequetes):
            throttling.occuper("essai", "compte:1", 600, **prendre)

    throttling.liberer("essai", "compte:1", 600)
    throttling.liberer("essai", "compte:1", 600)  # once too often changes nothing
    throttling.occuper("essai", "compte:1", 600, **prendre)
    with pytest.raises(throttling.TropDeRequetes):
        throttling.occuper("essai", "compte:1", 600, **prendre)


def test_beaucoup_a_la_fois_ne_prennent_qu_une_place():
    prises: list[str] = []

    def prendre(qui: str) -> None:
        try:
            throttling.occuper("essai", "compte:1", 600, refus=throttling.TropDeRequetes)
            prises.append(qui)
        except throttling.TropDeRequetes:
            pass

    fils = [threading.Thread(target=prendre, args=(str(rang),)) for rang in range(12)]
    for fil in fils:
        fil.start()
    for fil in fils:
        fil.join()

    assert len(prises) == 1
