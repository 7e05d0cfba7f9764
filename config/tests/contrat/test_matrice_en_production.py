"""Who may do what, the production way: every HTTP row once, by the handler and the environment of the server."""

from typing import Any

import pytest
from django.utils import timezone

from config.tests.outils.production import ClientDeProduction
from config.tests.outils.scene import HTTP, Scene, en_parametres

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
# One reading of each route, by the first who is let in.
LECTURES = {ligne.chemin: ligne for ligne in reversed(HTTP) if ligne.methode == "GET" and ligne.attendu == "200"}
CHANGENT = {"timestamp", "requestId", "X-Request-Id"}  # from a request to the next


@pytest.mark.parametrize("ligne", en_parametres(HTTP))
def test_chaque_ligne_recoit_du_serveur_le_statut_attendu(ligne):
    scene = Scene(ClientDeProduction)
    client, url = scene.client_de(ligne), scene.chemin(ligne)
    corps = scene.corps(ligne.methode, ligne.chemin, ligne.acteur)

    reponse = client.envoyer(ligne.methode, url, corps, headers=scene.entetes(ligne.methode, ligne.chemin))

    assert str(reponse.status_code) == ligne.attendu, reponse.content


@pytest.mark.parametrize("ligne", en_parametres(list(LECTURES.values())))
def test_le_serveur_repond_ce_que_lisent_les_autres_tests(ligne, time_machine):
    """Headers and body are those that Django's test client is given, at the same moment: signed links hold theirs."""
    time_machine.move_to(timezone.now(), tick=False)
    scene = Scene()
    client, url = scene.client_de(ligne), scene.chemin(ligne)
    du_serveur = ClientDeProduction(jeton=client.jeton, guest_id=client.guest_id)

    assert dit(du_serveur.get(url)) == dit(client.get(url))


def dit(reponse: Any) -> tuple[dict[str, str], Any]:
    entetes = {nom.title(): valeur for nom, valeur in reponse.items() if nom.title() not in CHANGENT}
    octets = b"".join(reponse.streaming_content) if reponse.streaming else reponse.content
    if not reponse["Content-Type"].startswith("application/json"):
        return entetes, octets
    return entetes, {nom: valeur for nom, valeur in reponse.json().items() if nom not in CHANGENT}
