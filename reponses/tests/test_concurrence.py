"""Administrators who write at once, on real connections."""

import pytest

from accounts.tests.outils import ensemble
from config.tests.outils import client_de, document
from reponses.models import ModeleDeReponse, Orientation
from reponses.tests import fabriques

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
plusieurs_tours = pytest.mark.parametrize("tour", range(3))


@pytest.fixture(autouse=True)
def _document_pret():
    document()


@plusieurs_tours
def test_un_type_ecrit_par_deux_n_a_qu_une_orientation(admin, tour):
    clients = [client_de(admin) for _rang in range(2)]
    corps = {"type": "VOL", "texteFr": "Gardez."}

    reponses = ensemble([lambda c=c: c.post("/api/v1/orientations/", corps) for c in clients])

    assert sorted(r.status_code for r in reponses) == [201, 409]
    assert Orientation.objects.count() == 1


@plusieurs_tours
def test_deux_changements_d_un_modele_restent_tous_les_deux(admin, tour):
    une = f"/api/v1/modeles-reponse/{fabriques.modele().pk}"
    clients = [client_de(admin) for _rang in range(2)]

    reponses = ensemble(
        [
            lambda: clients[0].put(une, {"titre": "Autre titre"}),
            lambda: clients[1].put(une, {"texteEn": "Read."}),
        ]
    )

    assert [r.status_code for r in reponses] == [200, 200]
    relu = ModeleDeReponse.objects.get()
    assert (relu.titre, relu.texte_en) == ("Autre titre", "Read.")
    assert {"autre", "read"} <= set(relu.recherche.replace(".", " ").split())


@plusieurs_tours
def test_un_modele_que_l_on_supprime_ne_revient_pas(admin, tour):
    une = f"/api/v1/modeles-reponse/{fabriques.modele().pk}"
    clients = [client_de(admin) for _rang in range(3)]

    supprime, encore, change = ensemble(
        [
            lambda: clients[0].delete(une),
            lambda: clients[1].delete(une),
            lambda: clients[2].put(une, {"titre": "Autre titre"}),
        ]
    )

    assert sorted([supprime.status_code, encore.status_code]) == [204, 404]
    assert change.status_code in (200, 404)
    assert not ModeleDeReponse.objects.exists()
