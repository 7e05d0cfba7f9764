"""The portal in a real browser: with and without JavaScript, on a desk and on a phone, and left in a hurry.

Playwright switches the back-forward cache off: here it is on, and « Retour » is pressed by the browser's own protocol.
"""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from config.tests.outils.impression import pages_de
from config.tests.outils.navigateur import THEMES, jeton_de
from demo.textes import GESTIONNAIRE
from portail.tests.navigateur import (
    MOT_DE_PASSE,
    SECRET,
    continuer,
    jusqu_a,
    obstacles,
    obstacles_partout,
    s_inscrire,
    signaler,
)

pytestmark = pytest.mark.navigateur
LIBRES = [
    "/",
    "/aide/",
    "/securite/",
    "/accessibilite/",
    "/qui-lit/",
    "/confidentialite/",
    "/mentions-legales/",
    "/mes-droits/",
    "/ecrire/",
    "/ecrire/faits/",
    "/ecrire/details/",
    "/compte/connexion/",
    "/compte/inscription/",
    "/compte/oubli/",
    "/compte/oubli/?envoye",
]
SIENNES = [
    "/recu/verifier/",
    "/dossiers/",
    "/dossiers/1/",
    "/dossiers/1/fichier/",
    "/dossiers/1/lecteurs/",
    "/acces/",
    "/acces/code/",
    "/acces/terminer/",
    "/acces/garder/",
    "/acces/prevenir/",
    "/rattacher/",
    "/rattacher/connexion/",
    "/rattacher/inscription/",
    "/retrouver/",
]
DU_COMPTE = ["/dossiers/", "/dossiers/1/", "/acces/", "/rattacher/apercu/"]
# What a browser can keep for a site, beside its cookies.
GARDES = """async () => [
    localStorage.length, sessionStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length,
    (await navigator.serviceWorker.getRegistrations()).length]"""
TUS_SUR_PAPIER = ("Quitter vite", "Terminer", "Mes dossiers", "J’ai noté mes six mots", "Besoin d’aide", "English", "�")
# What ink would hardly show on paper.
PALES = r"""tous => tous.filter((un) => un.checkVisibility() &&
    getComputedStyle(un).color.match(/\d+/g).slice(0, 3).some((n) => n > 110)).map((un) => un.outerHTML)"""


@pytest.mark.parametrize("fenetre", ["bureau", "telephone", "petit_telephone"])
def test_signaler_noter_partir_revenir_et_ecrire(visite, neutre):
    page = visite.page
    code = signaler(page)
    assert len(code.split()) == 6
    assert not visite.deborde

    page.get_by_role("link", name="J’ai noté mes six mots").click()
    page.get_by_label("Tapez le troisième de vos six mots").fill(code.split()[2])
    continuer(page, "Vérifier")
    expect(page.get_by_text("Vos six mots sont bien notés.")).to_be_visible()
    page.get_by_role("link", name="Quitter vite").click()
    page.wait_for_url(f"{neutre}/**")
    assert [cookie["name"] for cookie in page.context.cookies() if cookie["name"] in ("espace", "brouillon")] == []

    page.goto("/")
    page.get_by_role("link", name="Retrouver mon espace").click()
    page.get_by_label("Vos six mots").fill(code.upper())
    continuer(page, "Ouvrir mon espace")
    page.get_by_role("link", name="Harcèlement").click()
    expect(page.get_by_text(SECRET)).to_be_visible()
    page.get_by_label("Votre message").fill("C'est arrivé encore.")
    continuer(page, "Envoyer")
    expect(page.get_by_role("log").get_by_text("C'est arrivé encore.")).to_be_visible()
    assert not visite.deborde
    assert visite.fautes == []


# Of the case on the screen: how far the last message and the form's button end above what is stuck to its bottom.
AU_DESSUS = """() => {
    const place = (un) => document.querySelector(un).getBoundingClientRect();
    return ["#conversation > :last-child", "#saisie .bouton"].map((un) => place(".nav").top - place(un).bottom);
}"""
MONTRE = """(un) => { const vu = un.closest(".echange").getBoundingClientRect(), lui = un.getBoundingClientRect();
    return lui.bottom <= vu.bottom && lui.bottom > vu.top; }"""


@pytest.mark.parametrize("hauteur", [740, 640])
def test_un_telephone_montre_le_dernier_message_et_la_reponse_sans_defiler(visite, hauteur):
    page = visite.page
    page.set_viewport_size({"width": 360, "height": hauteur})
    signaler(page)
    page.goto("/dossiers/1/")
    for rang in range(5):
        page.get_by_label("Votre message").fill(f"Message {rang}. " + "C'est arrivé encore, devant l'amphi. " * rang)
        continuer(page, "Envoyer")
    page.goto("/dossiers/1/")

    dernier, premier = page.locator("#conversation > :last-child"), page.locator("#conversation > :first-child")
    assert page.evaluate("scrollY") == 0
    assert min(page.evaluate(AU_DESSUS)) >= 0
    assert (dernier.evaluate(MONTRE), premier.evaluate(MONTRE)) == (True, False)
    page.get_by_role("link", name="Tout voir").click()
    expect(page).to_have_url(re.compile("#echange$"))
    assert (dernier.evaluate(MONTRE), premier.evaluate(MONTRE)) == (True, True)
    assert visite.fautes == []


@pytest.mark.parametrize("fenetre", ["bureau", "telephone"])
def test_s_inscrire_plus_tard_puis_rattacher_son_dossier(visite, portail):
    page = visite.page
    code = signaler(page)
    page.get_by_role("link", name="Mon accès").click()
    page.get_by_role("link", name="Rattacher à un compte").click()
    page.get_by_role("link", name="Créer un compte").click()
    adresse = s_inscrire(page)
    page.get_by_role("button", name="Créer un compte").dblclick()

    expect(page.get_by_role("heading", name="Ce qui va dans votre compte")).to_be_visible()
    expect(page.get_by_text("1 dossier", exact=True)).to_be_visible()
    assert not visite.deborde
    page.get_by_role("button", name="Rattacher à mon compte").dblclick()
    expect(page.get_by_role("heading", name="C’est rattaché")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Vos six mots n’ouvrent plus rien.")).to_be_visible()
    page.get_by_role("link", name="Mes dossiers").first.click()
    page.get_by_role("link", name="Harcèlement").click()
    expect(page.get_by_text(SECRET)).to_be_visible()
    page.get_by_role("link", name="Terminer").click()
    continuer(page, "Fermer mon espace")

    visite.admise = "status of 422"
    page.goto("/retrouver/")
    page.get_by_label("Vos six mots").fill(code)
    continuer(page, "Ouvrir mon espace")
    page.get_by_role("link", name="J’ai un compte").click()
    page.get_by_label("Adresse e-mail").fill(adresse)
    page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
    continuer(page, "Se connecter")
    expect(page.get_by_role("link", name="Harcèlement")).to_be_visible()
    assert all(cookie["expires"] == -1 for cookie in page.context.cookies())
    assert visite.fautes == []


def test_une_reponse_refusee_garde_ce_qui_fut_ecrit_et_mene_au_champ(visite):
    page = visite.page
    page.goto("/ecrire/faits/")
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    continuer(page)

    expect(page).to_have_title(re.compile(r"^Erreur\s:"))
    expect(page.get_by_label("Que s’est-il passé ?")).to_have_value(SECRET)
    page.get_by_role("link", name="Choisissez ce qui s’en approche le plus.").click()
    expect(page.get_by_label("Du harcèlement")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("#id_type_0$"))


def test_deux_clics_ne_font_qu_un_dossier_et_retour_rend_les_reponses(visite):
    page = visite.page
    page.goto("/ecrire/faits/")
    page.get_by_label("Un vol").check()
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    continuer(page)
    page.wait_for_url("**/ecrire/details/")
    continuer(page)
    page.wait_for_url("**/ecrire/verifier/")  # Back, while a page is on its way, has no page to leave
    page.go_back()
    page.go_back()
    expect(page.get_by_label("Un vol")).to_be_checked()
    expect(page.get_by_label("Que s’est-il passé ?")).to_have_value(SECRET)

    page.goto("/ecrire/verifier/")
    page.get_by_role("button", name="Envoyer").dblclick()
    expect(page.get_by_role("heading", name="C’est envoyé")).to_be_visible()
    page.reload()
    page.get_by_role("link", name="J’ai noté mes six mots").click()
    page.get_by_role("link", name="Passer").click()

    expect(page.locator(".dossiers li")).to_have_count(1)


def test_entree_continue_et_l_aide_garde_ce_qui_est_tape(visite):
    page = visite.page
    page.goto("/ecrire/faits/")
    page.get_by_label("Un vol").check()
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    page.get_by_role("button", name="Besoin d’aide maintenant").click()
    page.wait_for_url("**/aide/")
    page.goto("/ecrire/faits/")
    expect(page.get_by_label("Que s’est-il passé ?")).to_have_value(SECRET)
    continuer(page)

    page.get_by_label("Où était-ce ?").fill("Amphi B")
    page.get_by_label("Où était-ce ?").press("Enter")

    page.wait_for_url("**/ecrire/verifier/")


@pytest.mark.parametrize("fenetre", ["bureau", "etroite"])
def test_un_numero_que_l_on_demande(visite_exigeante):
    page = visite_exigeante.page
    page.goto("/ecrire/faits/")
    page.get_by_label("Un vol").check()
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    continuer(page)
    continuer(page)
    expect(page.get_by_role("heading", name="Un numéro de téléphone", exact=True)).to_be_visible()
    trouves = obstacles(page)
    page.get_by_label("Numéro de téléphone").fill("12")
    continuer(page)
    trouves += obstacles(page)
    page.get_by_label("Numéro de téléphone").fill("06 39 98 00 99")  # of the campus's own country
    continuer(page)
    continuer(page, "Envoyer")
    page.goto("/acces/")
    page.get_by_role("link", name="Changer mon numéro").click()
    expect(page.get_by_text("Numéro donné : +33*******99")).to_be_visible()
    page.get_by_label("Numéro de téléphone").fill("+33 6 39 98 00 77")
    continuer(page, "Changer mon numéro")
    expect(page.get_by_text("C’est fait : votre numéro a changé.")).to_be_visible()
    assert [*trouves, *obstacles(page)] == []


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_trois_fois_majuscule_fait_partir_mais_pas_pour_ecrire(visite, neutre):
    page = visite.page
    page.goto("/ecrire/faits/")
    page.get_by_label("Que s’est-il passé ?").press_sequentially("ABCD Il")
    page.wait_for_timeout(200)
    assert page.url.endswith("/ecrire/faits/")

    for _fois in range(3):
        page.keyboard.press("Shift")

    page.wait_for_url(f"{neutre}/**")


def test_rien_ne_reste_dans_le_navigateur(visite, javascript):
    page = visite.page
    signaler(page)
    page.goto("/dossiers/1/")

    if javascript:
        assert page.evaluate(GARDES) == [0, 0, 0, 0, 0]
    assert {cookie["name"] for cookie in page.context.cookies()} <= {"espace", "csrftoken", "brouillon"}
    assert all(cookie["expires"] == -1 for cookie in page.context.cookies())
    assert SECRET not in page.title()
    assert "SIG-" not in page.url


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_un_navigateur_sans_dialogue_previent_dans_la_page(visite):
    """What an old browser makes of <dialog>: an element that it does not know, and that has no methods."""
    page = visite.page
    page.add_init_script("for (const nom of ['showModal', 'show', 'close']) delete HTMLDialogElement.prototype[nom];")
    page.clock.install()
    signaler(page)
    page.goto("/dossiers/1/")
    question = page.get_by_text("Toujours là ?")
    expect(question).to_be_hidden()
    page.get_by_label("Votre message").fill("Encore là.")

    page.clock.run_for(26 * 60 * 1000)
    expect(question).to_be_in_viewport()
    expect(page.get_by_role("button", name="Je suis là")).to_be_focused()
    page.get_by_role("button", name="Je suis là").click()

    expect(question).to_be_hidden()
    expect(page.get_by_label("Votre message")).to_have_value("Encore là.")


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_un_espace_inactif_previent_puis_quitte_l_ecran(visite):
    page = visite.page
    page.clock.install()
    signaler(page)
    page.goto("/dossiers/1/")
    lentes: list[Route] = []
    page.route("**/acces/", lambda une: lentes.append(une))

    page.clock.run_for(26 * 60 * 1000)
    jusqu_a(page, lambda: lentes)
    lentes.pop(0).continue_()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Je suis là").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    jusqu_a(page, lambda: len(lentes) > 1)
    for une in lentes:  # an answer that comes late asks nothing again
        une.continue_()
    page.unroute("**/acces/")
    page.wait_for_timeout(500)
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.clock.run_for(20 * 60 * 1000)
    expect(page.get_by_text(SECRET)).to_be_visible()
    page.clock.run_for(11 * 60 * 1000)

    page.wait_for_url(lambda url: url.endswith("/"))
    expect(page.get_by_text(SECRET)).to_have_count(0)


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_une_page_ouverte_avant_de_garder_l_espace_ne_quitte_pas_l_ecran(visite):
    page = visite.page
    code = signaler(page)
    avant = page.context.new_page()
    avant.clock.install()
    avant.goto("/dossiers/1/")
    avant.get_by_label("Votre message").fill("Ce que je n'ai pas fini")
    page.goto("/recu/verifier/")
    page.get_by_label("Tapez le troisième de vos six mots").fill(code.split()[2])
    continuer(page, "Vérifier")
    page.goto("/acces/garder/")
    continuer(page, "Garder sur cet appareil")
    expect(page.get_by_role("button", name="Ne plus garder")).to_be_visible()

    with avant.expect_response(lambda reponse: reponse.headers.get("x-garde") == "1"):  # it asks, and is told
        avant.clock.run_for(26 * 60 * 1000)
    avant.wait_for_timeout(300)
    avant.clock.run_for(20 * 60 * 1000)

    expect(avant.get_by_role("dialog")).to_be_hidden()
    expect(avant.get_by_label("Votre message")).to_have_value("Ce que je n'ai pas fini")


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_une_page_ouverte_suit_son_dossier_quand_un_plus_ancien_arrive_avant_lui(visite, portail):
    """A merge from elsewhere gives her an older case: hers is the second now, and what she types stays in it."""
    page = visite.page
    invite = portail.client()("POST", "/guest/sessions", {"telephone": "+243812345699"}, statut=201)["guestId"]
    plus_ancien = {"titre": "Plus ancien", "type": "VOL", "description": "Avant."}
    portail.client(guest_id=invite)("POST", "/signalements/", plus_ancien, statut=201)
    page.goto("/compte/inscription/")
    adresse = s_inscrire(page)
    continuer(page, "Créer un compte")
    ecrire_en_son_nom(page)
    continuer(page, "Envoyer")
    page.goto("/dossiers/1/")
    expect(page.locator("#vivant")).to_have_attribute("data-etat", "direct")
    page.get_by_label("Votre message").fill("Ce que je n'ai pas fini")
    dossier = page.locator("#vivant").get_attribute("data-de")

    jeton = portail.client()("POST", "/auth/login", {"email": adresse, "motDePasse": MOT_DE_PASSE})["token"]
    portail.client(jeton=jeton)("POST", f"/guest/sessions/{invite}/merge", {}, Idempotency_Key=uuid4().hex)
    equipe = portail.client(jeton=jeton_de(portail, GESTIONNAIRE))
    equipe("PUT", f"/signalements/{dossier}/statut", {"statut": "EN_COURS"})

    expect(page.locator("#etat")).to_have_text("L’équipe y travaille")
    expect(page.get_by_label("Votre message")).to_have_value("Ce que je n'ai pas fini")
    continuer(page, "Envoyer")
    expect(page.get_by_role("log").get_by_text("Ce que je n'ai pas fini")).to_be_visible()
    expect(page.get_by_text(SECRET)).to_be_visible()
    assert page.url.endswith("/dossiers/2/#messages")


@pytest.mark.parametrize("javascript", [False], ids=["sans js"])
def test_le_recu_s_imprime_avec_ses_mots_et_rien_d_autre(visite):
    """One sheet of paper: the reference, the six words, how to keep them; no button, no way out, no menu."""
    page = visite.page
    code = signaler(page)
    reference = re.findall(r"SIG-[\w-]+", page.content())[0]

    numerotes = "".join(f"{rang}{mot}" for rang, mot in enumerate(code.split(), start=1))
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        (feuille,) = pages_de(page.pdf(format="A4"))
        for imprime in (reference, numerotes, "sur papier, comme une liste de courses", "C’est envoyé"):
            assert "".join(imprime.split()) in feuille, theme
        for tu in (*TUS_SUR_PAPIER, SECRET):
            assert "".join(tu.split()) not in feuille, theme
    for adresse in ("/recu/", "/dossiers/1/"):
        page.goto(adresse)
        for theme in THEMES:
            page.emulate_media(media="print", color_scheme=theme)
            assert page.locator("main *").evaluate_all(PALES) == [], (adresse, theme)
        page.emulate_media(media="screen")


def obstacles_d_un_compte(page: Page) -> list[str]:
    """Of an account that has a case like the guest's: refused, then asked about, then merged."""
    trouves = []
    page.goto("/compte/connexion/")
    continuer(page, "Se connecter")
    trouves += obstacles_partout(page)
    page.goto("/compte/inscription/")
    adresse = s_inscrire(page)
    continuer(page, "Créer un compte")
    ecrire_en_son_nom(page)
    trouves += obstacles_partout(page)
    continuer(page, "Envoyer")
    page.get_by_role("link", name="Mon accès").click()
    page.get_by_role("link", name="Terminer").first.click()
    continuer(page, "Fermer mon espace")
    signaler(page)
    page.goto("/rattacher/connexion/")
    page.get_by_label("Adresse e-mail").fill(adresse)
    page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
    continuer(page)
    expect(page.get_by_text("Deux dossiers se ressemblent")).to_be_visible()
    for adresse_du_compte in DU_COMPTE:
        page.goto(adresse_du_compte)
        trouves += obstacles_partout(page)
    continuer(page, "Rattacher à mon compte")
    expect(page.get_by_role("heading", name="C’est rattaché")).to_be_visible()
    return [*trouves, *obstacles_partout(page)]


def ecrire_en_son_nom(page: Page) -> None:
    """The same facts as `signaler`, up to the last page."""
    page.goto("/ecrire/faits/")
    page.get_by_label("Du harcèlement").check()
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    continuer(page)
    continuer(page)
    expect(page.get_by_label("Ne pas montrer mon nom à l’équipe")).to_be_checked()


def test_aucune_page_ni_aucun_etat_n_arrete_une_technologie_d_assistance(portail, avec_retour):
    contexte = avec_retour.new_context(base_url=portail.url, locale="fr-FR")
    page = contexte.new_page()
    trouves = []
    for adresse in [*LIBRES, "/retrouver/", "/dossiers/", "/inconnue/"]:
        page.goto(adresse)
        trouves += obstacles_partout(page)
    page.goto("/ecrire/faits/")
    continuer(page)
    trouves += obstacles_partout(page)
    page.get_by_label("Un vol").check()
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    continuer(page)
    page.get_by_label("Jour").fill("42")
    continuer(page)
    trouves += obstacles_partout(page)
    page.get_by_label("Jour").fill("")
    continuer(page)
    trouves += obstacles_partout(page)
    continuer(page, "Envoyer")
    trouves += obstacles_partout(page)
    for adresse in SIENNES:
        page.goto(adresse)
        trouves += obstacles_partout(page)
    page.get_by_label("Vos six mots").fill("zz")
    continuer(page, "Ouvrir mon espace")
    trouves += obstacles_partout(page)
    page.goto("/dossiers/1/")
    page.get_by_label("Votre message").fill("Bonjour.")
    continuer(page, "Envoyer")
    expect(page.get_by_role("log").get_by_text("Bonjour.")).to_be_visible()
    trouves += obstacles_partout(page)
    page.evaluate("document.getElementById('veille').showModal()")
    trouves += obstacles_partout(page)
    trouves += obstacles_d_un_compte(page)
    contexte.close()

    assert trouves == []


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
@pytest.mark.parametrize("adresse", ["/", "/dossiers/1/"])
def test_une_page_tient_sur_une_mauvaise_ligne(visite, adresse):
    """Four requests and 45 KB for the front door, six and 60 for a case, before any compression."""
    plafonds = {"/": (4, 45_000), "/dossiers/1/": (6, 60_000)}[adresse]
    page = visite.page
    if adresse != "/":
        signaler(page)
        page.goto("about:blank")
    recues: list[int] = []
    page.on("requestfinished", lambda faite: recues.append(len(faite.response().body())))

    page.goto(adresse)
    page.wait_for_load_state("networkidle")

    assert len(recues) <= plafonds[0]
    assert sum(recues) <= plafonds[1]


@pytest.mark.parametrize("javascript", [True], ids=["js"])
def test_la_reponse_arrive_sans_rien_faire_et_ce_qu_on_tape_reste(visite, portail):
    page = visite.page
    signaler(page)
    page.goto("/dossiers/1/")
    expect(page.locator("#vivant")).to_have_attribute("data-etat", "direct")
    page.get_by_label("Votre message").fill("Je voulais ajouter que")
    equipe = portail.client(jeton=jeton_de(portail, GESTIONNAIRE))
    dossier = equipe("GET", "/signalements/?size=1")["items"][0]["id"]

    ouverte = equipe("POST", "/discussions/", {"titre": "Suivi", "signalementId": dossier}, statut=201)["id"]
    equipe("POST", f"/discussions/{ouverte}/messages", {"contenu": "Nous vous croyons."}, statut=201)
    equipe("PUT", f"/signalements/{dossier}/statut", {"statut": "EN_COURS"})

    expect(page.locator("#etat")).to_have_text("L’équipe y travaille")
    expect(page.get_by_role("log").get_by_text("Nous vous croyons.")).to_be_visible()
    expect(page.get_by_label("Votre message")).to_have_value("Je voulais ajouter que")
    expect(page.get_by_label("Votre message")).to_be_focused()


@pytest.mark.parametrize("javascript", [True], ids=["js"])
def test_un_espace_ferme_ailleurs_quitte_l_ecran(visite, portail, avec_retour):
    page = visite.page
    code = signaler(page)
    page.goto("/dossiers/1/")
    expect(page.locator("#vivant")).to_have_attribute("data-etat", "direct")
    visite.admise = "status of 401"
    ailleurs = avec_retour.new_context(base_url=portail.url, locale="fr-FR").new_page()
    ailleurs.goto("/retrouver/")
    ailleurs.get_by_label("Vos six mots").fill(code)
    continuer(ailleurs, "Ouvrir mon espace")
    ailleurs.goto("/acces/")
    continuer(ailleurs, "Fermer partout ailleurs")

    page.wait_for_url(f"{portail.url}/")
    expect(page.get_by_text(SECRET)).to_have_count(0)
    ailleurs.context.close()
