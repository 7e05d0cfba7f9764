import asyncio
import json

from config.corps import CorpsRecu


async def appeler(messages, *, limite=100, delai=0.2):
    """(what reached the application, what was answered); after `messages` the client says nothing more."""
    recus, envoyes = [], []

    async def suite(scope, receive, send):
        recus.append(await receive())

    async def receive():
        if messages:
            return messages.pop(0)
        await asyncio.sleep(60)

    async def send(message):
        envoyes.append(message)

    await CorpsRecu(suite, limite=limite, delai=delai)(
        {"type": "http", "method": "POST", "path": "/api/v1/x", "headers": []}, receive, send
    )
    return recus, envoyes


def morceau(corps, suite):
    return {"type": "http.request", "body": corps, "more_body": suite}


async def test_un_corps_en_morceaux_arrive_entier():
    recus, _envoyes = await appeler([morceau(b"ab", True), morceau(b"cd", False)])

    assert recus == [morceau(b"abcd", False)]


async def test_un_client_qui_se_tait_recoit_l_enveloppe_sans_prendre_de_fil():
    recus, envoyes = await appeler([morceau(b"a", True)])

    assert recus == []
    assert envoyes[0]["status"] == 400
    assert json.loads(envoyes[1]["body"])["code"] == "MALFORMED_REQUEST"


async def test_un_client_qui_part_n_est_pas_servi():
    recus, envoyes = await appeler([morceau(b"a", True), {"type": "http.disconnect"}])

    assert (recus, envoyes) == ([], [])


async def test_un_corps_trop_grand_n_est_pas_lu_jusqu_au_bout():
    restants = [morceau(b"x" * 80, True) for _ in range(10)]

    recus, _envoyes = await appeler(restants, limite=100)

    assert len(recus[0]["body"]) == 160
    assert len(restants) == 8
