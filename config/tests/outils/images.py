"""The pictures of the README, and those of every page and state, from the service as it starts: `make pictures`."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from config.tests.outils.navigateur import chromium
from config.tests.outils.prises import PRISES
from config.tests.outils.serveur import RACINE, Serveur
from demo.textes import GESTIONNAIRE, MOT_DE_PASSE

DOSSIER, TOUTES = RACINE / "docs" / "images", RACINE / "build" / "pictures"
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
    page.get_by_role("button", name="Se connecter").click()
    page.goto("/equipe/dossiers/")
    page.locator('#vivant[data-etat="direct"]').wait_for()
    page.screenshot(path=DOSSIER / "espace.png")
    page.locator("#lignes h3 a").first.click()
    page.locator('#vivant[data-etat="direct"]').wait_for()
    page.screenshot(path=DOSSIER / "dossier.png")


def chaque_page(navigateur: Browser, adresse: str) -> None:
    """Each page and state of the list, whole, to be laid beside its mock-up: `<name>-<width>-<theme>.png`."""
    shutil.rmtree(TOUTES, ignore_errors=True)
    TOUTES.mkdir(parents=True)
    for theme in ("light", "dark"):
        for largeur in (1280, 360):
            for entrer, prises in PRISES:
                fenetre: Any = {"width": largeur, "height": 800}
                page = navigateur.new_page(base_url=adresse, viewport=fenetre, color_scheme=theme, locale="fr-FR")  # type: ignore[arg-type]
                entrer(page)
                for prise in prises:
                    prise.ouvrir(page)
                    page.screenshot(path=TOUTES / f"{prise.nom}-{largeur}-{theme}.png", full_page=True)
                page.context.close()


def main() -> None:
    DOSSIER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as donnees, chromium() as navigateur:
        # With its page of samples, and a mail server, which nobody reaches: without one nobody is offered to be mailed.
        reglages = {"DEBUG": "true", "THROTTLE_ENABLED": "false", "EMAIL_URL": "smtp://127.0.0.1:9"}
        serveur = Serveur(Path(donnees), **reglages)
        try:
            serveur.demarrer()
            for taille, prendre in ((TELEPHONE, portail), (BUREAU, espace)):
                prendre(navigateur.new_page(base_url=serveur.url, viewport=taille, locale="fr-FR"))  # type: ignore[arg-type]
            chaque_page(navigateur, serveur.url)
        finally:
            serveur.tuer()


if __name__ == "__main__":
    main()
