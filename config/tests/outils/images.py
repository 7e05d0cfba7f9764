"""The pictures of the README, taken from the service as it starts: `make pictures`."""

import tempfile
from pathlib import Path

from playwright.sync_api import Page

from config.tests.outils.navigateur import chromium
from config.tests.outils.serveur import RACINE, Serveur
from demo.textes import GESTIONNAIRE, MOT_DE_PASSE

DOSSIER = RACINE / "docs" / "images"
TELEPHONE, BUREAU = {"width": 390, "height": 900}, {"width": 1180, "height": 800}


def portail(page: Page) -> None:
    """The front door, then a report as it is written."""
    page.goto("/")
    page.screenshot(path=DOSSIER / "accueil.png")
    page.goto("/ecrire/faits/")
    page.get_by_label("Du harcèlement").check()
    page.get_by_label("Que s’est-il passé ?").fill("Depuis la rentrée, il m'attend après les cours et me suit.")
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=DOSSIER / "portail.png")


def espace(page: Page) -> None:
    """The open cases, as a manager finds them in the morning, and the first of them."""
    page.goto("/admin/")
    page.get_by_label("E-mail").fill(GESTIONNAIRE.email)
    page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
    page.get_by_role("button", name="Connexion").click()
    page.goto("/equipe/dossiers/")
    page.locator('#vivant[data-etat="direct"]').wait_for()
    page.screenshot(path=DOSSIER / "espace.png")
    page.locator("#lignes h3 a").first.click()
    page.locator('#vivant[data-etat="direct"]').wait_for()
    page.screenshot(path=DOSSIER / "dossier.png")


def main() -> None:
    DOSSIER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as donnees, chromium() as navigateur:
        serveur = Serveur(Path(donnees))
        try:
            serveur.demarrer()
            for taille, prendre in ((TELEPHONE, portail), (BUREAU, espace)):
                prendre(navigateur.new_page(base_url=serveur.url, viewport=taille, locale="fr-FR"))  # type: ignore[arg-type]
        finally:
            serveur.tuer()


if __name__ == "__main__":
    main()
