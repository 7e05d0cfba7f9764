"""Components are includes with documented parameters, each on the page of samples."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import Node, Variable
from django.template.base import FilterExpression
from django.template.loader import get_template
from django.template.loader_tags import IncludeNode
from django.template.smartif import TokenBase
from django.test import Client

from portail.tests.outils import texte_de

GABARITS = Path(settings.BASE_DIR) / "templates"
BLOCS = sorted(un.name for un in (GABARITS / "blocs").iterdir())
PAGE = Path(settings.BASE_DIR) / "docs" / "composants.md"
LIGNE = re.compile(r"^\| `(\w+\.html)` \|(.*?)\| (.*?) \| (.*?) \|$", re.MULTILINE)
# What every template has: of a loop, of Django, of the campus (`socle.pages.marque`).
DE_TOUS = {"forloop", "request", "csrf_token", "nom", "a_sa_couleur", "a_son_logo", "True", "False", "None"}
PIECES = {"campus", "espace", "portail", "pages"}  # what includes components; the page of samples shows them


def lues(objet: Any, vues: dict[int, Any]) -> Iterator[str]:
    """Every variable that a template reads, and, after a `-`, those that it sets itself."""
    if id(objet) in vues:
        return
    vues[id(objet)] = objet  # held, so that no other takes its id
    if isinstance(objet, Variable):
        if objet.lookups:
            yield objet.lookups[0]
    elif isinstance(objet, list | tuple):
        for un in objet:
            yield from lues(un, vues)
    elif isinstance(objet, dict):
        yield from lues(list(objet.values()), vues)
    elif isinstance(objet, Node | FilterExpression | TokenBase):
        yield from _posees(objet)
        noms = set(getattr(objet, "__slots__", ()) or vars(objet)) - {"origin", "token"}
        yield from lues([getattr(objet, nom) for nom in noms], vues)


def _posees(noeud: Any) -> Iterator[str]:
    """Names that a tag sets for what is in it; an included component reads what it is not given."""
    donnees = getattr(noeud, "extra_context", None) or {}
    if isinstance(noeud, IncludeNode):
        if (inclus := str(noeud.template.var)).startswith("blocs/"):
            yield from parametres_de(inclus.removeprefix("blocs/")) - donnees.keys()
    else:
        yield from (f"-{nom}" for nom in [*donnees, *getattr(noeud, "loopvars", ())])


def parametres_de(nom: str) -> set[str]:
    gabarit: Any = get_template(f"blocs/{nom}")
    trouvees = set(lues(list(gabarit.template.nodelist), {}))
    return {une for une in trouvees if not une.startswith("-") and f"-{une}" not in trouvees} - DE_TOUS


def pieces_de(nom: str) -> set[str]:
    """The rooms whose templates include it, or include a component that does."""
    pieces = set()
    for gabarit in GABARITS.rglob("*.html"):
        if f'"blocs/{nom}"' not in gabarit.read_text(encoding="utf-8"):
            continue
        dossier = gabarit.relative_to(GABARITS).parts[0]
        if dossier == "blocs":
            pieces |= pieces_de(gabarit.name)
        else:
            pieces.add("pages" if dossier.endswith(".html") else dossier)
    return pieces & PIECES


@pytest.fixture(scope="module")
def documentes() -> dict[str, tuple[str, str, str]]:
    return {nom: suite for nom, *suite in LIGNE.findall(PAGE.read_text(encoding="utf-8"))}  # type: ignore[misc]


def test_chaque_composant_est_dans_le_tableau(documentes):
    assert list(documentes) == BLOCS


@pytest.mark.parametrize("nom", BLOCS)
def test_chaque_parametre_et_chaque_lieu_sont_dits(documentes, nom):
    parametres, sert, lieux = documentes[nom]

    assert set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", parametres))) == parametres_de(nom)
    assert set(lieux.split(", ")) == pieces_de(nom)
    assert sert


@pytest.fixture
def echantillons(settings, db) -> Any:
    settings.ROOT_URLCONF = "demo.tests.urls"
    return [Client().get(adresse) for adresse in ("/composants/", "/composants/equipe/")]


def test_chaque_composant_est_sur_la_page_d_echantillons(echantillons):
    montres = {gabarit.name for page in echantillons for gabarit in page.templates}

    assert [page.status_code for page in echantillons] == [200, 200]
    assert [nom for nom in BLOCS if f"blocs/{nom}" not in montres] == []
    assert [page for page in echantillons if "{%" in texte_de(page)] == []


def test_une_ligne_a_trier_est_celle_des_listes(echantillons):
    """The real template: a copy of its markup is left behind by the next change of its columns."""
    equipe = echantillons[1]

    assert "espace/ligne.html" in {gabarit.name for gabarit in equipe.templates}
    assert texte_de(equipe).count('<li id="d-') == 3


def test_la_page_d_echantillons_n_est_pas_servie_hors_du_developpement(db):
    assert Client().get("/composants/").status_code == 404
