"""Whatever is sent, the answer is an envelope of 4xx and nothing is stored; operations come from the document."""

import json
import time
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import jwt
import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.urls import resolve

from config.tests.outils import ClientApi, document
from config.tests.test_matrice import LIGNES, Scene, en_parametres, exemple_de, operation_de
from signalements.models import Signalement

pytestmark = pytest.mark.django_db
METHODES = ("get", "post", "put", "patch", "delete")
# What a refused call may touch all the same, and what it cannot.
HORS_COMPTE = {
    "accounts.session",
    "realtime.evenement",
    "realtime.compteurevenements",
    "admin.logentry",
    "contenttypes.contenttype",
    "auth.permission",
}


class Operation(NamedTuple):
    methode: str
    chemin: str

    def __str__(self) -> str:
        return f"{self.methode} {self.chemin.removeprefix('/api/v1')}"

    @property
    def description(self) -> dict[str, Any]:
        return document()["paths"][self.chemin][self.methode.lower()]

    @property
    def acteur(self) -> str:
        """Who is let in furthest."""
        acces = {nom for choix in self.description.get("security") or [] for nom in choix}
        if "exploitant" in acces:
            return "exploitant"
        if "bearer" in acces or self.se_dit_en_question:
            return "admin"
        return "guest_owner" if "invite" in acces else "anonymous"

    @property
    def se_dit_en_question(self) -> bool:
        """Who calls is said in the query: a question without it, or with another, is one of nobody."""
        return any("cle" in choix for choix in self.description.get("security") or [])

    @property
    def forme(self) -> dict[str, Any]:
        """The schema of the body; {} without one."""
        contenu = self.description.get("requestBody", {}).get("content", {})
        return resoudre(contenu.get("application/json", {}).get("schema", {}))

    @property
    def se_passe_de_corps(self) -> bool:
        vue = resolve(exemple_de(self.chemin)).func
        return bool(vue.cls.operations[vue.actions[self.methode.lower()]].corps_facultatif)

    @property
    def parametres(self) -> list[str]:
        return [p["name"] for p in self.description.get("parameters", []) if p["in"] == "query"]


def resoudre(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema behind its references."""
    for cle in ("allOf", "oneOf", "anyOf"):
        if schema.get(cle):
            return resoudre(schema[cle][0])
    if "$ref" in schema:
        return resoudre(document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    return schema


OPERATIONS = [Operation(m.upper(), c) for c, qui in document()["paths"].items() for m in METHODES if m in qui]
AVEC_CORPS = [operation for operation in OPERATIONS if operation.forme]
# A day is no id: one that cannot be read is a 422.
AVEC_ID = [operation for operation in OPERATIONS if "{" in operation.chemin and "{target_date}" not in operation.chemin]
CHAMPS = [(operation, champ) for operation in AVEC_CORPS for champ in operation.forme["properties"]]
OBLIGATOIRES = [(operation, champ) for operation, champ in CHAMPS if champ in operation.forme.get("required", ())]
LISTES = [operation for operation in OPERATIONS if {"page", "size"} <= set(operation.parametres)]


def par_operation(choisies: list[Operation]) -> Any:
    return pytest.mark.parametrize("operation", [pytest.param(o, id=str(o)) for o in choisies])


def par_champ(choisis: list[tuple[Operation, str]]) -> Any:
    return pytest.mark.parametrize(("operation", "champ"), [pytest.param(o, c, id=f"{o} {c}") for o, c in choisis])


class Appel:
    """One operation, ready: its client, its address, a body that it accepts."""

    def __init__(self, operation: Operation) -> None:
        self.scene = Scene()
        self.operation = operation
        self.client = self.scene.client(operation.acteur)
        ligne = LIGNES[0]._replace(methode=operation.methode, chemin=operation.chemin, acteur=operation.acteur)
        self.url = self.scene.chemin(ligne)
        qui = "user_owner" if operation.acteur == "anonymous" else operation.acteur
        self.corps = self.scene.corps(operation.methode, operation.chemin, qui) or {}
        self.entetes = self.scene.entetes(operation.methode, operation.chemin)

    def envoyer(self, corps: Any = None, **options: Any) -> Any:
        options.setdefault("headers", self.entetes)
        return self.client.envoyer(self.operation.methode, options.pop("url", self.url), corps, **options)

    def avec(self, champ: str, valeur: Any) -> Any:
        return self.envoyer({**self.corps, champ: valeur})

    def brut(self, champ: str, valeur: bytes) -> Any:
        """The same with the JSON of the value as it is given."""
        marque = "valeur-brute"
        return self.envoyer(json.dumps({**self.corps, champ: marque}).encode().replace(b'"valeur-brute"', valeur))


@cache
def tables() -> list[str]:
    return [m._meta.db_table for m in apps.get_models() if m._meta.label_lower not in HORS_COMPTE]


def contenu_de_la_base() -> dict[str, list[Any]]:
    """Every row of every table, as the database gives it: asked for twice by each of many tests."""
    questions = [f"SELECT * FROM {table}" for table in tables()]  # noqa: S608 -- our own names
    ensemble = connection.vendor == "postgresql"  # one message to a server, where each way costs more than its answer
    lues = []
    with connection.cursor() as curseur:
        for question in ["; ".join(questions)] if ensemble else questions:
            curseur.execute(question)
            lues.append(curseur.fetchall())
            while ensemble and curseur.nextset():
                lues.append(curseur.fetchall())
    return {table: sorted(lignes, key=str) for table, lignes in zip(tables(), lues, strict=True)}


def champs_nommes(reponse: Any) -> set[str]:
    return {detail["field"].partition(".")[0] for detail in reponse.json().get("details", [])}


# --- Fields ------------------------------------------------------------------------------------------------------

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
    assert appel.envoyer(appel.corps).status_code in (200, 201)


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

    assert reponse.status_code in (200, 201) or (reponse.status_code, champs_nommes(reponse)) == (422, {champ})


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

    assert reponse.status_code in (200, 201)
    garde = [list(modele._base_manager.values_list()) for modele in apps.get_models()]
    assert guest_id.hex not in str(garde).lower().replace("-", "")


@par_champ(CHAMPS)
@pytest.mark.parametrize("brut", [rb'"\ud800"', rb'"a\udfffb"', rb'["\ud800"]', rb'{"\ud800": 1}'])
def test_un_demi_caractere_rend_le_corps_illisible(operation, champ, brut):
    appel = Appel(operation)
    avant = contenu_de_la_base()

    reponse = appel.brut(champ, brut)

    assert reponse.status_code == 400
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


# --- Bodies ------------------------------------------------------------------------------------------------------


def corps_hostiles(valide: bytes) -> dict[str, tuple[bytes, dict[str, Any], int]]:
    """`name: (body, options of the call, expected status)`, made from a body that is good."""
    illisibles = {
        "vide": b"",
        "espaces": b"  \n ",
        "tronque": valide[:-1],
        "apres la fin": valide + b"}",
        "deux objets": valide + valide,
        "pas utf-8": valide.replace(b"{", b'{"x": "\xff\xfe", ', 1),
        "latin-1": valide.replace(b"{", '{"x": "é", '.encode("latin-1"), 1),
        "utf-16": valide.decode().encode("utf-16"),
        "marque": b"\xef\xbb\xbf" + valide,
        "tableau": b"[" + valide + b"]",
        "texte": b'"texte"',
        "nombre": b"12",
        "nul": b"null",
        "vrai": b"true",
        "guillemets simples": b"{'a': 1}",
        "virgule finale": valide[:-1] + b",}",
        "commentaire": b"/* */" + valide,
        "NaN": valide.replace(b"{", b'{"x": NaN, ', 1),
        "Infinity": valide.replace(b"{", b'{"x": Infinity, ', 1),
        "-Infinity": valide.replace(b"{", b'{"x": -Infinity, ', 1),
        "nul brut": valide.replace(b"{", b'{"x": "\x00", ', 1),
        "100 000 tableaux": b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "100 000 objets": b'{"x":' * 100_000 + b"1" + b"}" * 100_000,
        "100 000 ouverts": b"[" * 100_000,
        "33 niveaux": valide.replace(b"{", b'{"x":' + b"[" * 32 + b"]" * 32 + b",", 1),
    }
    types = {
        "texte brut": "text/plain",
        "formulaire": "application/x-www-form-urlencoded",
        "plusieurs parties": "multipart/form-data; boundary=x",
        "xml": "application/xml",
        "type illisible": "n'importe quoi",
        "sans type": "",
        "latin-1 annonce": "application/json; charset=latin-1",
        "utf-16 annonce": "application/json; charset=utf-16",
        "encodage inconnu": "application/json; charset=klingon",
    }
    return (
        {nom: (brut, {}, 400) for nom, brut in illisibles.items()}
        | {nom: (valide, {"content_type": type_}, 415) for nom, type_ in types.items()}
        | {
            "3 Mo annonces": (valide, {"CONTENT_LENGTH": str(3 * 1024 * 1024)}, 413),
            "3 Mo": (b'{"x": "' + b"a" * 3 * 1024 * 1024 + b'"}', {}, 413),
        }
    )


@par_operation(AVEC_CORPS)
def test_un_corps_illisible_trop_grand_ou_d_un_autre_type_est_refuse(operation):
    appel = Appel(operation)
    hostiles = corps_hostiles(json.dumps(appel.corps).encode())
    if operation.se_passe_de_corps:
        del hostiles["vide"]
    avant = contenu_de_la_base()

    statuts = {nom: appel.envoyer(brut, **options).status_code for nom, (brut, options, _) in hostiles.items()}

    assert statuts == {nom: attendu for nom, (_, _, attendu) in hostiles.items()}
    assert contenu_de_la_base() == avant


@par_operation(AVEC_CORPS)
@pytest.mark.parametrize(
    "type_", ["application/json; charset=UTF-8", "APPLICATION/JSON", 'application/json;charset="utf-8"']
)
def test_un_json_en_utf_8_est_lu_comment_qu_il_s_annonce(operation, type_):
    appel = Appel(operation)

    assert appel.envoyer(appel.corps, content_type=type_).status_code in (200, 201)


@par_operation(AVEC_CORPS)
def test_32_niveaux_se_lisent(operation):
    appel = Appel(operation)
    corps = json.dumps(appel.corps).encode()

    reponse = appel.envoyer(corps.replace(b"{", b'{"x":' + b"[" * 31 + b"]" * 31 + b",", 1))

    assert reponse.status_code in (200, 201)


def test_une_cle_repetee_vaut_sa_derniere_valeur():
    appel = Appel(Operation("POST", "/api/v1/signalements/"))

    recu = appel.envoyer(b'{"titre": "Un", "description": "d", "type": "VOL", "titre": "Deux"}')

    assert recu.json()["data"]["titre"] == "Deux"


# --- Order of the checks -------------------------------------------------------------------------------------------

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
@pytest.mark.parametrize("corps", [b'{"', b"[]", b"{}"])
def test_ce_qui_n_existe_pas_est_un_404_avant_qu_on_lise_le_corps(operation, corps):
    appel = Appel(operation)
    url = operation.chemin.partition("{")[0] + str(uuid4()) + operation.chemin.partition("}")[2]

    assert appel.envoyer(corps, url=url).status_code == 404


# --- Addresses -----------------------------------------------------------------------------------------------------

FAUX_IDENTIFIANTS = {
    "mot": "x",
    "zero": "0",
    "negatif": "-1",
    "nul": "00000000-0000-0000-0000-000000000000",
    "tout a f": "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "court": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5",
    "pleine chasse": "５f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f",
    "apostrophe": "' OR 1=1 --",
    "NUL": "\x00",
    "NUL a la fin": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f\x00",
    "retour a la ligne": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f\n",
    "long": "a" * 10_000,
    "gabarit": "{id}",
    "null": "null",
}


@par_operation(AVEC_ID)
def test_un_identifiant_qui_n_en_est_pas_un_est_un_404(operation):
    appel = Appel(operation)
    debut, _, fin = operation.chemin.partition("{")
    adresses = {nom: f"{debut}{quote(faux)}{fin.partition('}')[2]}" for nom, faux in FAUX_IDENTIFIANTS.items()}
    adresses["pas utf-8"] = f"{debut}%FF%FE{fin.partition('}')[2]}"
    avant = contenu_de_la_base()

    statuts = {nom: appel.envoyer(appel.corps or None, url=url).status_code for nom, url in adresses.items()}

    assert statuts == dict.fromkeys(adresses, 404)
    assert contenu_de_la_base() == avant


@par_operation([operation for operation in AVEC_ID if "guestId" in operation.chemin or "_id" in operation.chemin])
def test_un_identifiant_n_a_qu_une_forme_avec_ses_tirets(operation):
    appel = Appel(operation)
    nom = operation.chemin.partition("{")[2].partition("}")[0]
    bon = appel.scene.valeur(nom, operation.acteur)
    formes = [bon.replace("-", ""), f"{{{bon}}}", f"urn:uuid:{bon}", f"{bon[:-3]}_{bon[-2:]}", f"{bon}\n"]

    adresses = [operation.chemin.replace(f"{{{nom}}}", quote(forme)) for forme in formes]

    assert [appel.envoyer(appel.corps or None, url=url).status_code for url in adresses] == [404] * len(formes)


PAGES_FAUSSES = ["-1", "1.5", "abc", "", " ", "１", "+1", "1e3", "0x1", "null", "1%00", "%FF", "1,2", "--1", "²"]


@par_operation(LISTES)
@pytest.mark.parametrize("nom", ["page", "size"])
def test_une_page_ou_une_taille_qui_n_est_pas_un_entier_est_nommee(operation, nom):
    appel = Appel(operation)
    fausses = [*PAGES_FAUSSES, "0"] if nom == "size" else PAGES_FAUSSES

    recues = {faux: appel.envoyer(url=f"{appel.url}?{nom}={faux}") for faux in fausses}

    assert {faux: (r.status_code, champs_nommes(r)) for faux, r in recues.items()} == dict.fromkeys(
        fausses, (422, {nom})
    )


@par_operation(LISTES)
def test_une_page_ou_une_taille_demesuree_ne_casse_rien(operation):
    appel = Appel(operation)

    statuts = {
        (nom, valeur): appel.envoyer(url=f"{appel.url}?{nom}={valeur}").status_code
        for nom in ("page", "size")
        for valeur in ("2147483647", "2147483648", "9" * 18, "9" * 19, "9" * 30, "9" * 5_000)
    }

    assert set(statuts.values()) <= {200, 422}, statuts


QUESTIONS_HOSTILES = [
    "%00",
    "a%00b",
    "%FF%FE",
    "%ED%A0%80",
    "a" * 10_000,
    "%F0%9F%92%A3",
    "'%22%3B--",
    "0001-01-01",
    "9999-12-31",
    "0000-00-00",
    "2026-02-30",
    "99999999999999999999",
    "00000000-0000-0000-0000-000000000000",
    "signalement:%00",
    "signalement:" + "a" * 36,
    "%25",
    "_",
    "\\",
    "[]",
]


@par_operation([operation for operation in OPERATIONS if operation.methode == "GET"])
def test_une_question_hostile_recoit_une_reponse_ou_un_refus(operation):
    appel = Appel(operation)
    adresse = appel.url.partition("?")[0]
    noms = [*operation.parametres, "guestId", "inconnu", *["cle"] * operation.se_dit_en_question]

    statuts = {
        f"{nom}={valeur[:20]}": appel.envoyer(url=f"{adresse}?{nom}={valeur}").status_code
        for nom in noms
        for valeur in QUESTIONS_HOSTILES
    }

    refus = {401} if operation.se_dit_en_question else {400, 403, 422}
    assert set(statuts.values()) <= {200} | refus, statuts


@par_operation([operation for operation in OPERATIONS if {"debut", "fin"} & set(operation.parametres)])
@pytest.mark.parametrize("fuseau", ["UTC", "Africa/Kinshasa", "Pacific/Honolulu"])
def test_le_premier_et_le_dernier_jour_se_cherchent_ou_se_refusent(operation, fuseau, settings):
    settings.TIME_ZONE_CAMPUS = ZoneInfo(fuseau)
    appel = Appel(operation)
    adresse = appel.url.partition("?")[0]
    jours = [f"{nom}={jour}" for nom in ("debut", "fin") for jour in ("0001-01-01", "9999-12-31")]

    statuts = {jour: appel.envoyer(url=f"{adresse}?{jour}").status_code for jour in jours}

    assert set(statuts.values()) <= {200, 422}, statuts


@par_operation([operation for operation in OPERATIONS if operation.methode == "GET"])
@pytest.mark.parametrize("question", ["%00", "%FF=%FF", "&&&===", "a&a&a", "=%ED%A0%80", "a=1;b=2", "%"])
def test_une_question_sans_nom_est_ignoree(operation, question):
    appel = Appel(operation)

    statut = appel.envoyer(url=f"{appel.url}{'&' if '?' in appel.url else '?'}{question}").status_code

    assert statut == 200


# --- Dates ---------------------------------------------------------------------------------------------------------

DATES_FAUSSES = [
    "2026-02-30T10:00:00Z",
    "2025-02-29T10:00:00Z",
    "2026-13-01T10:00:00Z",
    "2026-03-01T24:30:00Z",
    "2026-03-01T10:60:00Z",
    "2026-03-01T10:00:61Z",
    "2026-03-01T10:00:00+25:00",
    "0000-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "9999-12-31T23:59:59.999999-00:01",
    "２026-03-01T10:00:00Z",
    "2026-03-01T10:00:00Z\x00",
    "demain",
    "",
    "1772359200",
    "12:30:00",
    "T",
    "a" * 100_000,
]


@pytest.mark.parametrize("date", DATES_FAUSSES, ids=lambda date: date[:32] or "vide")
def test_une_date_qui_n_existe_pas_est_nommee(date):
    appel = Appel(Operation("POST", "/api/v1/signalements/"))

    reponse = appel.avec("dateIncident", date)

    assert (reponse.status_code, champs_nommes(reponse)) == (422, {"dateIncident"})
    assert not Signalement.objects.exists()


@pytest.mark.parametrize(
    ("date", "lue"),
    [
        ("2026-03-01T14:30:00", "2026-03-01T14:30:00.000Z"),
        (" 2026-03-01T14:30:00Z ", "2026-03-01T14:30:00.000Z"),
        ("2026-03-01T14:30:00+01:00", "2026-03-01T13:30:00.000Z"),
        ("2024-02-29T23:30:00-01:00", "2024-03-01T00:30:00.000Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
    ],
)
def test_une_date_se_lit_en_utc_et_se_relit_de_meme(date, lue):
    appel = Appel(Operation("POST", "/api/v1/signalements/"))

    cree = appel.avec("dateIncident", date).json()["data"]
    relu = appel.client.get(f"/api/v1/signalements/{cree['id']}").json()["data"]

    assert (cree["dateIncident"], relu["dateIncident"]) == (lue, lue)


# --- Tokens --------------------------------------------------------------------------------------------------------

VALIDER = "/api/v1/auth/validate"
CLE = settings.SIMPLE_JWT["SIGNING_KEY"]


def contenu_du(jeton: str, *sans: str, **champs: Any) -> dict[str, Any]:
    contenu = jwt.decode(jeton, options={"verify_signature": False})
    return {nom: valeur for nom, valeur in {**contenu, **champs}.items() if nom not in sans}


def signe(contenu: dict[str, Any], cle: str = CLE, algorithme: str = "HS256", **options: Any) -> str:
    return jwt.encode(contenu, cle, algorithm=algorithme, **options)


def jetons_faux(bon: str, autre: str) -> dict[str, str]:
    """Tokens that each differ from a good one in one thing; `autre` is the token of the other kind."""
    entete, corps, signature = bon.split(".")
    passe = int(time.time()) - 10
    return {
        "alg none": jwt.encode(contenu_du(bon), "", algorithm="none"),
        "alg none signe": f"{jwt.encode(contenu_du(bon), '', algorithm='none')}{signature}",
        "sans signature": f"{entete}.{corps}.",
        "HS384": signe(contenu_du(bon), algorithme="HS384"),
        "autre cle": signe(contenu_du(bon), "une autre clé " + "x" * 40),
        "l'autre jeton": autre,
        "type inconnu": signe(contenu_du(bon, typ="sliding")),
        "type en liste": signe(contenu_du(bon, typ=["access", "refresh"])),
        "expire": signe(contenu_du(bon, exp=passe)),
        "exp texte": signe(contenu_du(bon, exp="demain")),
        "exp demesure": signe(contenu_du(bon, exp=10**18)),
        "exp nul": signe(contenu_du(bon, exp=None)),
        "sid d'un autre": signe(contenu_du(bon, sid=str(uuid4()))),
        "sid liste": signe(contenu_du(bon, sid=[contenu_du(bon)["sid"]])),
        "sub d'un autre": signe(contenu_du(bon, sub=str(uuid4()))),
        "sub pas un uuid": signe(contenu_du(bon, sub="awa@campus.test")),
        "sub vide": signe(contenu_du(bon, sub="")),
        "sub avec NUL": signe(contenu_du(bon, sub="\x00" * 36)),
        **{f"sans {nom}": signe(contenu_du(bon, nom)) for nom in ("exp", "sid", "sub", "typ", "jti")},
        "charge falsifiee": f"{entete}.{corps[:-2]}AA.{signature}",
        "tronque": bon[:-5],
        "prolonge": f"{bon}.{corps}",
        "pas un jeton": "abc",
        "points": "..",
        "accents": "é.é.é",
        "demesure": "a" * 100_000,
    }


@pytest.fixture
def faux_acces():
    """The good token, and those that are not."""
    connexion = Scene().connexion("user_owner")
    return connexion.token, jetons_faux(connexion.token, connexion.refresh_token)


def test_un_jeton_d_acces_qui_n_est_pas_le_notre_est_un_401(faux_acces):
    bon, faux = faux_acces

    recus = {nom: ClientApi().get(VALIDER, headers={"Authorization": f"Bearer {j}"}) for nom, j in faux.items()}

    assert ClientApi(jeton=bon).get(VALIDER).status_code == 200
    assert {nom: (r.status_code, r.json()["code"]) for nom, r in recus.items()} == dict.fromkeys(
        faux, (401, "TOKEN_INVALID")
    )
    assert {r.headers.get("WWW-Authenticate", "").split()[0] for r in recus.values()} == {"Bearer"}


def test_un_jeton_de_renouvellement_qui_n_est_pas_le_notre_est_refuse():
    connexion = Scene().connexion("user_owner")
    faux = jetons_faux(connexion.refresh_token, connexion.token)

    statuts = {
        nom: ClientApi().post("/api/v1/auth/refresh", {"refreshToken": j}).status_code for nom, j in faux.items()
    }
    bon = ClientApi().post("/api/v1/auth/refresh", {"refreshToken": connexion.refresh_token})

    assert statuts == {nom: 422 if nom == "demesure" else 401 for nom in faux}
    assert bon.status_code == 200


@pytest.mark.parametrize(
    ("entete", "code"),
    [
        ("Bearer", "TOKEN_INVALID"),
        ("Bearer ", "TOKEN_INVALID"),
        ("bearer    ", "TOKEN_INVALID"),
        ("Bearer a b", "TOKEN_INVALID"),
        ("Bearer null", "TOKEN_INVALID"),
        ("Basic YXdhOm1vdA==", "AUTH_REQUIRED"),
        ("Token abc", "AUTH_REQUIRED"),
        ("abc", "AUTH_REQUIRED"),
        (" ", "AUTH_REQUIRED"),
    ],
)
def test_un_en_tete_sans_jeton_est_un_401(entete, code):
    reponse = ClientApi().get(VALIDER, headers={"Authorization": entete})

    assert (reponse.status_code, reponse.json()["code"]) == (401, code)


def test_le_nom_du_schema_se_lit_sans_casse():
    jeton = Scene().connexion("user_owner").token

    assert ClientApi().get(VALIDER, headers={"Authorization": f"bEARER {jeton}"}).status_code == 200


# --- X-Guest-Id ----------------------------------------------------------------------------------------------------

SUIVI = "/api/v1/guest/suivi"


@pytest.mark.parametrize(
    ("valeur", "statut", "code"),
    [
        ("x", 403, "GUEST_SESSION_INVALID"),
        ("5f0c2a9e6a7c4c7e9f6b0a1b2c3d4e5f", 403, "GUEST_SESSION_INVALID"),
        ("5f0c2a9e-6a7c-4c7e-9f6b 0a1b2c3d4e5f", 403, "GUEST_SESSION_INVALID"),
        ("5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5g", 403, "GUEST_SESSION_INVALID"),
        ("-" * 36, 403, "GUEST_SESSION_INVALID"),
        ("{5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f}", 403, "GUEST_SESSION_INVALID"),
        ("null", 403, "GUEST_SESSION_INVALID"),
        ("é" * 36, 403, "GUEST_SESSION_INVALID"),
        ("a" * 10_240, 403, "GUEST_SESSION_INVALID"),
        ("00000000-0000-0000-0000-000000000000", 404, "GUEST_SESSION_NOT_FOUND"),
        ("5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f", 404, "GUEST_SESSION_NOT_FOUND"),
        ("", 401, "AUTH_REQUIRED"),
        ("   ", 401, "AUTH_REQUIRED"),
    ],
    ids=lambda valeur: str(valeur)[:40],
)
def test_un_identifiant_invite_qui_n_ouvre_rien_est_refuse(valeur, statut, code):
    reponse = ClientApi().get(SUIVI, headers={"X-Guest-Id": valeur})

    assert (reponse.status_code, reponse.json()["code"]) == (statut, code)


@pytest.mark.parametrize("ecrire", [str, lambda i: f"  {i} ", lambda i: str(i).upper()])
def test_un_bon_identifiant_invite_se_lit_en_capitales_et_entre_des_espaces(ecrire):
    guest_id = UUID(Scene().guest_id("guest_owner"))

    assert ClientApi().get(SUIVI, headers={"X-Guest-Id": ecrire(guest_id)}).status_code == 200


def test_ce_qui_n_est_pas_le_secret_d_un_invite_n_ouvre_pas_son_dossier():
    scene = Scene()
    dossier, invite = scene.signalement_de_l_invite, scene.guest_owner

    statuts = [
        ClientApi(guest_id=autre).get(f"/api/v1/signalements/{dossier.pk}").status_code
        for autre in (invite.pk, dossier.pk, invite.guest_id_empreinte[:36])
    ]

    assert statuts == [404, 404, 403]
