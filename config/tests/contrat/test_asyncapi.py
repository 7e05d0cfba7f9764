"""The AsyncAPI document: served as OpenAPI's is, made of the same components, and true to the sockets."""

import gzip
import json
import re

import jsonschema
import pytest

from config.tests.outils.clients import document
from config.tests.outils.envois import verifier_enveloppe
from socle.api.asyncapi import documenter
from socle.api.evenements import DE_SERVICE, REFERENCE, composant, declares, exemple_de
from socle.realtime import vocabulaire
from socle.realtime.fermetures import FERMETURES

CHEMINS = ["/asyncapi.json", "/api/v1/asyncapi.json"]
EN_JSON_SCHEMA = {"nullable", "discriminator"}  # words of OpenAPI 3.0 that JSON Schema does not know


def cles(noeud):
    if isinstance(noeud, dict):
        yield from noeud
        for valeur in noeud.values():
            yield from cles(valeur)
    elif isinstance(noeud, list):
        for valeur in noeud:
            yield from cles(valeur)


@pytest.mark.parametrize("chemin", CHEMINS)
@pytest.mark.parametrize(("accepte", "lire"), [("gzip", gzip.decompress), ("identity", bytes)])
def test_il_se_sert_comme_la_description_de_l_api(brut, chemin, accepte, lire):
    def demander(**entetes):
        return brut.get(chemin, headers={"Accept-Encoding": accepte, **entetes})

    premiere = demander()
    connue = demander(**{"If-None-Match": premiere.headers["ETag"]})
    autre = demander(Origin="https://ailleurs.example")

    assert json.loads(lire(premiere.content)) == documenter()
    assert premiere.headers["Content-Type"] == "application/vnd.aai.asyncapi+json"
    assert premiere.headers["Cache-Control"] == "no-cache"
    assert (connue.status_code, connue.content) == (304, b"")
    assert "origin" in autre.headers["Vary"].lower()


def test_il_se_lit_aussi_comme_du_json_et_rien_d_autre(brut):
    assert brut.get(CHEMINS[0], headers={"Accept": "application/json"}).headers["Content-Type"] == "application/json"
    verifier_enveloppe(brut.get(CHEMINS[0], headers={"Accept": "text/html"}), 406, "NOT_ACCEPTABLE", CHEMINS[0])


def test_une_autre_origine_qui_est_admise_le_lit(brut, settings):
    settings.CORS_ALLOWED_ORIGINS = ["https://ailleurs.example"]

    reponse = brut.get("/asyncapi.json", headers={"Origin": "https://ailleurs.example"})

    assert reponse.headers["Access-Control-Allow-Origin"] == "https://ailleurs.example"


def test_ses_formes_sont_celles_de_l_api():
    siennes, celles_de_l_api = documenter()["components"]["schemas"], document()["components"]["schemas"]

    assert siennes.keys() <= celles_de_l_api.keys()
    for nom, schema in siennes.items():
        proprietes = schema.get("properties", {})
        assert proprietes.keys() == celles_de_l_api[nom].get("properties", {}).keys()
        assert schema.get("required") == celles_de_l_api[nom].get("required")
        assert [p.get("description") for p in proprietes.values()] == [
            p.get("description") for p in celles_de_l_api[nom].get("properties", {}).values()
        ]
    assert EN_JSON_SCHEMA.isdisjoint(cles(siennes))


def test_chaque_type_a_son_message_sur_chacun_de_ses_canaux():
    dit = documenter()
    canaux = {canal["title"]: canal for canal in dit["channels"].values()}
    du_socket = {"ping", "pong", *(une.type for une in DE_SERVICE)}

    for motif, canal in canaux.items():
        attendus = {une.type for une in declares() if motif in une.canaux}
        assert canal["messages"].keys() == attendus | du_socket
        assert canal["address"] == f"/{motif}"
        assert set(canal.get("parameters", {})) == set(re.findall(r"\{(\w+)\}", motif))
    for une in declares():
        assert dit["components"]["messages"][une.type]["payload"]["$ref"] == f"{REFERENCE}{composant(une)}"
    assert "discussions" not in canaux


def test_chaque_exemple_a_la_forme_de_son_message():
    dit = documenter()

    for une in declares():
        (exemple,) = dit["components"]["messages"][une.type]["examples"]
        schema = {"$ref": f"{REFERENCE}{composant(une)}", "components": dit["components"]}
        jsonschema.Draft7Validator(schema).validate(exemple["payload"])
        assert exemple["payload"] == exemple_de(une.type)


def test_un_null_reste_admis_et_un_autre_type_refuse():
    dit = documenter()
    schema = {"$ref": f"{REFERENCE}EvenementConnected", "components": dit["components"]}
    bon = exemple_de("connected")
    tenir = jsonschema.Draft7Validator(schema)

    assert tenir.is_valid({**bon, "payload": {**bon["payload"], "userId": None}})
    assert not tenir.is_valid({**bon, "payload": {**bon["payload"], "userId": 1}})
    assert not tenir.is_valid({**bon, "type": "error"})


def test_chaque_code_de_fermeture_est_dit_avec_ce_qu_il_faut_en_faire():
    notres = {valeur for nom, valeur in vars(vocabulaire).items() if nom.startswith("FERMETURE_")}
    dits = {une["code"]: une for une in documenter()["x-fermetures"]}

    assert notres <= dits.keys()
    assert list(dits) == [une.code for une in FERMETURES]
    assert all(une["sens"] and une["suite"] for une in dits.values())
    assert all(f"| {code} |" in documenter()["info"]["description"] for code in dits)


def test_la_poignee_de_main_dit_chaque_facon_de_se_nommer():
    dit = documenter()
    facons = dit["components"]["securitySchemes"]
    poignee = dit["channels"]["signalement"]["bindings"]["ws"]

    assert poignee["query"]["properties"].keys() == {"token", "guestId", "depuis"}
    assert poignee["headers"]["properties"].keys() == {"Authorization", "X-Guest-Id", "Sec-WebSocket-Protocol"}
    assert all(debut in facons["protocole"]["description"] for debut in vocabulaire.EN_PROTOCOLE)
    assert vocabulaire.PROTOCOLE in facons["protocole"]["description"]
    assert dit["servers"]["service"]["security"] == [{"$ref": f"#/components/securitySchemes/{nom}"} for nom in facons]


def test_la_page_dit_chaque_type_chaque_champ_et_chaque_code(brut):
    page = brut.get("/api/v1/docs/evenements")
    html = page.content.decode()

    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert " style=" not in html
    assert {une.type for une in declares()} <= set(re.findall(r'<h3 id="(\w+)"', html))
    assert all(f"<code>{une.code}</code>" in html for une in FERMETURES)
    for une in declares():
        for champ in exemple_de(une.type)["payload"]:
            assert f"<code>{champ}</code>" in html


def test_la_page_se_lit_dans_la_langue_de_qui_lit(brut):
    francaise, anglaise = (
        brut.get("/api/v1/docs/evenements", headers={"Accept-Language": langue}).content.decode()
        for langue in ("fr", "en")
    )

    assert '<html lang="fr">' in francaise
    assert '<html lang="en">' in anglaise
