"""A page of a real browser, as the browser tests hold it; their fixtures are in conftest.py."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from config.tests.outils.serveur import Serveur
from demo.textes import MOT_DE_PASSE, Personne

DELAI = 20_000  # milliseconds
TROIS_G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}  # 400 kbit/s
FENETRES = {
    "bureau": {"width": 1280, "height": 800},
    "telephone": {"width": 375, "height": 720},
    "petit_telephone": {"width": 360, "height": 640},
    "etroite": {"width": 320, "height": 640},  # and a wide one at 400 %
    "colonne": {"width": 320, "height": 800},
    "tablette": {"width": 920, "height": 800},
}
DEUX_LARGEURS = ("colonne", "bureau")
THEMES = ("dark", "light")

FAUTES = (Path(__file__).parents[1] / "data" / "fautes.js").read_text(encoding="utf-8")
# Cells of a list that do not show all they hold, and the list itself where it is wider than its place.
COUPEES = """() => [...document.querySelectorAll(".results, #result_list th, #result_list td")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.outerHTML.slice(0, 160))"""

# Transitions at their end; waited for, one whose element goes away would never be there.
AU_BOUT = """() => document.getAnimations()
    .filter((une) => une.effect?.getComputedTiming().endTime < Infinity).forEach((une) => une.finish())"""


@contextmanager
def chromium(**options: Any) -> Iterator[Browser]:
    """The system's browser; options as Playwright's `launch` takes them."""
    chemin = shutil.which("chromium")
    assert chemin, "Chromium est absent : apt-get install chromium"
    with sync_playwright() as pilote:
        ouvert = pilote.chromium.launch(
            executable_path=chemin, args=["--no-sandbox", "--disable-dev-shm-usage"], **options
        )
        yield ouvert
        ouvert.close()


@contextmanager
def visiter(
    navigateur: Browser,
    adresse: str,
    fenetre: str = "bureau",
    *,
    javascript: bool = True,
    permises: tuple[str, ...] = (),
    gardes: Any = None,
) -> Iterator["Onglet"]:
    """A page of its own browser session at this service; it has complained of nothing, and asked no other address.
    `gardes` are the cookies of another, as Playwright's `storage_state` gives them.
    """
    taille: Any = FENETRES[fenetre]
    contexte = navigateur.new_context(
        base_url=adresse, locale="fr-FR", viewport=taille, java_script_enabled=javascript, storage_state=gardes
    )
    contexte.set_default_timeout(DELAI)
    expect.set_options(timeout=DELAI)
    onglet = Onglet(contexte.new_page())
    demandes: list[str] = []
    onglet.page.on("request", lambda demande: demandes.append(demande.url))
    yield onglet
    contexte.close()
    assert onglet.plaintes == []
    assert [url for url in demandes if not url.startswith((adresse, "data:", *permises))] == []


class Onglet:
    """A page of a browser that complains of nothing; what it does say is kept in `plaintes`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.plaintes: list[str] = []
        self.admise = ""  # what a page of a library asks for, and is not let take
        page.on("console", self._noter)
        page.on("pageerror", lambda erreur: self.plaintes.append(str(erreur)))

    def _noter(self, dit: ConsoleMessage) -> None:
        if dit.type in ("error", "warning") and not (self.admise and self.admise in dit.text):
            self.plaintes.append(f"{dit.text} ({dit.location['url']})")

    def ouvrir(self, chemin: str) -> int:
        reponse = self.page.goto(chemin)
        assert reponse is not None
        return reponse.status

    def entrer(self, personne: Personne) -> None:
        self.ouvrir("/admin/")
        self.page.get_by_label("E-mail").fill(personne.email)
        self.page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
        with self.page.expect_navigation():  # to the page within, or to the door again
            self.page.get_by_role("button", name="Se connecter").click()

    def agir(self, liste: str, ligne: str, action: str) -> None:
        """Choose the row that says this in a list, and do this to it."""
        self.ouvrir(liste)
        self.page.get_by_role("row", name=ligne).get_by_role("checkbox").first.check()
        self.page.get_by_label("Action :").select_option(label=action)
        self.page.get_by_role("button", name="Envoyer").first.click()

    @property
    def fautes(self) -> list[str]:
        """Of the page at its end, where what follows the reader has come to its place."""
        self.page.evaluate("window.scrollTo(0, document.scrollingElement.scrollHeight)")
        return list(self.page.evaluate(FAUTES))

    @property
    def coupees(self) -> list[str]:
        return list(self.page.evaluate(COUPEES))

    @property
    def deborde(self) -> bool:
        """True where the page is wider than its window, so that a finger has to push it about."""
        return bool(self.page.evaluate("document.scrollingElement.scrollWidth > window.innerWidth"))


def vues(page: Page, fenetres: tuple[str, ...] = DEUX_LARGEURS, themes: tuple[str, ...] = THEMES) -> Iterator[str]:
    """The page that is open as each window and theme shows it, and their names: style sheets alone look at these two,
    so that nothing need be loaded again. What goes from one colour to another has come there.
    """
    for fenetre, theme in product(fenetres, themes):
        taille: Any = FENETRES[fenetre]
        page.set_viewport_size(taille)
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.evaluate(AU_BOUT)
        yield f"{fenetre}, {theme}"


def attente(page: Page, chemin: str) -> float:
    """Seconds until a page can be used on a slow line, where nothing of it is kept."""
    ligne = page.context.new_cdp_session(page)
    ligne.send("Network.enable")
    ligne.send("Network.setCacheDisabled", {"cacheDisabled": True})
    ligne.send("Network.emulateNetworkConditions", TROIS_G)
    debut = time.monotonic()
    page.goto(chemin)
    return time.monotonic() - debut


def jeton_de(service: Serveur, personne: Personne) -> str:
    ouverte = service.client()("POST", "/auth/login", {"email": personne.email, "motDePasse": MOT_DE_PASSE})
    return str(ouverte["token"])
