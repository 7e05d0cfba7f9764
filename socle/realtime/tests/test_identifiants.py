"""Where a socket says who it is: in its address, in a header, in a sub-protocol; none of it is said back."""

import pytest
from channels.testing import WebsocketCommunicator

from socle.realtime.auth import DemandeDeSocket
from socle.realtime.routing import application
from socle.realtime.tests.fabriques import Portier


def lus(question="", entetes=(), offerts=()):
    scope = {"query_string": question.encode(), "headers": list(entetes), "subprotocols": list(offerts)}
    return DemandeDeSocket.de(scope).parametres


@pytest.mark.parametrize(
    ("question", "entetes", "offerts", "attendus"),
    [
        ("token=a", [], [], {"token": "a"}),
        ("", [(b"authorization", b"Bearer a.b-c_d")], [], {"token": "a.b-c_d"}),
        ("", [(b"authorization", b"bearer  a ")], [], {"token": "a"}),
        ("", [(b"authorization", b"Basic YTpi")], [], {}),
        ("", [(b"authorization", b"Bearer")], [], {}),
        ("", [(b"authorization", b"\xff\xfe")], [], {}),
        ("", [(b"x-guest-id", b"g")], [], {"guestId": "g"}),
        ("", [], ["campus.v1", "campus.jeton.a.b-c_d"], {"token": "a.b-c_d"}),
        ("", [], ["campus.invite.g", "campus.v1"], {"guestId": "g"}),
        ("", [], ["campus.v1", "chat"], {}),
        ("depuis=3", [], ["campus.v1", "campus.jeton.a"], {"token": "a", "depuis": "3"}),
        ("token=a", [(b"authorization", b"Bearer b")], ["campus.jeton.c"], {"token": "a"}),
        ("", [(b"authorization", b"Bearer b")], ["campus.jeton.c"], {"token": "b"}),
        ("guestId=g", [(b"authorization", b"Bearer b")], ["campus.jeton.c"], {"guestId": "g"}),
        ("", [(b"x-guest-id", b"g")], ["campus.jeton.c"], {"guestId": "g"}),
        ("portail=1", [(b"authorization", b"Bearer b")], ["campus.jeton.c"], {"portail": "1"}),
    ],
)
def test_un_socket_dit_qui_il_est_dans_l_adresse_sinon_un_en_tete_sinon_un_sous_protocole(
    question, entetes, offerts, attendus
):
    assert lus(question, entetes, offerts) == attendus


def test_un_scope_sans_sous_protocoles_ni_en_tetes_ne_dit_rien():
    assert DemandeDeSocket.de({"query_string": b"depuis=1"}).parametres == {"depuis": "1"}


@pytest.mark.parametrize(
    ("offerts", "choisi"),
    [
        (["campus.v1", "campus.jeton.etudiante"], "campus.v1"),
        (["campus.jeton.etudiante", "campus.v1"], "campus.v1"),
        (["campus.jeton.etudiante"], None),
        ([], None),
    ],
)
async def test_le_serveur_choisit_la_version_et_ne_redit_jamais_le_jeton(foyer, canal, offerts, choisi):
    app = application(Portier(foyer._identifier))
    entetes = [] if offerts else [(b"authorization", b"Bearer etudiante")]
    prise = WebsocketCommunicator(app, f"/api/v1/ws/{canal}", headers=entetes, subprotocols=offerts)

    accepte, sous_protocole = await prise.connect(timeout=5)

    assert (accepte, sous_protocole) == (True, choisi)
    assert '"connected"' in await prise.receive_from(timeout=5)
    await prise.disconnect()
