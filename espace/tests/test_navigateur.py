"""A manager's hour in a real browser: with and without JavaScript, by keyboard alone, on a phone, and live."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from config.tests.outils.navigateur import DEUX_LARGEURS, FENETRES, Onglet, attente, chromium, jeton_de, visiter, vues
from config.tests.outils.serveur import Serveur
from demo.textes import ADMIN, AUTRE_GESTIONNAIRE, GESTIONNAIRE, MOT_DE_PASSE
from portail.tests.navigateur import aller_a, debordements, deplier, suivre
from portail.tests.navigateur import violations as violations_de

pytestmark = pytest.mark.navigateur
LISTE = "/equipe/dossiers/"
EXCEPTION = "status of 4"  # what the console says of a form that is asked again
FAITS = {"description": "Devant la bibliothèque.", "type": "AUTRE"}


@pytest.fixture(scope="module")
def equipe(partages: Callable[..., Serveur]) -> Serveur:
    return partages(THROTTLE_ENABLED="false")


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    with chromium() as ouvert:
        yield ouvert


@pytest.fixture
def fenetre() -> str:
    return "bureau"


@pytest.fixture
def javascript() -> bool:
    return True


@pytest.fixture(scope="module")
def session_de_la_gestionnaire(equipe: Serveur, chrome: Browser) -> Any:
    with visiter(chrome, equipe.url) as onglet:
        onglet.entrer(GESTIONNAIRE)
        return onglet.page.context.storage_state()


@pytest.fixture
def elle(
    equipe: Serveur, chrome: Browser, session_de_la_gestionnaire: Any, javascript: bool, fenetre: str
) -> Iterator[Onglet]:
    """The manager, signed in, at her lists."""
    with visiter(chrome, equipe.url, fenetre, javascript=javascript, gardes=session_de_la_gestionnaire) as onglet:
        onglet.admise = EXCEPTION
        onglet.page.goto(LISTE)
        yield onglet


@pytest.fixture
def collegue(equipe: Serveur) -> Any:
    """The API of the administrator."""
    return equipe.client(jeton=jeton_de(equipe, ADMIN))


@pytest.fixture
def temoin(equipe: Serveur) -> Any:
    """The API of somebody without an account."""
    ouverte = equipe.client()("POST", "/guest/sessions", {"telephone": "+243812345699"}, statut=201)
    api = equipe.client(guest_id=ouverte["guestId"])
    api.guest_id = ouverte["guestId"]
    return api


def signaler(temoin: Any, titre: str, **champs: str) -> str:
    return str(temoin("POST", "/signalements/", {"titre": titre, **FAITS, **champs}, statut=201)["id"])


def attendre_le_direct(onglet: Onglet) -> None:
    expect(onglet.page.locator("#vivant")).to_have_attribute("data-etat", "direct")


def titres(onglet: Onglet) -> list[str]:
    return list(onglet.page.locator(".lignes h3").all_inner_texts())


def violations(onglet: Onglet) -> list[tuple[str, list[str]]]:
    """Of the page at its end, where what follows the reader covers nothing."""
    onglet.page.evaluate("window.scrollTo(0, document.scrollingElement.scrollHeight)")
    return violations_de(onglet.page)


def defauts(onglet: Onglet, fenetres: tuple[str, ...] = DEUX_LARGEURS) -> list[tuple[Any, ...]]:
    """Of the page that is open, in these windows and in both themes."""
    trouves: list[tuple[Any, ...]] = []
    for vue in vues(onglet.page, fenetres):
        dits = [*violations(onglet), *onglet.fautes, *(["déborde"] if onglet.deborde else [])]
        trouves += [(onglet.page.url, vue, dit) for dit in dits]
    return trouves


@pytest.mark.parametrize("javascript", [True, False], ids=["js", "sans js"])
@pytest.mark.parametrize("fenetre", ["bureau", "telephone"])
def test_prendre_traiter_noter_et_repondre(elle, temoin, javascript, fenetre):
    titre = f"Vitrine brisée {fenetre} {javascript}"
    dossier = signaler(temoin, titre)
    page = elle.page
    page.goto(LISTE)
    page.get_by_role("link", name=re.compile("^Non attribués")).click()
    page.get_by_role("button", name=f"Prendre {titre}").click()
    page.get_by_role("link", name=re.compile("^À moi")).click()
    page.get_by_role("link", name=titre).click()

    page.locator("#statut summary").click()
    page.get_by_role("button", name="En cours").click()
    expect(page.get_by_text("État\u00a0: en cours")).to_be_visible()
    page.get_by_label("Nouvelle note").fill("La caméra a filmé.")
    page.get_by_role("button", name="Ajouter la note").click()
    expect(page.locator("#notes").get_by_text("La caméra a filmé.")).to_be_visible()
    page.get_by_label("Votre réponse").fill("Nous regardons les images.")
    page.get_by_role("button", name="Envoyer à qui a signalé").click()
    expect(page.get_by_role("log").get_by_text("Nous regardons les images.")).to_be_visible()

    assert not elle.deborde
    assert elle.fautes == []
    suivi = temoin("GET", f"/signalements/{dossier}")
    assert (suivi["statut"], suivi["messagesNonLusCount"], suivi["gestionnaireNom"]) == ("EN_COURS", 1, None)


def test_tout_au_clavier(elle, temoin):
    titre = "Serrure forcée au clavier"
    signaler(temoin, titre)
    page = elle.page
    page.goto(f"{LISTE}?search=clavier")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Aller à la liste")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("checkbox", name=f"Choisir {titre}")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name=titre)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/equipe/dossiers/[0-9a-f-]{36}/\?"))
    etat = page.locator("#statut summary")
    etat.focus()
    for touche in ("Enter", "Tab", "Enter"):
        page.keyboard.press(touche)
    expect(page.locator("#fait")).to_contain_text("État")
    page.keyboard.press("Tab")  # on from the block that has changed
    expect(etat).to_be_focused()


def test_vingt_dossiers_arrivent_et_la_liste_attend_qu_on_les_demande(elle, temoin):
    signaler(temoin, "Rampe abîmée 0")
    page = elle.page
    page.goto(f"{LISTE}?search=rampe+ab%C3%AEm%C3%A9e")
    attendre_le_direct(elle)
    boite = page.get_by_role("searchbox")
    boite.fill("rampe à moitié tapée")
    assert titres(elle) == ["Rampe abîmée 0"]

    for rang in range(1, 11):
        signaler(temoin, f"Rampe abîmée {rang}")
        signaler(temoin, f"Fenêtre fêlée {rang}")
    expect(page.get_by_role("link", name="Nouveaux dossiers (10) : afficher")).to_be_visible()

    assert titres(elle) == ["Rampe abîmée 0"]
    expect(boite).to_have_value("rampe à moitié tapée")
    expect(boite).to_be_focused()
    expect(page.locator("#liste-titre")).to_have_text("11 dossiers")
    page.get_by_role("link", name="Nouveaux dossiers (10) : afficher").click()
    assert titres(elle) == [f"Rampe abîmée {rang}" for rang in range(10, -1, -1)]


def test_une_liste_vide_s_anime_et_une_qui_se_vide_le_dit(elle, temoin, collegue):
    page = elle.page
    page.goto(f"{LISTE}?vue=non-attribues&search=zebulon")
    attendre_le_direct(elle)
    expect(page.get_by_text("Aucun dossier ne répond à ces filtres.")).to_be_visible()

    dossier = signaler(temoin, "Zebulon arrive")
    page.get_by_role("link", name="Nouveaux dossiers (1) : afficher").click()
    assert titres(elle) == ["Zebulon arrive"]
    attendre_le_direct(elle)
    moi = collegue("GET", "/comptes/me")["id"]
    collegue("PUT", f"/signalements/{dossier}/assigner", {"gestionnaireId": moi})

    page.get_by_role("link", name="La liste a changé : afficher").click()
    expect(page.get_by_text("Aucun dossier ne répond à ces filtres.")).to_be_visible()


def test_le_premier_message_d_une_discussion_ouverte_vide_s_entend(elle, temoin):
    dossier = signaler(temoin, "Porte arrachée")
    elle.page.goto(f"{LISTE}{dossier}/")
    attendre_le_direct(elle)
    discussion = temoin("POST", "/discussions/", {"titre": "Porte", "signalementId": dossier}, statut=201)["id"]
    expect(elle.page.locator("#vivant")).to_have_attribute("data-socket", re.compile(discussion))
    attendre_le_direct(elle)

    temoin("POST", f"/discussions/{discussion}/messages", {"contenu": "Venez vite."}, statut=201)

    expect(elle.page.get_by_role("log").get_by_text("Venez vite.")).to_be_visible()


def test_une_note_commencee_survit_a_un_autre_acte(elle, temoin):
    dossier = signaler(temoin, "Mur tagué")
    page = elle.page
    page.goto(f"{LISTE}{dossier}/")
    page.get_by_label("Nouvelle note").fill("Une note que je fini")
    page.locator("#priorite summary").click()
    page.get_by_role("button", name="Haute").click()

    expect(page.get_by_text("Priorité\u00a0: haute")).to_be_focused()
    expect(page.get_by_label("Nouvelle note")).to_have_value("Une note que je fini")
    expect(page.locator("#priorite summary")).to_contain_text("Haute")


def test_une_ligne_change_en_place(elle, temoin, collegue):
    dossier = signaler(temoin, "Lampe grillée")
    elle.page.goto(f"{LISTE}?search=lampe+grill%C3%A9e")
    attendre_le_direct(elle)

    collegue("PUT", f"/signalements/{dossier}/statut", {"statut": "EN_ATTENTE"})

    expect(elle.page.locator(f"#d-{dossier}")).to_contain_text("En attente")


def test_un_dossier_vit_pendant_qu_on_y_ecrit(elle, temoin, collegue):
    dossier = signaler(temoin, "Dégradation du hall")
    discussion = temoin("POST", "/discussions/", {"titre": "Hall", "signalementId": dossier}, statut=201)["id"]
    temoin("POST", f"/discussions/{discussion}/messages", {"contenu": "Un premier mot."}, statut=201)
    page = elle.page
    page.goto(f"{LISTE}{dossier}/")
    attendre_le_direct(elle)
    reponse = page.get_by_label("Votre réponse")
    reponse.fill("Je commence une longue rép")

    temoin("POST", f"/discussions/{discussion}/messages", {"contenu": "Il est revenu ce matin."}, statut=201)
    expect(page.get_by_role("log").get_by_text("Il est revenu ce matin.")).to_be_visible()
    collegue("POST", f"/signalements/{dossier}/notes", {"contenu": "Vu avec la sécurité."}, statut=201)
    expect(page.locator("#notes").get_by_text("Vu avec la sécurité.")).to_be_visible()
    collegue("PUT", f"/signalements/{dossier}/priorite", {"priorite": "CRITICAL"})
    expect(page.locator("#priorite summary")).to_contain_text("Critique")

    expect(reponse).to_have_value("Je commence une longue rép")
    expect(reponse).to_be_focused()
    page.get_by_role("button", name="Envoyer à qui a signalé").click()
    expect(page.get_by_role("alert").get_by_text("Un message est arrivé depuis")).to_be_visible()
    expect(reponse).to_have_value("Je commence une longue rép")
    page.get_by_role("button", name="Envoyer quand même").click()
    expect(page.get_by_role("log").get_by_text("Je commence une longue rép")).to_be_visible()


@pytest.mark.parametrize(
    ("champ", "bouton"), [("Votre réponse", "Envoyer à qui a signalé"), ("Nouvelle note", "Ajouter la note")]
)
def test_sans_reseau_rien_ne_part_et_le_texte_reste(elle, equipe, temoin, champ, bouton):
    dossier, page = signaler(temoin, f"Sans réseau, {champ}"), elle.page
    page.goto(f"{LISTE}{dossier}/")
    page.get_by_label(champ).fill("Ce que je n'ai pas fini d'écrire")
    page.context.set_offline(True)
    elle.admise = "ERR_INTERNET_DISCONNECTED"

    page.get_by_role("button", name=bouton).click()

    expect(page.get_by_role("alert")).to_have_text(
        "Pas de réseau : rien n’est parti ni fermé. Votre texte est encore là."
    )
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.get_by_label(champ)).to_have_value("Ce que je n'ai pas fini d'écrire")
    page.context.set_offline(False)
    page.get_by_role("button", name=bouton).click()
    expect(page.get_by_text("Ce que je n'ai pas fini d'écrire").first).to_be_visible()
    expect(page.get_by_label(champ)).to_have_value("")


def test_le_socket_coupe_revient_et_rattrape(elle, equipe, temoin):
    page = elle.page
    signaler(temoin, "Banc cassé")
    page.goto(f"{LISTE}?search=banc+cass%C3%A9")
    attendre_le_direct(elle)
    page.context.set_offline(True)
    elle.admise = "ERR_INTERNET_DISCONNECTED"
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    signaler(temoin, "Banc cassé encore")
    page.context.set_offline(False)

    expect(page.get_by_role("link", name="Nouveaux dossiers (1) : afficher")).to_be_visible(timeout=70_000)


def test_la_session_finie_se_dit(elle, temoin):
    page = elle.page
    attendre_le_direct(elle)
    page.context.clear_cookies()
    elle.admise = "40"

    signaler(temoin, "Signal de fin")

    expect(page.locator("#vivant-etat")).to_have_text("Votre session a pris fin. Rechargez la page pour continuer.")


def test_aucune_page_n_est_inaccessible(elle, temoin):
    dossier = signaler(temoin, "Accessible")
    page = elle.page
    adresses = [LISTE, f"{LISTE}?vue=non-lus", f"{LISTE}?statut=X", f"{LISTE}?search=rien+du+tout", f"{LISTE}?vue=clos"]
    adresses += [f"{LISTE}{dossier}/{fin}" for fin in ("", "lecteurs/", "imprimer/")]
    adresses += [f"/equipe/tableau/{fin}" for fin in ("", "?debut=2026-01-01", "?debut=2026-02-02&fin=2026-02-01")]
    adresses += ["/equipe/membres/", f"{LISTE}5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f/"]
    trouves = []
    for adresse in adresses:
        page.goto(adresse)
        deplier(page)
        trouves += defauts(elle)

    page.goto(f"{LISTE}{dossier}/")
    page.get_by_role("button", name="Envoyer à qui a signalé").click()
    expect(page.get_by_text("Il y a un problème")).to_be_visible()
    assert [*trouves, *defauts(elle)] == []


def test_aucune_page_de_l_administratrice_n_est_inaccessible(equipe, chrome, collegue, temoin):
    dossier = signaler(temoin, "Registre")
    membre = collegue("GET", f"/comptes/?search={GESTIONNAIRE.email}")["items"][0]["id"]
    collegue("PUT", f"/signalements/{dossier}/assigner", {"gestionnaireId": membre})
    with visiter(chrome, equipe.url) as rose:
        rose.admise = EXCEPTION
        rose.entrer(ADMIN)
        page = rose.page
        trouves = []
        registre, un = "/equipe/registre/", f"/equipe/membres/{membre}/"
        adresses = [registre, f"{registre}?tout=1", f"{registre}?objetId={dossier}", f"{registre}?objetId=x"]
        for adresse in [*adresses, un, f"{un}?depart=oui&repreneurId=", f"{un}?depart=oui&repreneurId=x"]:
            page.goto(adresse)
            deplier(page)
            trouves += defauts(rose)
        assert trouves == []


@pytest.mark.parametrize(
    ("adresse", "dossiers", "octets", "demandes"),
    [("?vue=ouverts", 50, 130_000, 6), ("{dossier}/", 1, 110_000, 6)],
    ids=["liste", "dossier"],
)
def test_une_page_pese_peu(elle, temoin, adresse, dossiers, octets, demandes):
    """The list with all the rows of a page, whatever the other tests have left; a case."""
    for rang in range(dossiers):
        dossier = signaler(temoin, f"Légère, la {rang}e fois")
    attendre_le_direct(elle)
    elle.page.goto("about:blank")
    # By address: a slow Chromium asks for the icon again, and the page has no part in it.
    recues: dict[str, Any] = {}
    elle.page.on("response", lambda recue: recues.setdefault(recue.url, recue))

    elle.page.goto(f"{LISTE}{adresse.format(dossier=dossier)}")
    elle.page.wait_for_load_state("networkidle")

    vues = list(recues.values())  # to read a body lets the browser speak, and answer once more
    assert len(vues) <= demandes, list(recues)
    assert sum(len(une.body()) for une in vues) <= octets


ECRITS = {"Nouvelle note": "Vu avec la scolarité.", "Votre réponse": "Nous arrivons."}


@pytest.mark.parametrize(
    ("envoye", "ou", "garde"),
    [("Nouvelle note", "#notes", "Votre réponse"), ("Votre réponse", "#messages", "Nouvelle note")],
)
def test_controle_entree_envoie_ce_qu_on_ecrit_et_cela_seul(elle, temoin, envoye, ou, garde):
    dossier = signaler(temoin, f"Au clavier {envoye}")
    page = elle.page
    page.goto(f"{LISTE}{dossier}/")
    for etiquette, texte in ECRITS.items():
        page.get_by_label(etiquette).fill(texte)

    page.get_by_label(envoye).press("Control+Enter")

    expect(page.locator(ou).get_by_text(ECRITS[envoye])).to_be_visible()
    expect(page.get_by_label(garde)).to_have_value(ECRITS[garde])
    expect(page.get_by_label(envoye)).to_have_value("")


@pytest.mark.parametrize("javascript", [True, False], ids=["js", "sans js"])
@pytest.mark.parametrize("fenetre", ["bureau", "telephone"])
def test_une_reponse_type_s_insere_se_relit_puis_part(elle, temoin, javascript, fenetre):
    dossier = signaler(temoin, f"Une réponse type {fenetre} {javascript}")
    page = elle.page
    page.goto(f"{LISTE}{dossier}/")
    note, reponse = page.get_by_label("Nouvelle note"), page.get_by_label("Votre réponse")
    note.fill("À rappeler.")
    reponse.fill("Bonjour,")

    page.get_by_label("Réponses types").select_option(label="Bien reçu (English)")
    page.get_by_role("button", name="Insérer").click()

    expect(reponse).to_be_focused()
    expect(reponse).to_have_value(re.compile(r"^Bonjour,\n\nHello,\n\nWe have read what you wrote"))
    expect(note).to_have_value("À rappeler.")
    assert temoin("GET", f"/signalements/{dossier}")["messagesNonLusCount"] == 0
    assert not elle.deborde
    if javascript:
        assert violations(elle) == []
        reponse.press("Control+Enter")
    else:
        page.get_by_role("button", name="Envoyer à qui a signalé").click()
    expect(page.get_by_role("log").get_by_text("We have read what you wrote")).to_be_visible()
    expect(note).to_have_value("À rappeler.")
    assert elle.fautes == []


def test_une_case_decochee_le_reste_quand_un_message_arrive(elle, temoin):
    dossier = signaler(temoin, "À ne pas prendre")
    ouverte = temoin("POST", "/discussions/", {"titre": "Suites", "signalementId": dossier}, statut=201)["id"]
    page = elle.page
    page.goto(f"{LISTE}{dossier}/")
    attendre_le_direct(elle)
    page.get_by_label("Prendre ce dossier").uncheck()
    page.get_by_label("Prendre ce dossier").press("Enter")
    page.get_by_role("heading", name="Historique").click()

    temoin("POST", f"/discussions/{ouverte}/messages", {"contenu": "Il est revenu."}, statut=201)

    expect(page.locator("#messages").get_by_text("Il est revenu.")).to_be_visible()
    expect(page.get_by_label("Prendre ce dossier")).not_to_be_checked()
    assert page.url.endswith(f"{dossier}/")  # Enter has changed no state


@pytest.mark.parametrize("tape", ["", "Je commence une longue rép"])
def test_un_dossier_joint_pendant_qu_on_le_lit_mene_a_celui_qui_demeure(elle, equipe, temoin, collegue, tape):
    """Of somebody whose account has a case of the same facts."""
    compte = {"email": f"t.{uuid4().hex}@campus.example", "motDePasse": MOT_DE_PASSE, "nom": "Diop", "prenom": "Awa"}
    equipe.client()("POST", "/auth/signup", compte, statut=201)
    jeton = equipe.client()("POST", "/auth/login", {nom: compte[nom] for nom in ("email", "motDePasse")})["token"]
    chez_elle = equipe.client(jeton=jeton)
    reste = signaler(chez_elle, "Casier vidé", modeIdentification="ANONYME")
    joint = signaler(temoin, "Casier vidé")
    page = elle.page
    page.goto(f"{LISTE}{joint}/")
    attendre_le_direct(elle)
    page.get_by_label("Votre réponse").fill(tape)
    page.get_by_role("heading", level=1).click()

    chez_elle(
        "POST",
        f"/guest/sessions/{temoin.guest_id}/merge",
        {"acceptPolicy": "MERGE_ALL"},
        Idempotency_Key=uuid4().hex,
    )
    collegue("PUT", f"/signalements/{reste}/priorite", {"priorite": "HIGH"})  # a merge tells the team nothing

    if tape:
        expect(page.locator("#vivant-etat")).to_contain_text("Ce dossier a été joint à un autre.")
        expect(page.get_by_label("Votre réponse")).to_have_value(tape)
        page.get_by_role("button", name="Envoyer à qui a signalé").click()
        expect(page.get_by_text("Le dossier que cette page montrait a été joint à celui-ci.")).to_be_visible()
        expect(page.get_by_label("Votre réponse")).to_have_value(tape)
        page.get_by_role("button", name="Envoyer quand même").click()
        expect(page.get_by_role("log").get_by_text(tape)).to_be_visible()
    page.wait_for_url(re.compile(reste))


CACHER = """(cachee) => {
    Object.defineProperty(document, "hidden", { value: cachee, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def prises_ouvertes(page: Page) -> list[Any]:
    """The sockets of a page, as it opens and closes them."""
    vues: list[Any] = []
    page.on("websocket", lambda une: vues.append(une))
    return vues


def test_un_onglet_que_l_on_ne_regarde_plus_rend_ses_sockets_et_revient(elle, temoin, collegue):
    dossier = signaler(temoin, "Onglet oublié")
    page = elle.page.context.new_page()
    vues = prises_ouvertes(page)
    page.clock.install()
    page.goto(f"{LISTE}{dossier}/")
    expect(page.locator("#vivant")).to_have_attribute("data-etat", "direct")
    page.evaluate(CACHER, True)
    for _ping in range(9):  # nearly four minutes, and no faster than the server answers
        with ExitStack() as pile:
            for une in vues:
                pile.enter_context(une.expect_event("framereceived", lambda texte: texte == "pong"))
            page.clock.run_for(25_000)
    assert [une for une in vues if not une.is_closed()] != []

    page.clock.run_for(2 * 60 * 1000)
    expect(page.locator("#vivant")).to_be_attached()
    page.wait_for_timeout(300)
    assert [une.url for une in vues if not une.is_closed()] == []
    collegue("PUT", f"/signalements/{dossier}/statut", {"statut": "EN_ATTENTE"})
    page.evaluate(CACHER, False)
    page.clock.run_for(5000)

    expect(page.locator("#statut summary")).to_contain_text("En attente")
    assert [une for une in vues if not une.is_closed()] != []


def test_un_onglet_jamais_regarde_n_ouvre_aucun_socket(elle, temoin):
    dossier = signaler(temoin, "Onglet derrière")
    page = elle.page.context.new_page()
    vues = prises_ouvertes(page)
    page.add_init_script("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    page.goto(f"{LISTE}{dossier}/")
    page.wait_for_timeout(500)
    assert vues == []

    page.evaluate(CACHER, False)

    expect(page.locator("#vivant")).to_have_attribute("data-etat", "direct")
    assert vues != []


def test_une_touche_suffit_a_qui_l_a_demande(elle, temoin):
    for rang in (1, 2, 3):
        signaler(temoin, f"Touche {rang}")
    page = elle.page
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Activer les raccourcis clavier").click()
    page.goto(f"{LISTE}?search=touche")
    lien = {rang: page.get_by_role("link", name=f"Touche {rang}") for rang in (1, 2, 3)}

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Raccourcis clavier")).to_be_visible()
    assert violations(elle) == []
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("j")
    expect(lien[3]).to_be_focused()
    for touche in ("J", "Shift+j", "Control+j", "Alt+j"):
        page.keyboard.press(touche)
        expect(lien[3]).to_be_focused()
    for touche, rang in (("j", 2), ("j", 1), ("j", 1), ("k", 2), ("k", 3), ("k", 3)):
        page.keyboard.press(touche)
        expect(lien[rang]).to_be_focused()
    boite = page.get_by_role("searchbox")
    boite.fill("")
    boite.press_sequentially("jkorn?")
    expect(boite).to_have_value("jkorn?")
    lien[2].focus()
    page.keyboard.press("o")
    page.wait_for_url(re.compile(r"/equipe/dossiers/[0-9a-f-]{36}/\?"))
    page.keyboard.press("r")
    expect(page.get_by_label("Votre réponse")).to_be_focused()
    expect(page.get_by_label("Votre réponse")).to_have_value("")
    page.keyboard.type("n")
    expect(page.get_by_label("Votre réponse")).to_have_value("n")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("n")
    expect(page.get_by_label("Nouvelle note")).to_be_focused()
    page.goto(LISTE)
    page.get_by_role("button", name="Les désactiver").click()
    page.get_by_role("link", name="Dossiers", exact=True).focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("javascript", [True, False], ids=["js", "sans js"])
def test_ecarter_quelqu_un_d_un_dossier_le_lui_fait_disparaitre(equipe, elle, collegue, temoin, javascript):
    titre = f"Met en cause une collègue {javascript}"
    dossier, page = signaler(temoin, titre), elle.page
    autre = equipe.client(jeton=jeton_de(equipe, AUTRE_GESTIONNAIRE))
    assert autre("GET", f"/signalements/{dossier}")["titre"] == titre
    page.goto(f"{LISTE}{dossier}/")

    page.get_by_role("link", name="Qui lit ce dossier").click()
    group = page.get_by_role("group", name="Personnes écartées")
    group.get_by_label(AUTRE_GESTIONNAIRE.nom).check()
    page.get_by_role("button", name="Enregistrer").click()

    expect(page.get_by_text("Toute l’équipe, sauf des personnes écartées")).to_be_visible()
    autre("GET", f"/signalements/{dossier}", statut=404)
    assert titre not in str(autre("GET", "/signalements/?size=100"))


def test_rien_ne_deborde_quand_le_texte_est_deux_fois_plus_grand(elle, temoin):
    dossier = signaler(temoin, "Anticonstitutionnellement")
    pages = [
        LISTE,
        f"{LISTE}?search=zzz",
        f"{LISTE}?vue=clos",
        *(f"{LISTE}{dossier}/{fin}" for fin in ("", "fichier/", "lecteurs/", "imprimer/")),
    ]
    larges = []
    for adresse in pages:
        elle.page.goto(adresse)
        elle.page.evaluate("document.querySelector('.lignes .coche input')?.click()")  # opens what is done to many
        for fenetre in vues(elle.page, ("etroite", "bureau"), ("light",)):
            larges += [(fenetre, un) for un in debordements(elle.page)]

    assert larges == []


# The words of the places of a phone that go on from one line to the next, at this size of text.
COUPES = r"""(taille) => {
    document.documentElement.style.fontSize = taille;
    const place = document.createRange();
    const lignes = (noeud, mot) => {
        place.setStart(noeud, mot.index);
        place.setEnd(noeud, mot.index + mot[0].length);
        return place.getClientRects().length;
    };
    return [...document.querySelectorAll(".rail .nav a")].flatMap((lien) => [...lien.childNodes])
        .filter((noeud) => noeud.nodeType === Node.TEXT_NODE)
        .flatMap((noeud) => [...noeud.data.matchAll(/\S+/g)].filter((mot) => lignes(noeud, mot) > 1))
        .map((mot) => mot[0]);
}"""


def test_les_mots_du_bas_de_l_ecran_restent_entiers(elle):
    for fenetre, taille in product(("petit_telephone", "etroite"), ("100%", "200%")):
        elle.page.set_viewport_size(FENETRES[fenetre])
        assert elle.page.evaluate(COUPES, taille) == [], (fenetre, taille)
        expect(elle.page.get_by_role("link", name="Administration", exact=True)).to_be_in_viewport(ratio=1)
        assert not elle.deborde, (fenetre, taille)


@pytest.mark.parametrize("javascript", [True, False], ids=["js", "sans js"])
def test_l_heure_d_une_gestionnaire_au_clavier_seul(elle, temoin, javascript):
    """Filter, keep the filter, take, note, reply."""
    titre = f"Grille tordue {javascript}"
    signaler(temoin, titre, type="VOL")
    page = elle.page
    page.goto(f"{LISTE}?vue=non-attribues&search=grille+tordue")
    aller_a(page, "^Filtres")
    page.keyboard.press("Enter")
    aller_a(page, "^Type$")
    page.keyboard.type("Vo")
    suivre(page, "^Filtrer$")
    expect(page).to_have_url(re.compile("type=VOL"))
    aller_a(page, "^Mes filtres")
    page.keyboard.press("Enter")
    aller_a(page, "^Garder ce que cette page montre")
    page.keyboard.type(f"Vols {javascript}")
    suivre(page, "^Garder$")
    aller_a(page, "^Mes filtres")
    page.keyboard.press("Enter")
    suivre(page, f"^Vols {javascript}$")
    suivre(page, f"^Prendre\\s+{titre}")
    page.goto(f"{LISTE}?vue=a-moi&search=grille+tordue+{javascript}")
    suivre(page, f"^{titre}$")

    aller_a(page, "^Nouvelle note$")
    page.keyboard.type("À rappeler demain.")
    suivre(page, "^Ajouter la note$")
    expect(page.locator("#notes").get_by_text("À rappeler demain.")).to_be_visible()
    page.goto(page.url.partition("?")[0])
    aller_a(page, "^Votre réponse$")
    page.keyboard.type("Nous passons ce soir.")
    suivre(page, "^Envoyer à qui a signalé$")
    expect(page.get_by_role("log").get_by_text("Nous passons ce soir.")).to_be_visible()


def test_une_administratrice_au_clavier_seul(equipe, chrome):
    """From her lists to the team: invite, look at somebody, choose her mails, read the register."""
    adresse = f"{uuid4().hex[:8]}@campus.example"
    with visiter(chrome, equipe.url) as rose:
        rose.entrer(ADMIN)
        page = rose.page
        page.goto(LISTE)
        suivre(page, "^Équipe$")
        aller_a(page, "^Adresse e-mail$")
        page.keyboard.type(adresse)
        suivre(page, "^Envoyer l’invitation$")
        expect(page.get_by_text("Invitation prête")).to_be_visible()
        expect(page.get_by_text(adresse, exact=True).first).to_be_visible()
        suivre(page, f"^Gérer\\s+{GESTIONNAIRE.prenom}")
        expect(page.get_by_role("heading", level=1)).to_contain_text(GESTIONNAIRE.nom)
        suivre(page, "^Mon compte$")
        aller_a(page, "^Un nouveau dossier$")
        page.keyboard.type("Ja")
        aller_a(page, "^Un message de qui a signalé$")
        suivre(page, "^Enregistrer$")
        expect(page.get_by_label("Un nouveau dossier")).to_have_value("JAMAIS")
        suivre(page, "^Registre$")
        expect(page.get_by_text("a envoyé une invitation").first).to_be_visible()
        assert rose.fautes == []


def test_un_fichier_trop_grand_ramene_au_dossier_et_un_autre_part(elle, temoin):
    dossier = signaler(temoin, "Fichier pour vous")
    page = elle.page
    page.goto(f"{LISTE}{dossier}/fichier/")
    for nom, contenu in (("grand.txt", b"x" * (11 * 2**20 + 2**19)), ("petit.txt", b"Le compte rendu.")):
        page.get_by_label("Votre fichier").set_input_files({"name": nom, "mimeType": "text/plain", "buffer": contenu})
        page.get_by_role("button", name="Envoyer à qui a signalé").click()
        if nom == "grand.txt":
            expect(page.locator("#envois")).to_contain_text("Ce fichier fait plus de 10 Mo")

    expect(page.get_by_role("log").get_by_role("link", name="petit.txt")).to_be_visible()
    expect(page.get_by_text("None", exact=True)).to_have_count(0)


def test_la_feuille_s_imprime_sans_rien_d_autre(elle, temoin):
    dossier = signaler(temoin, "Feuille à imprimer")
    elle.page.goto(f"{LISTE}{dossier}/imprimer/")
    elle.page.emulate_media(media="print")

    expect(elle.page.get_by_role("heading", name="Feuille à imprimer")).to_be_visible()
    expect(elle.page.get_by_role("link", name="Revenir au dossier")).to_be_hidden()
    expect(elle.page.get_by_text("Confidentiel. Imprimé par")).to_be_visible()


def test_un_dossier_s_imprime_sans_ses_cases_ni_ses_boutons(elle, temoin):
    dossier = signaler(temoin, "Dossier à imprimer")
    elle.page.goto(f"{LISTE}{dossier}/")
    cases = elle.page.locator("main :is(textarea, select, button, summary > .ic, [href$='/fichier/'])")
    assert cases.filter(visible=True).count() > 3

    elle.page.emulate_media(media="print")

    expect(cases.filter(visible=True)).to_have_count(0)
    expect(elle.page.get_by_text(FAITS["description"])).to_be_visible()
    expect(elle.page.get_by_role("heading", name="Notes internes")).to_be_visible()


@pytest.mark.parametrize("adresse", ["", "{dossier}/"])
def test_une_page_sert_sur_une_ligne_lente(elle, temoin, adresse):
    dossier = signaler(temoin, "Au bout du campus")
    attendre_le_direct(elle)
    elle.page.goto("about:blank")

    assert attente(elle.page, f"{LISTE}{adresse.format(dossier=dossier)}") <= 5


@pytest.mark.parametrize("lettre", ["W", "é"])
def test_un_titre_d_un_seul_mot_n_ecarte_rien(elle, temoin, lettre):
    titre = uuid4().hex[:8] + lettre * 112
    dossier = signaler(temoin, titre)

    for adresse in (f"{LISTE}?search={titre[:8]}", f"{LISTE}{dossier}/"):
        elle.page.goto(adresse)
        for fenetre in ("bureau", "telephone", "petit_telephone"):
            elle.page.set_viewport_size(FENETRES[fenetre])
            dit = elle.page.locator("h1, h3 a").filter(has_text=titre)
            expect(dit).to_be_visible()
            assert not elle.deborde, (adresse, fenetre)
            assert dit.evaluate("e => e.getBoundingClientRect().right <= innerWidth"), (adresse, fenetre)


def test_ce_qui_est_fait_ne_deplace_rien(elle, temoin):
    dossier = signaler(temoin, f"Sans secousse {uuid4().hex[:6]}")
    lieux = """() => [...document.querySelectorAll('h2, textarea, summary')]
        .map((e) => e.getBoundingClientRect().top + scrollY)"""
    elle.page.goto(f"{LISTE}{dossier}/")
    avant = elle.page.evaluate(lieux)

    elle.page.goto(f"{LISTE}{dossier}/?fait=priorite#fait")

    expect(elle.page.locator("#fait")).to_be_focused()
    assert elle.page.evaluate(lieux) == avant


HAUT = "() => document.getElementById('lignes').getBoundingClientRect().top + scrollY"
# What Chromium itself saw move since this moment, without a hand on it. Before a page is whole, it is painted in pieces
# where the machine is slow, and each finds its place.
SECOUSSES = """(depuis) => new Promise((dire) => {
    let somme = 0;
    new PerformanceObserver((lus) => {
        lus.getEntries().filter((une) => une.startTime > depuis).forEach((une) => { somme += une.value; });
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => dire(somme), 300);
})"""
ENTIERE = """() => new Promise((dire) => {
    const peinte = () => requestAnimationFrame(() => requestAnimationFrame(() => dire(performance.now())));
    document.readyState === "complete" ? peinte() : addEventListener("load", peinte);
})"""


def cocher(page: Page, *titres: str) -> None:
    for titre in titres:
        page.get_by_role("checkbox", name=f"Choisir {titre}").check()


@pytest.mark.parametrize("javascript", [True, False], ids=["js", "sans js"])
def test_cocher_fait_des_tetes_la_barre_sans_rien_deplacer(elle, temoin, javascript):
    mot = f"cocher{uuid4().hex[:6]}"
    titres_ = [f"Un {mot}", f"Deux {mot}"]
    dossiers = [signaler(temoin, titre) for titre in titres_]
    page = elle.page
    page.goto(f"{LISTE}?search={mot}")
    avant = page.evaluate(HAUT)
    expect(page.get_by_role("button", name="Confier", exact=True)).to_be_hidden()

    cocher(page, *titres_)

    expect(page.get_by_role("button", name="Confier", exact=True)).to_be_visible()
    expect(page.locator(".tetes")).to_be_hidden()
    assert page.evaluate(HAUT) == avant
    page.get_by_label("Confier à", exact=True).select_option(label="Rose Kabila")
    page.get_by_role("button", name="Confier", exact=True).click()
    expect(page.locator("#fait")).to_contain_text("2 dossiers confiés à Rose Kabila")
    assert page.evaluate(HAUT) == avant
    for dossier in dossiers:
        expect(page.locator(f"#d-{dossier}")).to_contain_text("Rose Kabila")
    assert elle.fautes == []
    assert not elle.deborde


def test_une_case_cochee_le_reste_quand_la_liste_vit(elle, temoin, collegue):
    mot = f"vivante{uuid4().hex[:6]}"
    pris, libre = (signaler(temoin, f"{nom} {mot}") for nom in ("Prise", "Libre"))
    page = elle.page
    page.goto(f"{LISTE}?vue=non-attribues&search={mot}")
    attendre_le_direct(elle)
    avant, depuis = page.evaluate(HAUT), page.evaluate(ENTIERE)
    cocher(page, f"Prise {mot}", f"Libre {mot}")
    moi = collegue("GET", "/comptes/me")["id"]
    collegue("PUT", f"/signalements/{pris}/assigner", {"gestionnaireId": moi})
    signaler(temoin, f"Arrivée {mot}")
    expect(page.locator("#nouveaux")).to_be_visible()

    assert page.locator("#lignes :checked").count() == 2
    assert page.evaluate(HAUT) == avant  # what is new is said beside
    assert page.evaluate(SECOUSSES, depuis) == 0
    page.get_by_role("button", name="Prendre", exact=True).first.click()
    expect(page.get_by_role("alert")).to_contain_text("1 dossier n’a pas été confié")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_role("alert")).to_contain_text("s’en occupe.")
    expect(page.locator("#fait")).to_contain_text("Vous vous occupez de 1 dossier")
    assert temoin("GET", f"/signalements/{libre}")["statut"] == "ASSIGNE"


def test_exporter_les_coches_laisse_la_page_comme_elle_est(elle, temoin):
    mot = f"exporter{uuid4().hex[:6]}"
    for nom in ("Un", "Deux", "Trois"):
        signaler(temoin, f"{nom} {mot}")
    page = elle.page
    page.goto(f"{LISTE}?search={mot}")
    cocher(page, f"Un {mot}", f"Trois {mot}")

    with page.expect_download() as recu:
        page.get_by_role("button", name="Exporter en CSV").click()

    lignes = recu.value.path().read_text(encoding="utf-8-sig").splitlines()[1:]
    assert [mot in ligne for ligne in lignes] == [True, True]
    assert page.locator("#lignes :checked").count() == 2


def test_une_liste_cochee_reste_accessible(elle, temoin):
    titre = f"Cochée {uuid4().hex[:6]}"
    signaler(temoin, titre)
    page = elle.page
    page.goto(f"{LISTE}?vue=non-attribues&search={titre}")
    trouves = defauts(elle, ("colonne",))  # a phone takes one case at a time
    page.set_viewport_size(FENETRES["tablette"])
    cocher(page, titre)

    trouves += defauts(elle, ("tablette", "bureau"))
    page.get_by_role("button", name="Confier", exact=True).click()  # to nobody
    expect(page.get_by_role("alert")).to_be_focused()
    assert page.locator("#lignes :checked").count() == 1
    assert [*trouves, *defauts(elle, ("tablette", "bureau"))] == []


def test_prendre_de_la_liste_ne_deplace_aucune_ligne(elle, temoin):
    mot = f"secousse{uuid4().hex[:6]}"
    for nom in ("Un", "Deux"):
        signaler(temoin, f"{nom} {mot}")
    page = elle.page
    for vue in ("non-attribues", "ouverts"):  # the row leaves, the row stays
        page.goto(f"{LISTE}?vue={vue}&search={mot}")
        avant = page.evaluate(HAUT)

        page.locator("#lignes").get_by_role("button", name="Prendre").first.click()

        expect(page.locator("#fait")).to_be_focused()
        depuis = page.evaluate(ENTIERE)
        assert page.evaluate(HAUT) == avant, vue
        attendre_le_direct(elle)
        assert page.evaluate(SECOUSSES, depuis) == 0, vue


def test_ce_qui_est_pris_d_une_liste_reste_ou_on_l_a_pris(elle, temoin):
    mot = f"immobile{uuid4().hex[:6]}"
    for rang in range(12):
        signaler(temoin, f"{rang} {mot}")
    page = elle.page
    page.goto(f"{LISTE}?vue=ouverts&search={mot}")
    premiere, derniere = (page.locator("#lignes li").nth(rang) for rang in (0, 11))
    avant = premiere.bounding_box()["y"]

    premiere.get_by_role("button", name="Prendre").click()
    expect(page.locator("#fait")).to_be_focused()
    assert premiere.bounding_box()["y"] == avant

    derniere.get_by_role("button", name="Prendre").click()
    expect(derniere.locator("#fait")).to_be_focused()
    assert premiere.bounding_box()["y"] > -page.viewport_size["height"]
    assert derniere.bounding_box()["y"] > page.viewport_size["height"] / 4


@pytest.mark.parametrize("javascript", [True, False], ids=["js", "sans js"])
@pytest.mark.parametrize("fenetre", ["telephone", "petit_telephone"])
@pytest.mark.parametrize("vue", ["a-faire", "non-lus", "clos"])
def test_sur_un_telephone_la_liste_que_l_on_lit_est_nommee_en_vue(elle, vue):
    elle.page.goto(f"{LISTE}?vue={vue}")

    expect(elle.page.locator("#vues [aria-current]")).to_be_in_viewport(ratio=1)
    outils = elle.page.locator(".barre-outils").bounding_box()
    assert outils["y"] + outils["height"] < 300


@pytest.mark.parametrize("fenetre", ["bureau", "telephone"])
def test_ses_filtres_sont_dans_le_rail_d_un_bureau(elle, temoin, fenetre):
    nom = f"Vols de {fenetre}"
    page = elle.page
    page.goto(f"{LISTE}?vue=clos&type=VOL")
    page.locator("summary", has_text="Mes filtres").click()
    page.get_by_label("Garder ce que cette page montre").fill(nom)
    page.get_by_role("button", name="Garder", exact=True).click()
    rail = page.get_by_role("navigation", name="Mes filtres")
    for adresse in ("/equipe/membres/", "/equipe/tableau/", LISTE):
        page.goto(adresse)
        if fenetre == "telephone":
            expect(rail).to_be_hidden()
            continue
        rail.get_by_role("link", name=nom).click()
        expect(page).to_have_url(re.compile("vue=clos.*type=VOL"))
        expect(rail.get_by_role("link", name=nom)).to_have_attribute("aria-current", "page")
    assert elle.fautes == []
