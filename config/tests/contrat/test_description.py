"""What the document says of answers that any operation may give, and of answers that have several forms."""

from collections.abc import Iterator
from typing import Any

import pytest

from config.tests.outils import document
from config.tests.outils.hostiles import OPERATIONS, Appel, par_operation, resoudre


@pytest.mark.django_db
@par_operation(OPERATIONS)
def test_un_hote_inconnu_et_un_corps_demesure_sont_decrits(operation):
    appel = Appel(operation)

    hote = appel.envoyer(headers={"Host": "ailleurs.example"})
    corps = appel.envoyer(b"{}", CONTENT_LENGTH=str(2**30))

    # The client of the tests holds each answer against the document.
    assert (hote.status_code, corps.status_code) == (400, 413)


def test_des_formes_dont_l_une_contient_l_autre_ne_s_excluent_pas():
    """Of `oneOf`, exactly one must hold: an object with more fields than another is both."""
    exclusifs = [[resoudre(choix) for choix in noeud["oneOf"]] for noeud in _noeuds(document()) if "oneOf" in noeud]

    assert exclusifs
    assert [choix for choix in exclusifs if sum("properties" in un for un in choix) > 1] == []


@pytest.mark.parametrize("page", ["docs", "redoc"])
@pytest.mark.parametrize("methode", ["OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"])
def test_une_page_de_documentation_se_lit_et_rien_d_autre(brut, page, methode):
    assert brut.get(f"/api/v1/{page}").status_code == 200
    assert brut.generic(methode, f"/api/v1/{page}").status_code == 405


def _noeuds(noeud: Any) -> Iterator[dict[str, Any]]:
    if isinstance(noeud, dict):
        yield noeud
    for suite in noeud.values() if isinstance(noeud, dict) else noeud if isinstance(noeud, list) else ():
        yield from _noeuds(suite)
