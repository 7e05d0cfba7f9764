"""What a request leaves in memory is bounded, whatever it asks."""

import pytest
from django.urls import resolve

from config.serveur.gestionnaire import ROUTES_CONNUES, Gestionnaire, Routes, connexion_gardee
from config.serveur.pont import environ_de
from config.serveur.tests.boucle import portee
from config.tests.outils import acteur_de
from signalements.tests.fabriques import signalement
from socle.api import renderers, reseau

pytestmark = pytest.mark.django_db


@pytest.fixture
def demander():
    """The status of what the server's own handler answers to a path; the routes that it remembers."""
    gestionnaire = Gestionnaire()

    def demander(chemin):
        with connexion_gardee():
            return gestionnaire.repondre(environ_de(portee(chemin, "GET"))).statut

    demander.routes = gestionnaire.routes
    return demander


def test_des_chemins_inconnus_ne_se_retiennent_pas(demander):
    for rang in range(50):
        assert demander(f"/api/v1/rien-{rang}") == 404
        assert demander(f"/api/v1/rien/{rang:08x}-0000-4000-8000-000000000000/x") == 404

    assert demander.routes.connues == {}


def test_un_chemin_se_retient_une_fois_quel_que_soit_son_identifiant(demander):
    for rang in range(5):
        assert demander(f"/api/v1/signalements/{rang:08x}-0000-4000-8000-000000000000") == 401

    assert [chemin for _urls, chemin in demander.routes.connues] == ["/api/v1/signalements/*"]
    assert len(demander.routes.connues) < ROUTES_CONNUES


def test_un_chemin_retenu_mene_a_ce_que_dit_son_identifiant():
    chemins = [f"/api/v1/signalements/{rang:08x}-0000-4000-8000-000000000000" for rang in range(3)]
    routes = Routes()

    trouvees = [routes.trouver(chemin) for chemin in [*chemins, *chemins]]

    assert [repr(une) for une in trouvees] == [repr(resolve(chemin)) for chemin in [*chemins, *chemins]]


def test_chaque_identifiant_mene_au_sien(api, gestionnaire, etudiante):
    dossiers = [signalement(acteur_de(etudiante)) for _n in range(3)]
    client = api(gestionnaire)

    for dossier in [*dossiers, *dossiers]:
        assert client.get(f"/api/v1/signalements/{dossier.pk}").json()["data"]["id"] == str(dossier.pk)


def test_un_long_en_tete_n_est_pas_retenu(brut):
    avant = renderers.choisi.cache_info().currsize, reseau._lue.cache_info().currsize

    for rang in range(20):
        brut.get("/api/v1/config", headers={"accept": f"application/json;q={rang}" + "," * 1000})
    assert reseau._adresse("1" * 1000) is None

    assert (renderers.choisi.cache_info().currsize, reseau._lue.cache_info().currsize) <= (avant[0] + 1, avant[1] + 1)
