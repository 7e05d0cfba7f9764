import pytest
from channels.testing import WebsocketCommunicator

from config.serveur.assemblage import application
from config.serveur.identites import admettre
from socle.domaine.limites import Taux
from socle.realtime.auth import IdentiteRefusee
from socle.realtime.processus import arreter

DEPUIS = {"client": ("192.0.2.7", 4000), "headers": [(b"X-Forwarded-For", b"198.51.100.9")]}


@pytest.fixture
def deux_par_minute(settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "general": Taux(2, 86_400)}


def test_les_ouvertures_d_une_adresse_sont_comptees(deux_par_minute):
    admettre(DEPUIS)
    admettre(DEPUIS)

    with pytest.raises(IdentiteRefusee) as refus:
        admettre(DEPUIS)

    assert refus.value.code == 1013


def test_derriere_un_mandataire_chaque_client_a_son_compte(deux_par_minute, settings):
    settings.TRUSTED_PROXIES = ["192.0.2.7"]
    for rang in range(4):
        admettre({**DEPUIS, "headers": [(b"x-forwarded-for", f"198.51.100.{rang}".encode())]})

    admettre({"client": None, "headers": []})


@pytest.mark.django_db(transaction=True)
async def test_passe_la_limite_le_socket_est_ferme_en_1013(deux_par_minute):
    codes = []
    for _essai in range(3):
        socket = WebsocketCommunicator(application, "/ws/signalements")
        await socket.connect()
        codes.append((await socket.receive_output())["code"])
    await arreter()

    assert codes == [4001, 4001, 1013]
