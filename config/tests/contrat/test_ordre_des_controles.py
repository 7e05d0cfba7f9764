"""Who may, before what they send is read."""

from uuid import uuid4

import pytest

from config.tests.outils.hostiles import AVEC_CORPS, Appel, Operation, par_operation
from config.tests.outils.scene import LIGNES, Scene, en_parametres, operation_de

pytestmark = [pytest.mark.django_db, pytest.mark.longue]

REFUSES = [
    ligne
    for ligne in LIGNES
    if ligne.attendu in ("401", "403") and operation_de(ligne) and Operation(*ligne[:2]) in AVEC_CORPS
    if Operation(*ligne[:2]).acteur != "anonymous"
]


@pytest.mark.parametrize("ligne", en_parametres(REFUSES))
def test_qui_n_a_pas_le_droit_est_refuse_avant_qu_on_lise_ce_qu_il_envoie(ligne):
    scene = Scene()
    client, url, entetes = scene.client_de(ligne), scene.chemin(ligne), scene.entetes(ligne.methode, ligne.chemin)
    corps = {"illisible": b'{"', "autre type": b"a=1", "champs faux": b"{}"}
    types = {"autre type": "application/x-www-form-urlencoded"}

    statuts = {
        nom: client.envoyer(
            ligne.methode, url, brut, content_type=types.get(nom, "application/json"), headers=entetes
        ).status_code
        for nom, brut in corps.items()
    }

    assert statuts == dict.fromkeys(corps, int(ligne.attendu))


@par_operation([operation for operation in AVEC_CORPS if "{" in operation.chemin])
def test_ce_qui_n_existe_pas_est_un_404_avant_qu_on_lise_le_corps(operation):
    appel = Appel(operation)
    url = operation.chemin.partition("{")[0] + str(uuid4()) + operation.chemin.partition("}")[2]
    corps = [b'{"', b"[]", b"{}"]

    assert {un: appel.envoyer(un, url=url).status_code for un in corps} == dict.fromkeys(corps, 404)
