"""The OpenAPI document in each language of the service: the same but for its words, and all of these translated."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from socle.api.document import document

pytestmark = pytest.mark.django_db

ADRESSES = ["/openapi.json", "/api/v1/openapi.json"]
MOTS = {"summary", "description", "x-displayName", "title"}
# Words that are the same in both.
EGAUX = {
    "Configuration.",
    "Discussion.",
    "Discussions",
    "Discussions.",
    "E-mail",
    "Export.",
    "Forum",
    "Identification",
    "Invitations",
    "Invitations.",
    "Messages.",
    "Participants.",
    "Places",
    "Service",
    "Session.",
}
# A value of the database, in the language in which it is stored.
VALEURS = "Compte effacé"
FRANCAIS = re.compile(
    r"[«»àâçéèêëîïôûùœ]| [:;?!]|\b(?:le|la|les|des|du|est|une|sans|pour|qui|que|dans|sur|avec)\b", re.IGNORECASE
)


def test_les_deux_documents_ne_different_que_par_leurs_mots():
    assert _muet(document("en")) == _muet(document("fr"))


def test_aucun_texte_du_document_anglais_n_est_reste_francais():
    francais, anglais = (dict(_textes(document(langue))) for langue in ("fr", "en"))
    pareils = {ou: texte for ou, texte in anglais.items() if francais.get(ou) == texte and texte not in EGAUX}
    meles = {ou: texte for ou, texte in anglais.items() if FRANCAIS.search(texte.replace(VALEURS, ""))}

    assert len(anglais) > 3_000
    assert pareils | meles == {}, "\n".join(f"{ou} : {texte}" for ou, texte in (pareils | meles).items())


@pytest.mark.parametrize("adresse", ADRESSES)
@pytest.mark.parametrize(
    ("parametre", "accepte", "langue"),
    [
        ("", "", "fr"),
        ("", "en", "en"),
        ("", "en-GB, fr;q=0.5", "en"),
        ("", "de", "fr"),
        ("?lang=en", "", "en"),
        ("?lang=en-GB", "fr", "en"),
        ("?lang=fr", "en", "fr"),
        ("?lang=de", "en", "fr"),
        ("?lang=", "en", "fr"),
        (f"?lang={'e' * 600}", "en", "fr"),
    ],
)
def test_le_document_est_dans_la_langue_demandee(brut, adresse, parametre, accepte, langue):
    reponse = brut.get(adresse + parametre, headers={"Accept-Language": accepte} if accepte else {})

    assert (reponse.status_code, reponse.headers["Content-Language"]) == (200, langue)
    assert {"Accept", "Accept-Encoding", "Accept-Language"} <= set(reponse.headers["Vary"].split(", "))
    assert json.loads(reponse.content) == document(langue)


def test_chaque_langue_a_son_etiquette(brut):
    etags = {langue: brut.get(f"/openapi.json?lang={langue}").headers["ETag"] for langue in ("fr", "en")}
    connu, d_un_autre = (
        brut.get("/openapi.json?lang=en", headers={"If-None-Match": etags[langue]}) for langue in ("en", "fr")
    )

    assert etags["fr"] != etags["en"]
    assert (connu.status_code, connu.headers["Content-Language"], d_un_autre.status_code) == (304, "en", 200)


@pytest.mark.parametrize(
    ("parametre", "accepte", "langue", "document_demande"),
    [
        ("", "", "fr", "/api/v1/openapi.json"),
        ("", "en", "en", "/api/v1/openapi.json"),
        ("?lang=en", "fr", "en", "/api/v1/openapi.json?lang=en"),
        ("?lang=fr", "en", "fr", "/api/v1/openapi.json?lang=fr"),
        ("?lang=de", "en", "fr", "/api/v1/openapi.json?lang=de"),
    ],
)
@pytest.mark.parametrize("page", ["docs", "redoc"])
def test_une_page_de_documentation_est_dans_la_langue_demandee(
    brut, page, parametre, accepte, langue, document_demande
):
    reponse = brut.get(f"/api/v1/{page}{parametre}", headers={"Accept-Language": accepte} if accepte else {})
    html = reponse.content.decode()
    if page == "docs":
        (script,) = re.findall(r'src="([^"]+script=[^"]*)"', html)
        html += brut.get(script.replace("&amp;", "&")).content.decode().replace(r"\u003D", "=")

    assert f'<html lang="{langue}">' in html
    assert f'"{document_demande}"' in html
    assert reponse.headers["Content-Language"] == langue
    assert "Accept-Language" in reponse.headers["Vary"]


def _textes(noeud: Any, ou: str = "", *, proprietes: bool = False) -> Iterator[tuple[str, str]]:
    """Each text for people, with the path that leads to it; examples are left out, as they were exchanged."""
    if isinstance(noeud, dict):
        for nom, suite in noeud.items():
            if isinstance(suite, str) and nom in MOTS and not proprietes:
                yield f"{ou}/{nom}", suite
            elif nom != "example" or proprietes:
                yield from _textes(suite, f"{ou}/{nom}", proprietes=nom == "properties")
    elif isinstance(noeud, list):
        for rang, suite in enumerate(noeud):
            yield from _textes(suite, f"{ou}/{rang}")


def _muet(noeud: Any, *, proprietes: bool = False) -> Any:
    """The document without its texts."""
    if isinstance(noeud, list):
        return [_muet(suite) for suite in noeud]
    if not isinstance(noeud, dict):
        return noeud
    return {
        nom: _muet(suite, proprietes=nom == "properties")
        for nom, suite in noeud.items()
        if proprietes or not (isinstance(suite, str) and (nom in MOTS or noeud.keys() <= {"name", "email", "url"}))
    }
