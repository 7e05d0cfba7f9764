"""The pages and states that `make pictures` photographs: axe finds nothing, and none is wider than its window.

Those that the tests of an application look at with axe, in both themes and both widths, are left to them.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from campus.tests.test_navigateur import PAGES
from config.tests.outils.navigateur import vues
from config.tests.outils.prises import DOSSIERS, PRISES, Prise
from config.tests.outils.serveur import Serveur, en_marche
from portail.tests.navigateur import DEBORDE, violations
from portail.tests.test_navigateur import LIBRES, SIENNES

pytestmark = pytest.mark.navigateur
# `test_navigateur.py` of the team has these; the others are lists of their own tests.
DE_L_EQUIPE = {DOSSIERS, f"{DOSSIERS}?vue=clos", f"{DOSSIERS}?statut=X", f"{DOSSIERS}?search=rien+du+tout"}
VUES_AILLEURS = {*LIBRES, *SIENNES, *PAGES, *DE_L_EQUIPE, "/equipe/tableau/", "/equipe/membres/", "/equipe/registre/"}

# Where the person's own few colours replace all of ours: what one presses, and where one is, by a border or a line.
SANS_BORD = """() => [...document.querySelectorAll(".bouton, .quitter, .pilule, .choix, [aria-current]")]
    .filter((e) => e.checkVisibility({checkVisibilityCSS: true}) && e.getClientRects().length)
    .filter((e) => {
        const vu = getComputedStyle(e);
        return !parseFloat(vu.borderTopWidth) && !parseFloat(vu.borderBottomWidth) && !parseFloat(vu.borderLeftWidth)
            && vu.outlineStyle === "none" && vu.textDecorationLine === "none" && vu.fontWeight < 600;
    }).map((e) => e.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serveur]:
    """With its page of samples."""
    # A mail server, which nobody reaches: without one nobody is offered to be mailed.
    courriel = "smtp://127.0.0.1:9"
    dossier = tmp_path_factory.mktemp("prises")
    with en_marche(dossier, DEBUG="true", THROTTLE_ENABLED="false", EMAIL_URL=courriel) as serveur:
        yield serveur


def fautes(page: Page, prise: Prise, vue: str, tailles: tuple[str, ...]) -> list[str]:
    """What axe says of the page, and the sizes of text at which it is wider than its window."""
    trouvees = violations(page)
    # Django's own pages hold at the size of text that they are made for.
    tailles = ("",) if prise.nom.startswith("admin-") else tailles
    larges = [taille for taille in tailles if page.evaluate(DEBORDE, taille)]
    return [
        *(f"{prise.nom}, {vue} : {faute} {ou}" for faute, ou in trouvees),
        *(f"{prise.nom}, {vue} : déborde à {taille}" for taille in larges),
    ]


def test_aucune_page_de_la_liste_n_arrete_une_technologie_d_assistance(service, navigateur):
    trouvees = []
    for entrer, prises in PRISES:
        contexte = navigateur.new_context(base_url=service.url, locale="fr-FR")
        page = contexte.new_page()
        entrer(page)
        for prise in [une for une in prises if une.lien or une.bouton or une.adresse not in VUES_AILLEURS]:
            prise.ouvrir(page)
            for fenetre, theme, tailles in (("bureau", "light", ("",)), ("colonne", "dark", ("", "200%"))):
                for vue in vues(page, (fenetre,), (theme,)):
                    trouvees += fautes(page, prise, vue, tailles)
            page.emulate_media(forced_colors="active")
            trouvees += [f"{prise.nom}, couleurs forcées : {un}" for un in page.evaluate(SANS_BORD)]
            page.emulate_media(forced_colors="none")
        contexte.close()

    assert trouvees == []
