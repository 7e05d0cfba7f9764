"""Bodies received in the loop: whole, within their limits, refused as everything else is refused."""

import json
import logging

import pytest

from config.serveur.corps import CorpsRecu
from config.serveur.tests.boucle import PONT, appeler, avec_filet, morceau, portee


async def recevoir(messages, *, limite=100, entetes=()):
    """(what reached the application, what was answered)."""
    recus = []

    async def suite(scope, receive, send):
        recus.append(scope["corps"].read())

    scope = portee("/api/v1/x", headers=[(b"host", b"testserver"), *entetes])
    envoyes = await appeler(avec_filet(CorpsRecu(suite, limite=limite, delai=0.2)), scope, messages)
    return recus, envoyes


async def test_un_corps_en_morceaux_arrive_entier():
    recus, _envoyes = await recevoir([morceau(b"ab", True), morceau(b"cd")])

    assert recus == [b"abcd"]


@pytest.mark.parametrize("chemin", ["/api/v1/auth/login", "/api/v1/stats/signalements/export", "/api/v1/guest/merge"])
async def test_un_corps_en_morceaux_trop_long_est_refuse_comme_celui_qui_dit_sa_longueur(chemin, settings):
    """Not read as an empty one, which a route whose body is optional would take for its defaults."""
    trop = settings.JSON_MAX_OCTETS + 1
    recevoir = avec_filet(CorpsRecu(PONT, limite=trop))
    dites = [(b"transfer-encoding", b"chunked"), (b"content-length", str(trop + 10).encode())]

    statuts = []
    for dite in dites:
        scope = portee(chemin, headers=[(b"host", b"testserver"), (b"content-type", b"application/json"), dite])
        envoyes = await appeler(recevoir, scope, [morceau(b"x" * trop, True), morceau(b"x" * 10)])
        statuts.append((envoyes[0]["status"], json.loads(envoyes[1]["body"])["code"]))

    assert statuts == [(413, "BODY_TOO_LARGE")] * 2


async def test_un_client_qui_se_tait_recoit_l_enveloppe_sans_prendre_de_fil():
    recus, envoyes = await recevoir([morceau(b"a", True)])

    assert recus == []
    assert envoyes[0]["status"] == 400
    assert json.loads(envoyes[1]["body"])["code"] == "MALFORMED_REQUEST"


async def test_un_envoi_qui_se_tait_est_refuse_avant_la_fin_de_son_delai(monkeypatch):
    monkeypatch.setattr("config.serveur.corps.SECONDES", 0.1)
    recus = []

    async def suite(scope, receive, send):
        recus.append(scope["corps"].read())

    envoi = CorpsRecu(suite, limite=100, delai=30, sur_disque=True)
    envoyes = await appeler(avec_filet(envoi), portee(headers=[(b"host", b"testserver")]), [morceau(b"a", True)])

    assert (recus, envoyes[0]["status"]) == ([], 400)


async def test_un_refus_de_la_boucle_a_les_en_tetes_et_la_ligne_des_autres(caplog):
    with caplog.at_level(logging.INFO, logger="campus.acces"):
        _recus, envoyes = await recevoir([morceau(b"a", True)], entetes=[(b"accept-language", b"en")])

    entetes = {nom.decode(): valeur.decode() for nom, valeur in envoyes[0]["headers"]}
    corps = json.loads(envoyes[1]["body"])
    assert entetes["x-request-id"] == corps["requestId"]
    assert entetes["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox"
    assert entetes["x-content-type-options"] == "nosniff"
    assert (entetes["cache-control"], entetes["connection"]) == ("no-store", "close")
    assert corps["message"].startswith("The request")
    (ligne,) = [r for r in caplog.records if r.name == "campus.acces"]
    assert (ligne.statut, ligne.requestId, ligne.adresse) == (400, corps["requestId"], "192.0.2.7")


@pytest.mark.parametrize("entetes", [[], [(b"content-length", b"0")]])
async def test_une_requete_sans_corps_n_attend_rien_du_client(entetes):
    recus = []

    async def suite(scope, receive, send):
        recus.append(scope.get("corps"))

    scope = portee(http_version="1.1", headers=entetes)
    await appeler(CorpsRecu(suite, limite=100, delai=0.2), scope, [])

    assert recus == [None]


async def test_ce_que_le_serveur_ajoute_apres_le_corps_n_est_pas_un_en_tete():
    entetes = [(b"transfer-encoding", b"chunked")]
    recus = []

    async def receive():
        entetes.append((b"x-guest-id", b"autre"))
        return morceau(b"ab")

    async def suite(scope, receive, send):
        recus.append(scope["headers"])

    await CorpsRecu(suite, limite=100)(portee(http_version="1.1", headers=entetes), receive, None)

    assert recus == [[(b"content-length", b"2")]]


async def test_un_client_qui_part_n_est_pas_servi():
    recus, envoyes = await recevoir([morceau(b"a", True), {"type": "http.disconnect"}])

    assert (recus, envoyes) == ([], [])


async def test_un_corps_trop_grand_n_est_pas_lu_jusqu_au_bout():
    restants = [morceau(b"x" * 80, True) for _ in range(10)]

    recus, _envoyes = await recevoir(restants, limite=100)

    assert len(recus[0]) == 160
    assert len(restants) == 8


@pytest.mark.parametrize(
    "entetes",
    [
        [(b"content-length", b"2"), (b"content-length", b"3")],
        [(b"content-length", b"2"), (b"content-length", b"2")],
        [(b"content-length", b"2, 3")],
        [(b"content-length", b"-2")],
        [(b"content-length", b"2"), (b"transfer-encoding", b"chunked")],
        [(b"transfer-encoding", b"chunked"), (b"transfer-encoding", b"chunked")],
        [(b"transfer-encoding", b"gzip, chunked")],
    ],
)
async def test_une_requete_qui_dit_deux_longueurs_est_refusee_et_la_connexion_fermee(entetes):
    recus, envoyes = await recevoir([morceau(b"ab")], entetes=entetes)

    assert recus == []
    assert (envoyes[0]["status"], json.loads(envoyes[1]["body"])["code"]) == (400, "MALFORMED_REQUEST")
    assert (b"connection", b"close") in envoyes[0]["headers"]
