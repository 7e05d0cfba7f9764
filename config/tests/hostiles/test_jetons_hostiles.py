"""A token that is not ours, or no more, opens nothing."""

import time
from typing import Any
from uuid import uuid4

import jwt
import pytest
from django.conf import settings

from config.tests.outils import ClientApi
from config.tests.outils.scene import Scene

pytestmark = pytest.mark.django_db

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
        "expire a l'instant": signe(contenu_du(bon, exp=int(time.time()))),
        "d'une horloge en avance d'une minute": signe(contenu_du(bon, iat=int(time.time()) + 60)),
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


def test_un_jeton_d_une_horloge_en_avance_de_deux_secondes_est_bon_tant_que_sa_session_l_est():
    connexion = Scene().connexion("user_owner")
    avance = int(time.time()) + 2
    acces = signe(contenu_du(connexion.token, iat=avance, nbf=avance))
    renouvellement = signe(contenu_du(connexion.refresh_token, iat=avance))

    assert ClientApi(jeton=acces).get(VALIDER).status_code == 200
    assert ClientApi().post("/api/v1/auth/refresh", {"refreshToken": renouvellement}).status_code == 200
    assert ClientApi(jeton=acces).get(VALIDER).status_code == 401


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
