"""The students' rooms in a real browser: with and without JavaScript, on a desk and on a phone, and left in a hurry."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from campus.urls import urlpatterns
from config.tests.outils.navigateur import vues
from demo.textes import GESTIONNAIRE
from demo.textes import MOT_DE_PASSE as CELUI_DE_LA_DEMO
from portail.tests.conftest import avec_retour, fenetre, javascript, portail, visite
from portail.tests.departs import ecrire_au_compte, partir, poster
from portail.tests.navigateur import (
    MOT_DE_PASSE,
    SECRET,
    aller_a,
    ce_que_retour_montre,
    continuer,
    obstacles_partout,
    suivre,
)

__all__ = ["avec_retour", "fenetre", "javascript", "portail", "visite"]

pytestmark = pytest.mark.navigateur
FENETRES = ("bureau", "petit_telephone", "etroite")
PAGES = [
    "/campus/",
    "/campus/calendrier/",
    "/campus/calendrier/liste/",
    "/campus/calendrier/inscriptions/",
    "/campus/calendrier/abonnement/",
]
QUITTEES = [*PAGES, "/campus/calendrier/2031/2/", "/campus/documents/"]
MENEES = ["/campus/calendrier/<uuid:evenement_id>/"]
# Left by the tests of the forum and of the library.
AILLEURS = [
    *("/campus/forum/", "/campus/forum/ecrire/", "/campus/forum/<uuid:poste_id>/"),
    "/campus/documents/ajouter/",
]
# Acts, which answer a GET by another page, and downloads.
SANS_PAGE = {
    *("s_inscrire", "se_desinscrire", "ics", "envoyer_un_document", "supprimer_un_document", "piece"),
    *("repondre_au_forum", "reagir", "supprimer_publication", "supprimer_reponse"),
    *("signaler_publication", "signaler_reponse", "piece_de_publication"),
}
# The room above and below « C'est fait », of the ring of its focus.
AUTOUR = """() => {
    const place = (un) => document.querySelector(un).getBoundingClientRect(), fait = place("#fait");
    return [fait.top - place(".entete").bottom, place(".duo").top - fait.bottom];
}"""
# Words that are on two lines.
COUPES = r"""(cadres) => cadres.flatMap((cadre) => {
    const texte = [...cadre.childNodes].find((un) => un.nodeType === 3 && un.data.trim()), portee = new Range();
    return [...texte.data.matchAll(/[^\s-]+/g)].filter((mot) => {
        portee.setStart(texte, mot.index), portee.setEnd(texte, mot.index + mot[0].length);
        return new Set([...portee.getClientRects()].map((un) => un.top)).size > 1;
    }).map((mot) => mot[0]);
})"""


def entrer(page: Page) -> None:
    """Signed in from a page of the campus, and back on it."""
    page.goto("/campus/calendrier/")
    page.get_by_label("Adresse e-mail").fill(GESTIONNAIRE.email)
    page.get_by_label("Mot de passe").fill(CELUI_DE_LA_DEMO)
    continuer(page, "Se connecter")
    expect(page).to_have_url(re.compile("/campus/calendrier/$"))


def ouvrir_un_evenement(page: Page) -> None:
    page.goto("/campus/calendrier/liste/")
    page.locator(".agenda h3 a").last.click()


@pytest.mark.parametrize("javascript", [True])
def test_chaque_page_se_lit_sans_obstacle(visite):
    page, trouves = visite.page, []
    entrer(page)

    for adresse in PAGES:
        page.goto(adresse)
        trouves += obstacles_partout(page, FENETRES, ("light",), tout=True)
        expect(page).to_have_title("Campus · Campus")
    ouvrir_un_evenement(page)
    assert [*trouves, *obstacles_partout(page, FENETRES, ("light",), tout=True)] == []


@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_s_inscrire_et_se_desinscrire(visite):
    page = visite.page
    entrer(page)
    ouvrir_un_evenement(page)
    if page.get_by_role("button", name="Se désinscrire").count():
        continuer(page, "Se désinscrire")

    page.get_by_role("button", name=re.compile("S’inscrire|liste d’attente")).dblclick()
    expect(page.get_by_text("C’est fait")).to_be_visible()
    assert min(page.evaluate(AUTOUR)) >= 5
    continuer(page, "Se désinscrire")

    expect(page.get_by_role("button", name=re.compile("S’inscrire|liste d’attente"))).to_be_visible()
    assert visite.fautes == []


@pytest.mark.parametrize("fenetre", ["etroite"])
def test_les_mots_des_places_et_le_nom_restent_entiers(visite):
    """At 320 px: no word of the frame goes on, cut, in a second line."""
    page = visite.page
    entrer(page)

    for hauteur in (640, 256):
        page.set_viewport_size({"width": 320, "height": hauteur})
        assert page.locator(".tete .nom span, .tete .nav a").evaluate_all(COUPES) == []


@pytest.mark.parametrize("fenetre", ["bureau"])
def test_les_mots_des_evenements_du_mois_restent_entiers(visite):
    page = visite.page
    entrer(page)

    assert page.locator(".mois .ev").count()
    assert page.locator(".mois .ev").evaluate_all(COUPES) == []


@pytest.mark.parametrize("fenetre", ["bureau"])
def test_la_vie_du_campus_au_clavier_seul(visite):
    """Register and leave again, find a document, write a post."""
    page, titre = visite.page, f"Au clavier {uuid4().hex[:8]}"
    entrer(page)
    page.goto("/campus/calendrier/liste/")
    suivre(page, f"^{re.escape(page.locator('.agenda h3 a').last.inner_text())}$")
    if page.get_by_role("button", name="Se désinscrire").count():
        suivre(page, "^Se désinscrire$")
    suivre(page, "S’inscrire|liste d’attente")
    expect(page.get_by_text("C’est fait")).to_be_visible()
    suivre(page, "^Se désinscrire$")
    suivre(page, "^Documents$")
    aller_a(page, "^Chercher un document$")
    page.keyboard.type("incident")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator(".carte h2").first).to_be_visible()
    suivre(page, "^Forum$")
    suivre(page, "^Écrire$")
    aller_a(page, "^Titre")
    page.keyboard.type(titre)
    aller_a(page, "^Votre publication")
    page.keyboard.type("Qui vient jeudi ?")
    suivre(page, "^Publier$")

    expect(page.get_by_role("heading", name=titre)).to_be_visible()
    assert visite.fautes == []


@pytest.mark.parametrize("fenetre", ["petit_telephone"])
def test_sur_un_telephone_un_jour_mene_a_sa_liste(visite):
    page = visite.page
    entrer(page)
    ouvrir_un_evenement(page)
    page.locator(".ariane a").click()

    cellule = page.locator(".mois td:has(.chiffre)").last
    cellule.scroll_into_view_if_needed()
    place = cellule.bounding_box()
    assert place
    page.mouse.click(place["x"] + place["width"] - 4, place["y"] + place["height"] - 4)

    expect(page).to_have_url(re.compile("#e-[0-9a-f]{32}$"))
    expect(page.locator(".agenda li:target h3")).to_be_in_viewport()
    expect(page.locator(".mois .ev").first).to_be_hidden()


@pytest.mark.parametrize("fenetre", ["bureau"])
def test_la_premiere_touche_de_tabulation_est_quitter_vite(visite):
    page = visite.page
    entrer(page)
    page.goto("/campus/")

    page.keyboard.press("Tab")

    expect(page.get_by_role("link", name="Quitter vite").first).to_be_focused()


def test_chaque_adresse_du_campus_est_quittee():
    quittees = {adresse.replace("/2031/2/", "/<int:annee>/<int:mois_>/") for adresse in (*QUITTEES, *MENEES, *AILLEURS)}

    assert {f"/campus/{une.pattern}" for une in urlpatterns if une.name not in SANS_PAGE} == quittees


def test_quitter_vite_une_page_du_campus(visite, portail, neutre):
    """« Retour » shows nothing of it, and the account is open no more."""
    visite.admise = "the server responded with a status of 4"  # what was open before is open no more
    compte = ecrire_au_compte(visite.page)
    montres = []
    for adresse in (*QUITTEES, "un événement", "/compte/preuve/"):
        page = visite.page.context.new_page()
        poster(page, "/compte/connexion/", email=compte, mot_de_passe=MOT_DE_PASSE)
        page.goto("/dossiers/1/")  # an earlier page
        expect(page.get_by_text(SECRET)).to_be_visible()
        if adresse == "un événement":
            ouvrir_un_evenement(page)
        else:
            page.goto(adresse)
        titre = page.locator("h1").inner_text()

        partir(page, neutre)

        vus = ce_que_retour_montre(page, portail.url)
        assert vus, adresse
        montres += [(adresse, un) for un in vus if SECRET in un or titre in un or "Diop" in un]
        page.goto("/campus/")
        expect(page, adresse).to_have_url(re.compile("/compte/connexion/"))
        page.close()
    assert montres == []


@pytest.mark.parametrize("javascript", [True])
def test_le_mot_de_passe_redonne_mene_aux_dossiers(visite):
    page = visite.page
    ecrire_au_compte(page)
    page.goto("/compte/preuve/?retour=/dossiers/1/")

    assert obstacles_partout(page, ("bureau", "petit_telephone"), ("light",)) == []
    page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
    continuer(page)
    expect(page.get_by_text(SECRET)).to_be_visible()
    for vue in vues(page, ("bureau", "petit_telephone"), ("light",)):
        assert visite.fautes == [], vue
