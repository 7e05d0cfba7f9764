"""What a request leaves in memory is bounded, whatever it asks."""

import gc
import weakref

import pytest

from config.tests.outils import acteur_de
from signalements.tests.fabriques import signalement
from socle.api import requetes, reseau
from socle.api.voie import ROUTES_CONNUES, Voie

pytestmark = pytest.mark.django_db


@pytest.fixture
def voie(monkeypatch):
    """The one that answers."""
    nees = []
    creer = Voie.__init__

    def retenir(self, suite):
        creer(self, suite)
        nees.append(self)

    monkeypatch.setattr(Voie, "__init__", retenir)
    return nees


def test_des_chemins_inconnus_ne_se_retiennent_pas(brut, voie):
    brut.get("/health/live")
    avant = set(voie[0]._routes._connues)

    for rang in range(50):
        assert brut.get(f"/api/v1/rien-{rang}").status_code == 404
        assert brut.get(f"/api/v1/rien/{rang:08x}-0000-4000-8000-000000000000/x").status_code == 404

    assert set(voie[0]._routes._connues) == avant


def test_un_chemin_se_retient_une_fois_quel_que_soit_son_identifiant(brut, voie):
    for rang in range(5):
        brut.get(f"/api/v1/signalements/{rang:08x}-0000-4000-8000-000000000000")

    assert [chemin for _urls, chemin in voie[0]._routes._connues] == ["/api/v1/signalements/*"]
    assert len(voie[0]._routes._connues) < ROUTES_CONNUES


def test_chaque_identifiant_mene_au_sien(api, gestionnaire, etudiante):
    dossiers = [signalement(acteur_de(etudiante)) for _n in range(3)]
    client = api(gestionnaire)

    for dossier in [*dossiers, *dossiers]:
        assert client.get(f"/api/v1/signalements/{dossier.pk}").json()["data"]["id"] == str(dossier.pk)


def test_un_long_en_tete_n_est_pas_retenu(brut):
    avant = requetes._negocie.cache_info().currsize, reseau._lue.cache_info().currsize

    for rang in range(20):
        brut.get("/api/v1/config", headers={"accept": f"application/json;q={rang}" + "," * 1000})
    assert reseau._adresse("1" * 1000) is None

    assert (requetes._negocie.cache_info().currsize, reseau._lue.cache_info().currsize) <= (avant[0] + 1, avant[1] + 1)


def test_ce_qu_une_requete_a_lu_ne_reste_pas_apres_sa_reponse(api, etudiante, monkeypatch):
    """A view is in a cycle with its own methods: without care its request would wait for the garbage collector."""
    lues = []
    creer = requetes.Requete.__init__

    def retenir(self, *args):
        creer(self, *args)
        lues.append(weakref.ref(self))

    monkeypatch.setattr(requetes.Requete, "__init__", retenir)
    client = api(etudiante)
    gc.disable()
    try:
        assert client.post("/api/v1/signalements/", {"titre": "Sans rien d'autre"}).status_code == 422
        assert client.get("/api/v1/signalements/me").status_code == 200
    finally:
        gc.enable()

    assert [lue() for lue in lues] == [None, None]
