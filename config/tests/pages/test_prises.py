"""The list of what is looked at, with axe and by `make pictures`, holds every page."""

from collections.abc import Iterator

from django.urls import URLPattern, get_resolver, resolve

from config.tests.outils.prises import PRISES, Prise

PIECES = ("portail", "campus", "espace")
# In the list, by a link of another page.
PAR_UN_LIEN = {
    *(
        "espace:dossier",
        "espace:fichier",
        "espace:lecteurs",
        "espace:retrait",
        "espace:equipe",
        "espace:regle",
        "espace:ouverture",
        "espace:equipe_du_dossier",
        "espace:dates",
        "espace:gel",
        "espace:imprimer",
        "espace:membre",
    ),
    "campus:evenement",
}
# Pages that no address alone leads to; their own tests look at them.
AILLEURS = {
    *("portail:telephone", "portail:fait", "portail:envoyer"),
    *("espace:connexion", "espace:filtres", "espace:export", "espace:envoyer"),
}


def test_chaque_page_est_dans_la_liste():
    prises = [prise for _entrer, leurs in PRISES for prise in leurs]
    vues = {resolve(prise.adresse.partition("?")[0]).view_name for prise in prises if _est_une_adresse(prise)}

    assert {nom for nom in _pages() if nom not in vues | PAR_UN_LIEN | AILLEURS} == set()
    assert len({prise.nom for prise in prises}) == len(prises)


def _est_une_adresse(prise: Prise) -> bool:
    return not prise.nom.startswith("composants")


def _pages() -> Iterator[str]:
    """Names of the routes whose view has a template of its own."""
    for piece in PIECES:
        for route in get_resolver().namespace_dict[piece][1].url_patterns:
            classe = getattr(route.callback, "view_class", None) if isinstance(route, URLPattern) else None
            if vars(classe or object).get("gabarit"):
                yield f"{piece}:{route.name}"
