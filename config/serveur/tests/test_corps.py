"""Bodies received in the loop: whole, within their limits, refused as everything else is refused."""

import html
import json
import logging
import re

import pytest

from config.serveur.allures import Allure
from config.serveur.corps import CorpsRecu
from config.serveur.tests.boucle import PONT, appeler, avec_filet, morceau, portee
from config.tests.outils.typographie import ordinaire
from socle.erreurs import TropDeRequetes

PRESSEE = Allure(0.2, 0.2)


async def recevoir(messages, *, limite=100, entetes=()):
    """(what reached the application, what was answered)."""
    recus = []

    async def suite(scope, receive, send):
        recus.append(scope["corps"].read())

    scope = portee("/api/v1/x", headers=[(b"host", b"testserver"), *entetes])
    envoyes = await appeler(avec_filet(CorpsRecu(suite, limite=limite, allure=PRESSEE)), scope, messages)
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
    assert envoyes[0]["status"] == 408
    assert json.loads(envoyes[1]["body"])["code"] == "REQUEST_TIMEOUT"


@pytest.mark.parametrize("chemin", ["/ecrire/faits/", "/fichiers/envoyer/", "/equipe/dossiers/", "/admin/login/"])
async def test_une_personne_dont_l_envoi_se_tait_lit_une_page_et_rien_de_json(chemin):
    async def suite(scope, receive, send):
        raise AssertionError("the view is not asked")

    scope = portee(chemin, headers=[(b"host", b"testserver"), (b"content-length", b"900")])
    envoyes = await appeler(avec_filet(CorpsRecu(suite, limite=1000, allure=PRESSEE)), scope, [morceau(b"a", True)])

    page = envoyes[1]["body"].decode()
    assert (envoyes[0]["status"], dict(envoyes[0]["headers"])[b"content-type"]) == (408, b"text/html; charset=utf-8")
    assert re.search("Tout n'est pas arrivé|La ligne a été coupée", ordinaire(html.unescape(page)))
    assert "json" not in page.lower()


@pytest.mark.parametrize("chemin", ["/ecrire/faits/", "/equipe/filtres/", "/admin/login/"])
@pytest.mark.parametrize(
    ("fin", "revenu"), [(b"Il m%27attend+encor", "Il m&#x27;attend encor"), (b"Il+m%27attend%C3%A9%C", "attendé")]
)
async def test_d_un_recit_qui_se_tait_ce_qui_est_venu_revient(chemin, fin, revenu):
    """Behind the check of its token: the form of another site is shown to nobody."""

    async def suite(scope, receive, send):
        raise AssertionError("the view is not asked")

    jeton = b"a" * 32
    entetes = [(b"host", b"testserver"), (b"content-length", b"900"), (b"cookie", b"csrftoken=" + jeton)]
    entetes.append((b"content-type", b"application/x-www-form-urlencoded"))
    recu = b"csrfmiddlewaretoken=" + jeton + b"&type=VOL&description=" + fin
    filet = avec_filet(CorpsRecu(suite, limite=1000, allure=PRESSEE))

    envoyes = await appeler(filet, portee(chemin, headers=entetes), [morceau(recu, True)])
    d_ailleurs = await appeler(
        filet, portee(chemin, headers=[*entetes, (b"origin", b"https://ailleurs.example")]), [morceau(recu, True)]
    )

    page = envoyes[1]["body"].decode()
    assert envoyes[0]["status"] == 408
    assert revenu in page.partition("<textarea")[2].partition("</textarea>")[0]
    assert 'name="type" value="VOL"' in page
    assert "relisez la fin" in page
    assert page.count("csrfmiddlewaretoken") == 1
    assert "attend" not in d_ailleurs[1]["body"].decode()


async def test_un_envoi_qui_se_tait_est_refuse_avant_la_fin_de_son_delai(monkeypatch):
    monkeypatch.setattr("config.serveur.allures.SILENCE_SECONDES", 0.1)
    recus = []

    async def suite(scope, receive, send):
        recus.append(scope["corps"].read())

    envoi = CorpsRecu(suite, limite=100, sur_disque=True)
    envoyes = await appeler(avec_filet(envoi), portee(headers=[(b"host", b"testserver")]), [morceau(b"a", True)])

    assert (recus, envoyes[0]["status"]) == ([], 408)


async def test_un_refus_de_la_boucle_a_les_en_tetes_et_la_ligne_des_autres(caplog):
    with caplog.at_level(logging.INFO, logger="campus.acces"):
        _recus, envoyes = await recevoir([morceau(b"a", True)], entetes=[(b"accept-language", b"en")])

    entetes = {nom.decode(): valeur.decode() for nom, valeur in envoyes[0]["headers"]}
    corps = json.loads(envoyes[1]["body"])
    assert entetes["x-request-id"] == corps["requestId"]
    assert entetes["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox"
    assert entetes["x-content-type-options"] == "nosniff"
    assert (entetes["cache-control"], entetes["connection"]) == ("no-store", "close")
    (ligne,) = [r for r in caplog.records if r.name == "campus.acces"]
    assert (ligne.statut, ligne.requestId, ligne.adresse) == (408, corps["requestId"], "192.0.2.7")


@pytest.mark.parametrize("entetes", [[], [(b"content-length", b"0")]])
async def test_une_requete_sans_corps_n_attend_rien_du_client(entetes):
    recus = []

    async def suite(scope, receive, send):
        recus.append(scope.get("corps"))

    scope = portee(http_version="1.1", headers=entetes)
    await appeler(CorpsRecu(suite, limite=100, allure=PRESSEE), scope, [])

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


async def test_d_un_corps_trop_grand_rien_de_plus_n_est_garde_et_le_reste_est_lu_pour_que_le_refus_le_soit():
    restants = [morceau(b"x" * 80, True) for _ in range(9)] + [morceau(b"x")]

    recus, _envoyes = await recevoir(restants, limite=100)

    assert (len(recus[0]), restants) == (160, [])


async def test_d_un_corps_sans_fin_on_ne_lit_qu_une_part(monkeypatch):
    monkeypatch.setattr("config.serveur.corps.JETES_OCTETS", 200)
    restants = [morceau(b"x" * 80, True) for _ in range(10)]

    recus, _envoyes = await recevoir(restants, limite=100)

    assert (len(recus[0]), len(restants)) == (160, 5)


async def test_qui_se_tait_apres_un_corps_trop_grand_est_refuse_quand_meme(monkeypatch):
    monkeypatch.setattr("config.serveur.corps.JETES_SECONDES", 0.1)

    recus, _envoyes = await recevoir([morceau(b"x" * 80, True) for _ in range(2)], limite=100)

    assert len(recus[0]) == 160


@pytest.mark.parametrize(
    ("entetes", "lus"),
    [([], 3), ([(b"content-length", b"3"), (b"expect", b"100-continue")], 0), ([(b"content-length", b"0")], 0)],
)
async def test_un_refus_d_avant_le_corps_le_laisse_venir_sauf_a_qui_demande_d_abord(entetes, lus):
    async def refuser(scope, receive, send):
        raise TropDeRequetes(attente=5)

    restants = [morceau(b"x", True), morceau(b"x", True), morceau(b"x")]
    scope = portee(http_version="1.1", headers=[(b"host", b"testserver"), *(entetes or [(b"content-length", b"3")])])
    envoyes = await appeler(avec_filet(refuser), scope, restants)

    assert (envoyes[0]["status"], 3 - len(restants)) == (429, lus)


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
