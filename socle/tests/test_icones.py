"""Icons are drawn once a page, those that it uses, and any of them is well-formed."""

import re
from xml.etree import ElementTree

import pytest
from django.template import Context, Engine

from socle.pages import icones


def rendre(texte: str) -> str:
    moteur = Engine(
        builtins=["socle.pages.balises"], loaders=[("django.template.loaders.locmem.Loader", {"bloc": texte})]
    )
    return moteur.from_string('{% include "bloc" %}{% symboles %}').render(Context())


@pytest.mark.parametrize("nom", icones.DESSINS)
def test_chaque_dessin_est_bien_forme(nom):
    (symbole,) = ElementTree.fromstring(str(icones.symboles({nom})))  # noqa: S314 -- ours
    assert symbole.get("id") == f"i-{nom}"
    assert len(symbole) > 0


def test_une_page_dessine_une_fois_ce_qu_elle_emploie_meme_dans_un_bloc_inclus():
    rendu = rendre('{% icone "tel" %}{% icone "tel" %}{% icone "aide" %}')

    assert re.findall(r'href="#i-(\w+)"', rendu) == ["tel", "tel", "aide"]
    assert re.findall(r'symbol id="i-(\w+)"', rendu) == ["aide", "tel"]
    assert rendu.count('aria-hidden="true"') == 4


def test_sans_icone_rien_n_est_dessine():
    assert rendre("Rien") == "Rien"


def test_un_nom_inconnu_est_une_faute():
    with pytest.raises(KeyError):
        rendre('{% icone "licorne" %}')
