"""Whatever a field holds, the answer is an envelope of 4xx that names it, and nothing is stored."""

from typing import Any
from uuid import UUID

import pytest
from django.apps import apps

from config.tests.outils.hostiles import (
    AVEC_CORPS,
    Appel,
    Operation,
    champs_nommes,
    contenu_de_la_base,
    par_operation,
    resoudre,
)

pytestmark = [pytest.mark.django_db, pytest.mark.longue]

CHAMPS = [(operation, champ) for operation in AVEC_CORPS for champ in operation.forme["properties"]]
OBLIGATOIRES = [
    (operation, champ)
    for operation, champ in CHAMPS
    if champ in operation.forme.get("required", ()) and not operation.forme["properties"][champ].get("nullable")
]


def par_champ(choisis: list[tuple[Operation, str]]) -> Any:
    return pytest.mark.parametrize(("operation", "champ"), [pytest.param(o, c, id=f"{o} {c}") for o, c in choisis])


JSON_DE_TYPE: dict[str, Any] = {
    "string": "x",
    "integer": 12,
    "number": 1.5,
    "boolean": True,
    "array": ["a"],
    "object": {"a": "b"},
}
CONTROLES = {"nul": "\x00", "debut": "\x01", "echap": "\x1b", "suppr": "\x7f", "c1": "\x9f"}


# Long enough to be a password too.
MAUVAIS_TEXTES = {nom: f"Campus-2026{controle}essai" for nom, controle in CONTROLES.items()} | {
    "avant": "\x1cCampus-2026-essai",
    "apres": "Campus-2026-essai\x85",
}


def faux_types(champ: dict[str, Any]) -> dict[str, Any]:
    """Values of every JSON type but the field's own."""
    faux = {nom: valeur for nom, valeur in JSON_DE_TYPE.items() if nom != champ["type"]}
    if champ["type"] == "array":
        faux |= {"nombres": [12], "nuls": [None], "imbriques": [["a"]]}
        if resoudre(champ["items"]).get("type") != "string" or "format" in resoudre(champ["items"]):
            faux["mots"] = ["pas-un-identifiant"]
    if champ.get("enum") or champ.get("format") in ("uuid", "date-time", "email"):
        faux |= {"texte": "ni l'un ni l'autre", "vide": ""}
    return faux


def textes_hostiles(champ: dict[str, Any]) -> dict[str, Any]:
    if champ["type"] == "object":
        return {nom: {"a": [texte]} for nom, texte in MAUVAIS_TEXTES.items() if nom == "nul"} | {"cle": {"a\x00b": 1}}
    return {nom: [texte] if champ["type"] == "array" else texte for nom, texte in MAUVAIS_TEXTES.items()}


@par_operation(AVEC_CORPS)
def test_le_corps_de_depart_est_accepte(operation):
    appel = Appel(operation)

    assert appel.corps, f"CORPS de test_matrice ne sait pas quoi envoyer à {operation}"
    assert appel.envoyer(appel.corps).status_code in (200, 201, 202)


@par_champ(OBLIGATOIRES)
def test_null_ou_rien_sur_un_champ_obligatoire_est_un_422_qui_le_nomme(operation, champ):
    appel = Appel(operation)
    avant = contenu_de_la_base()

    nul = appel.avec(champ, None)
    absent = appel.envoyer({nom: valeur for nom, valeur in appel.corps.items() if nom != champ})

    assert [(r.status_code, champs_nommes(r)) for r in (nul, absent)] == [(422, {champ})] * 2
    assert contenu_de_la_base() == avant


@par_champ([(operation, champ) for operation, champ in CHAMPS if (operation, champ) not in OBLIGATOIRES])
def test_null_sur_un_champ_facultatif_est_compris_ou_refuse_en_le_nommant(operation, champ):
    reponse = Appel(operation).avec(champ, None)

    assert reponse.status_code in (200, 201, 202) or (reponse.status_code, champs_nommes(reponse)) == (422, {champ})


@par_champ(CHAMPS)
def test_un_mauvais_type_est_un_422_qui_nomme_le_champ(operation, champ):
    appel = Appel(operation)
    faux = faux_types(resoudre(operation.forme["properties"][champ]))
    avant = contenu_de_la_base()

    recus = {nom: appel.avec(champ, valeur) for nom, valeur in faux.items()}

    assert {nom: (r.status_code, champs_nommes(r)) for nom, r in recus.items()} == dict.fromkeys(faux, (422, {champ}))
    assert contenu_de_la_base() == avant


@par_champ(CHAMPS)
def test_un_texte_d_un_megaoctet_est_refuse(operation, champ):
    appel = Appel(operation)
    forme = resoudre(operation.forme["properties"][champ])
    long = {"array": lambda t: [t], "object": lambda t: {"a": t}}.get(forme["type"], str)
    avant = contenu_de_la_base()

    presque, trop = (appel.avec(champ, long("é" * (taille // 2))) for taille in (1_000_000, 1_100_000))

    assert (presque.status_code, trop.status_code) in {(422, 413), (413, 413)}
    assert contenu_de_la_base() == avant


@par_champ(CHAMPS)
def test_un_caractere_de_controle_est_un_422_qui_nomme_le_champ(operation, champ):
    appel = Appel(operation)
    hostiles = textes_hostiles(resoudre(operation.forme["properties"][champ]))
    avant = contenu_de_la_base()

    recus = {nom: appel.avec(champ, valeur) for nom, valeur in hostiles.items()}

    attendus = dict.fromkeys(hostiles, (422, {champ}))
    assert {nom: (r.status_code, champs_nommes(r)) for nom, r in recus.items()} == attendus
    assert contenu_de_la_base() == avant


# What is never changed, and never stored as it came.
OPAQUES = {
    "motDePasse",
    "password",
    "ancienMotDePasse",
    "nouveauMotDePasse",
    "token",
    "invitationToken",
    "refreshToken",
    "planDigest",
}
SANS_RIEN_A_VOIR = [
    *("\u200b", "\u3164", "\u2800", "\u00ad", "\u115f\u1160", "\u17b4\u17b5", "\U000e0067\U000e007f", "\ufe0f"),
    *("\u0301\u0302", "\u202e\u202c", "\u2066 \u2069", "\u200d", " \u2060\n\ufeff", "\uffa0", "\u034f", "\u061c\u200f"),
]


def des_textes(champs: list[tuple[Operation, str]]) -> list[tuple[Operation, str]]:
    """What a person writes: strings of no list, that are kept as they are."""
    formes = [(operation, champ, resoudre(operation.forme["properties"][champ])) for operation, champ in champs]
    return [(o, c) for o, c, f in formes if f["type"] == "string" and not f.get("enum") and c not in OPAQUES]


@par_champ(des_textes(OBLIGATOIRES))
def test_un_texte_obligatoire_qui_ne_montre_rien_est_vide(operation, champ):
    appel = Appel(operation)
    avant = contenu_de_la_base()

    recus = {texte: appel.avec(champ, texte) for texte in SANS_RIEN_A_VOIR}

    assert {t: (r.status_code, champs_nommes(r)) for t, r in recus.items()} == dict.fromkeys(recus, (422, {champ}))
    if "format" not in resoudre(operation.forme["properties"][champ]):
        assert {detail["code"] for r in recus.values() for detail in r.json()["details"]} == {"blank"}
    assert contenu_de_la_base() == avant


@par_champ(des_textes([(operation, champ) for operation, champ in CHAMPS if (operation, champ) not in OBLIGATOIRES]))
def test_un_texte_facultatif_qui_ne_montre_rien_n_est_garde_nulle_part(operation, champ):
    reponse = Appel(operation).avec(champ, "\u200b\u3164")

    assert reponse.status_code in (200, 201, 202) or (reponse.status_code, champs_nommes(reponse)) == (422, {champ})
    assert "\u3164" not in reponse.content.decode()
    garde = [str(ligne) for modele in apps.get_models() for ligne in modele._base_manager.values_list()]
    assert not any("\\u3164" in ascii(ligne) for ligne in garde)


def avec_un_identifiant(champ: dict[str, Any], guest_id: UUID) -> Any:
    return {"array": [f"Moi, {guest_id}"], "object": {guest_id.hex: [str(guest_id)]}}.get(
        champ["type"], f"Voir {guest_id}, ou 0{guest_id.hex.upper()}f"
    )


@par_operation(AVEC_CORPS)
def test_l_identifiant_d_un_invite_n_est_garde_nulle_part(operation):
    appel = Appel(operation)
    guest_id = appel.scene.guest_owner.guest_id
    formes = {nom: resoudre(forme) for nom, forme in operation.forme["properties"].items() if nom not in OPAQUES}
    textes = {nom: forme for nom, forme in formes.items() if forme["type"] in ("string", "array", "object")}
    colles = {nom: avec_un_identifiant(forme, guest_id) for nom, forme in textes.items()}

    reponse = appel.envoyer(appel.corps | colles)
    if reponse.status_code == 422:
        gardes = {nom: valeur for nom, valeur in colles.items() if nom not in champs_nommes(reponse)}
        reponse = appel.envoyer(appel.corps | gardes)

    assert reponse.status_code in (200, 201, 202)
    garde = [list(modele._base_manager.values_list()) for modele in apps.get_models()]
    assert guest_id.hex not in str(garde).lower().replace("-", "")


DEMIS = [rb'"\ud800"', rb'"a\udfffb"', rb'["\ud800"]', rb'{"\ud800": 1}']


@par_champ(CHAMPS)
def test_un_demi_caractere_rend_le_corps_illisible(operation, champ):
    appel = Appel(operation)
    avant = contenu_de_la_base()

    statuts = {demi: appel.brut(champ, demi).status_code for demi in DEMIS}

    assert statuts == dict.fromkeys(DEMIS, 400)
    assert contenu_de_la_base() == avant


@par_champ(CHAMPS)
def test_un_nombre_hors_de_toute_mesure_n_est_jamais_garde(operation, champ):
    appel = Appel(operation)
    avant = contenu_de_la_base()
    enormes = [b"1" + b"0" * 400, b"-1" + b"0" * 400, b"1e400", b"-1e400", b"1e999999999"]
    if resoudre(operation.forme["properties"][champ])["type"] == "object":
        enormes = [b'{"a": %b}' % nombre for nombre in enormes]

    statuts = {nombre[:12]: appel.brut(champ, nombre).status_code for nombre in enormes}

    assert set(statuts.values()) <= {400, 422}, statuts
    assert contenu_de_la_base() == avant
