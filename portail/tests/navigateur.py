"""What somebody does on the portal in a real browser; the fixtures are in conftest.py."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import CDPSession, Error, Page, expect

from config.tests.outils.navigateur import DEUX_LARGEURS, FAUTES, THEMES, vues
from demo.textes import MOT_DE_PASSE as CELUI_DE_LA_DEMO
from demo.textes import Personne

NUMERO = "+33 6 39 98 00 99"
SECRET = "Il m'attend chaque soir devant la cafétéria du nord"
# Of what it finds in order axe says one element each: to write down all of them takes longer than to look.
REGLES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
DEBORDE = """(taille) => {
    document.documentElement.style.fontSize = taille;
    return document.scrollingElement.scrollWidth > window.innerWidth;
}"""
MOT_DE_PASSE = "Campus-2026-essai"
UNE_MAIN = 300  # milliseconds: no hand is on « Retour » before
# All that somebody could read on a page: its title, its text, what its fields hold.
LISIBLE = """[document.title, document.documentElement.textContent,
    ...[...document.querySelectorAll("input, textarea")].map((un) => un.value)].join("\\n")"""
EXCEPTION = "status of 422"  # what the console says of a form that is asked again


def continuer(page: Page, bouton: str = "Continuer") -> None:
    """Press it, and wait until the page that it leads to is read: a click alone ends where that page begins."""
    page.get_by_role("button", name=bouton).click()
    page.wait_for_load_state("domcontentloaded")


def signaler(page: Page) -> str:
    """From the front door to the receipt; the six words."""
    page.goto("/")
    page.get_by_role("link", name="Écrire", exact=True).click()
    page.get_by_role("link", name="Continuer").click()
    page.get_by_label("Du harcèlement").check()
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    continuer(page)
    continuer(page)
    if page.url.endswith("/ecrire/numero/"):  # where one is asked
        page.get_by_label("Numéro de téléphone").fill(NUMERO)
        continuer(page)
    continuer(page, "Envoyer")
    expect(page.get_by_role("heading", name="C’est envoyé")).to_be_visible()
    return " ".join(page.locator(".mots li").all_inner_texts())


def aller_a(page: Page, nom: str, essais: int = 80) -> None:
    """By Tab alone, to what has this name."""
    for _pas in range(essais):
        page.keyboard.press("Tab")
        porte = page.evaluate("() => (document.activeElement.labels?.[0] || document.activeElement).innerText || ''")
        if re.search(nom, porte.strip()):
            return
    raise AssertionError(f"{nom} ne se trouve pas au clavier sur {page.url}")


def suivre(page: Page, nom: str) -> None:
    """To what has this name, and press Enter."""
    aller_a(page, nom)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def entrer_pour(page: Page, adresse: str, qui: Personne) -> None:
    """Somebody of the demonstration, signed in from this page, and back on it."""
    page.goto(adresse)
    page.get_by_label("Adresse e-mail").fill(qui.email)
    page.get_by_label("Mot de passe").fill(CELUI_DE_LA_DEMO)
    continuer(page, "Se connecter")
    expect(page).to_have_url(re.compile(f"{adresse}$"))


def s_inscrire(page: Page) -> str:
    """Fill the form of an account of one's own; its address."""
    adresse = f"awa.{uuid4().hex}@campus.example"
    page.get_by_label("Prénom").fill("Awa")
    page.get_by_label("Nom", exact=True).fill("Diop")
    page.get_by_label("Adresse e-mail").fill(adresse)
    page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
    return adresse


def ce_que_retour_montre(page: Page, adresse: str) -> list[str]:
    """What every entry of the history shows, from here back, as the browser itself goes there."""
    cdp = page.context.new_cdp_session(page)
    histoire = cdp.send("Page.getNavigationHistory")
    vus = []
    for entree in reversed(histoire["entries"][: histoire["currentIndex"]]):
        if not entree["url"].startswith(adresse):
            continue
        cdp.send("Page.navigateToHistoryEntry", {"entryId": entree["id"]})
        d_abord = ce_qu_une_entree_montre(page, cdp, entree["id"])  # as it was kept, before a script has done anything
        page.wait_for_timeout(100)
        vus.append(d_abord + ce_qu_une_entree_montre(page, cdp, entree["id"]))
    return vus


def jusqu_a(page: Page, condition: Callable[[], Any]) -> None:
    """Let the page go on until this is true."""
    for _fois in range(400):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("toujours pas")


def ce_qu_une_entree_montre(page: Page, cdp: CDPSession, numero: int) -> str:
    """Once the browser is at this entry of its history, and has its page: not before, however busy the machine."""
    for _fois in range(200):
        page.wait_for_timeout(20)
        with suppress(Error):  # between two pages there is none to ask
            histoire = cdp.send("Page.getNavigationHistory")
            est_la = histoire["entries"][histoire["currentIndex"]]["id"] == numero
            if est_la and _evaluer(cdp, "document.readyState") == "complete":
                return lisible(cdp)
    raise AssertionError("« Retour » n'est pas arrivé")


def lisible(cdp: CDPSession) -> str:
    """What the page shows at this moment, asked of the browser itself: without JavaScript too."""
    return str(_evaluer(cdp, LISIBLE))


def _evaluer(cdp: CDPSession, expression: str) -> Any:
    return cdp.send("Runtime.evaluate", {"expression": expression})["result"].get("value", "")


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """What axe has against this page, and where; a page is given its script once, however often it is looked at."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    trouvees = page.evaluate("(regles) => axe.run(regles).then((dit) => dit.violations)", REGLES)
    return [(une["id"], [noeud["html"][:120] for noeud in une["nodes"][:3]]) for une in trouvees]


def obstacles(page: Page) -> list[str]:
    """What an assistive technology would stumble on, and a page that has to be pushed about."""
    return [*_genes(page), *debordements(page)]


def obstacles_partout(
    page: Page, fenetres: tuple[str, ...] = DEUX_LARGEURS, themes: tuple[str, ...] = THEMES, *, tout: bool = False
) -> list[str]:
    """The same in each of these windows and themes, of the page as it is open; it is left in the last of them. `tout`
    looks for every fault that stops a hand, at the end of the page.
    """
    trouves = [f"{vue} : {une}" for vue in vues(page, fenetres, themes) for une in _genes(page, tout)]
    for fenetre in vues(page, fenetres, themes[-1:]):
        trouves += [f"{fenetre} : {un}" for un in debordements(page)]
    return trouves


def _genes(page: Page, tout: bool = False) -> list[str]:
    trouves = [f"{page.url} : {faute} {ou}" for faute, ou in violations(page)]
    if tout:
        page.evaluate("window.scrollTo(0, document.scrollingElement.scrollHeight)")
    fautes = [une for une in page.evaluate(FAUTES) if tout or une.startswith("touchée")]
    if tout:
        page.evaluate("window.scrollTo(0, 0)")
    return [*trouves, *(f"{page.url} : {une}" for une in fautes)]


def deplier(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((un) => un.open = true)")


def debordements(page: Page) -> list[str]:
    """At this size of text, and at twice that, with all that is folded open."""
    deplier(page)
    larges = [taille for taille in ("100%", "200%") if page.evaluate(DEBORDE, taille)]
    page.evaluate(DEBORDE, "")
    return [f"{page.url} : déborde à {taille}" for taille in larges]
