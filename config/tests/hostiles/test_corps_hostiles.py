"""Whatever a body is, the answer is an envelope of 4xx and nothing is stored."""

import json
from typing import Any

import pytest

from config.tests.outils.hostiles import AVEC_CORPS, Appel, Operation, contenu_de_la_base, par_operation

pytestmark = [pytest.mark.django_db, pytest.mark.longue]


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

    assert appel.envoyer(appel.corps, content_type=type_).status_code in (200, 201, 202)


@par_operation(AVEC_CORPS)
def test_32_niveaux_se_lisent(operation):
    appel = Appel(operation)
    corps = json.dumps(appel.corps).encode()

    reponse = appel.envoyer(corps.replace(b"{", b'{"x":' + b"[" * 31 + b"]" * 31 + b",", 1))

    assert reponse.status_code in (200, 201, 202)


def test_une_cle_repetee_vaut_sa_derniere_valeur():
    appel = Appel(Operation("POST", "/api/v1/signalements"))

    recu = appel.envoyer(b'{"titre": "Un", "description": "d", "type": "VOL", "titre": "Deux"}')

    assert recu.json()["data"]["titre"] == "Deux"
