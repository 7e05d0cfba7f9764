"""The forum in a real browser: with and without JavaScript, on a desk and on a phone, and left in a hurry."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from demo.textes import GESTIONNAIRE
from demo.textes import MOT_DE_PASSE as CELUI_DE_LA_DEMO
from portail.tests.conftest import avec_retour, fenetre, javascript, portail, visite
from portail.tests.departs import ecrire_au_compte, partir
from portail.tests.navigateur import SECRET, ce_que_retour_montre, entrer_pour, obstacles, obstacles_partout

__all__ = ["avec_retour", "fenetre", "javascript", "portail", "visite"]

pytestmark = pytest.mark.navigateur
URL = "/campus/forum/"
EPINGLEE = "Qui appeler, et quand"
# The room above and below « C'est fait », and between a text and its reactions.
AUTOUR = """() => {
    const place = (un) => document.querySelector(un).getBoundingClientRect(), fait = place("#fait");
    return [fait.top - place("h1").bottom, place("article").top - fait.bottom,
        place(".reactions").top - place("article").bottom];
}"""


def entrer(page: Page) -> None:
    entrer_pour(page, URL, GESTIONNAIRE)


def publier(page: Page, titre: str) -> None:
    page.goto(URL)
    page.get_by_role("link", name="Écrire", exact=True).click()
    page.get_by_label("Titre").fill(titre)
    page.get_by_label("Votre publication").fill(SECRET)
    page.get_by_role("button", name="Publier").dblclick()
    expect(page.get_by_role("heading", name=titre)).to_be_visible()
    expect(page.get_by_text("C’est fait")).to_be_visible()


@pytest.mark.parametrize("javascript", [True], ids=["js"])
def test_le_forum_se_lit_sans_obstacle(visite):
    page, trouves = visite.page, []
    fenetres = ("bureau", "petit_telephone", "etroite")
    entrer(page)

    for demande in ("", "?vue=miennes", "?vue=attente", "?search=trajet&categorie=ENTRAIDE", "?page=x", "ecrire/"):
        page.goto(URL + demande)
        trouves += obstacles_partout(page, fenetres, ("light",), tout=True)
        expect(page).to_have_title(re.compile("Campus · Campus$"))
    page.goto(URL)
    page.get_by_role("link", name=EPINGLEE).click()
    expect(page.get_by_role("heading", level=1, name=EPINGLEE)).to_be_visible()
    assert [*trouves, *obstacles_partout(page, fenetres, ("light",), tout=True)] == []


@pytest.mark.parametrize("fenetre", ["petit_telephone"])
@pytest.mark.parametrize("javascript", [True], ids=["js"])
def test_un_telephone_montre_une_publication_sans_defiler(visite):
    """Under the chips, on one line, and the search; no hole between a field and its button, here and elsewhere."""
    page = visite.page
    entrer(page)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/campus/forum/")

    ligne, barre = page.locator(".fil > li > p").first.bounding_box(), page.locator(".nav").bounding_box()
    assert ligne
    assert barre
    assert ligne["y"] + ligne["height"] <= barre["y"]
    for adresse in ("/campus/forum/", "/campus/documents/", "/aide/"):
        page.goto(adresse)
        champ, bouton = (page.locator(f"[role=search] {un}").first.bounding_box() for un in (".champ input", ".bouton"))
        assert champ
        assert bouton
        assert abs(champ["y"] - bouton["y"]) < 2, adresse


@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_publier_repondre_reagir_supprimer(visite):
    page, titre = visite.page, f"Essai {uuid4().hex}"
    entrer(page)
    publier(page, titre)
    assert min(page.evaluate(AUTOUR)) >= 5  # of the ring of what has the focus, and of the reactions

    page.get_by_label("Votre réponse").fill("La mienne.")
    page.get_by_role("button", name="Répondre").dblclick()
    expect(page.locator(".message.moi .dit")).to_have_text(["La mienne."])
    page.get_by_role("button", name=re.compile("Merci")).click()
    expect(page.get_by_role("button", name="Merci 1")).to_have_attribute("aria-pressed", "true")

    page.goto(f"{URL}?vue=miennes")
    expect(page.get_by_role("link", name=titre)).to_have_count(1)
    page.get_by_role("link", name=titre).click()
    page.get_by_text("Supprimer ma publication").click()
    page.get_by_role("button", name="Supprimer", exact=True).first.click()
    expect(page.get_by_text("C’est supprimé.")).to_be_visible()
    expect(page.get_by_role("link", name=titre)).to_have_count(0)
    assert visite.fautes == []


@pytest.mark.parametrize("fenetre", ["bureau", "etroite"])
def test_signaler_relire_et_laisser(visite, javascript):
    page, motif = visite.page, f"Essai {uuid4().hex}"
    entrer(page)
    page.get_by_role("link", name=EPINGLEE).click()
    ici = page.url
    page.get_by_text("Signaler cette publication").click()
    page.get_by_label("Pourquoi").first.fill("x" * 501)
    page.get_by_role("button", name="Demander une relecture", exact=True).first.click()
    expect(page.get_by_role("link", name=re.compile("1 de trop"))).to_be_visible()
    assert not javascript or obstacles(page) == []
    page.get_by_label("Pourquoi").first.fill(motif)
    page.get_by_role("button", name="Demander une relecture", exact=True).first.dblclick()
    expect(page.get_by_text("Signalée. L’équipe relit.")).to_be_visible()
    assert not javascript or obstacles(page) == []

    page.goto("/admin/login/?next=/admin/forum/demandederelecture/")
    page.get_by_label("E-mail").fill(GESTIONNAIRE.email)
    page.get_by_label("Mot de passe").fill(CELUI_DE_LA_DEMO)
    page.get_by_role("button", name="Se connecter").click()
    page.get_by_role("row", name=re.compile(motif)).get_by_role("link").first.click()
    expect(page.get_by_text(motif)).to_be_visible()
    page.get_by_role("button", name="Rien à changer").click()
    expect(page.get_by_text("1 ligne traitée.")).to_be_visible()
    expect(page.get_by_text(motif)).to_have_count(0)

    page.goto(ici)
    expect(page.get_by_text("Signaler cette publication")).to_be_visible()


@pytest.mark.parametrize("javascript", [True], ids=["js"])
@pytest.mark.parametrize("fenetre", ["bureau"])
@pytest.mark.parametrize("ou", ["liste", "ecrire", "publication"])
def test_quitter_vite_le_forum(visite, portail, neutre, ou):
    """« Retour » shows nothing of it, nor of what was being written."""
    visite.admise = "the server responded with a status of 4"  # what was open before is open no more
    page, titre = visite.page, f"Essai {uuid4().hex}"
    ecrire_au_compte(page)
    if ou == "publication":
        publier(page, titre)
    else:
        page.goto(URL + ("ecrire/" if ou == "ecrire" else ""))
    if ou == "ecrire":
        page.get_by_label("Votre publication").fill(SECRET)

    partir(page, neutre)

    montres = ce_que_retour_montre(page, portail.url)
    assert [un for un in montres if SECRET in un or titre in un or EPINGLEE in un or "Diop" in un] == []
    page.goto(URL)
    expect(page).to_have_url(re.compile("/compte/connexion/"))
