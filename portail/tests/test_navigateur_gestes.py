"""The portal in a real browser: files, the keyboard alone, the focus, what is closed, what is copied and printed."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from config.tests.outils.serveur import Serveur, en_marche
from portail.tests.navigateur import MOT_DE_PASSE, SECRET, aller_a, continuer, s_inscrire, signaler, suivre
from resources.tests import fabriques

pytestmark = pytest.mark.navigateur
AVEC_JS = pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
SANS_FREIN = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
LONG = b"Ce que j'ai vu.\n" * 2**17  # two mebibytes


@pytest.fixture
def refusee(visite):
    """A visit whose requests may be refused."""
    visite.admise = "the server responded with a status of 4"
    return visite


# --- Files ----------------------------------------------------------------------------------------------------------


def choisir(page: Page, *envois: tuple[str, bytes]) -> None:
    fichiers = [{"name": nom, "mimeType": "text/plain", "buffer": contenu} for nom, contenu in envois]
    page.get_by_label("Votre fichier").set_input_files(fichiers)
    page.get_by_role("button", name="Envoyer", exact=True).click()


@AVEC_JS
def test_de_plusieurs_fichiers_chacun_a_sa_ligne_puis_d_autres_partent(refusee):
    page = refusee.page
    signaler(page)
    page.goto("/dossiers/1/")
    page.get_by_role("link", name="Ajouter un fichier").click()

    continuer(page, "Envoyer")
    expect(page.get_by_role("link", name="Choisissez un fichier.")).to_be_visible()
    lignes = page.locator("#envois li")
    choisir(page, ("vide.txt", b""), ("recit.txt", b"Ce que j'ai vu."), ("grand.txt", b"x" * (11 * 2**20 + 2**19)))
    expect(lignes).to_have_text(
        [
            "vide.txt · Ce fichier est vide. ",
            "recit.txt · Envoyé.",
            re.compile(r"grand.txt · Ce fichier fait plus de 10\sMo. Une vidéo\s: coupez-la"),
        ]
    )
    photo = fabriques.image("JPEG", exif=fabriques.exif_avec_lieu())
    choisir(page, ("photo.jpg", photo), ("suite.txt", b"Et ensuite."))

    expect(page.get_by_role("log").get_by_role("link", name="recit.txt")).to_be_visible()
    expect(page.get_by_role("log").get_by_role("link", name="suite.txt")).to_be_visible()
    expect(page.get_by_role("log").get_by_role("link", name="photo.jpg")).to_be_visible()
    expect(page.get_by_text("Nous avons retiré le lieu, la date, l’appareil et l’auteur.")).to_be_visible()
    expect(page.get_by_text("None")).to_have_count(0)
    with page.expect_download() as recu:
        page.get_by_role("link", name="photo.jpg").click()
    assert b"GPS" not in recu.value.path().read_bytes()


@pytest.mark.parametrize("javascript", [False], ids=["sans js"], indirect=True)
def test_sans_script_un_refus_est_nomme_et_les_autres_partent(refusee):
    page = refusee.page
    signaler(page)
    page.goto("/dossiers/1/fichier/")
    choisir(page, ("vide.txt", b""), ("recit.txt", b"Ce que j'ai vu."))

    expect(page.get_by_role("alert")).to_contain_text("Ce fichier est vide.")
    expect(page.get_by_text("recit.txt")).to_be_visible()
    choisir(page, ("photo.jpg", fabriques.image("JPEG")), ("suite.txt", b"Et ensuite."))
    expect(page.get_by_role("log").get_by_role("link", name="suite.txt")).to_be_visible()
    expect(page.get_by_role("log").get_by_role("link", name="photo.jpg")).to_be_visible()


def test_un_fichier_trop_grand_ramene_au_dossier(refusee):
    page = refusee.page
    signaler(page)
    page.goto("/dossiers/1/fichier/")
    choisir(page, ("grand.txt", b"x" * (11 * 2**20 + 2**19)))

    expect(page.get_by_text("Ce fichier fait plus de 10 Mo").first).to_be_visible()
    page.get_by_role("link", name="Revenir").click()
    expect(page.get_by_text(SECRET)).to_be_visible()


def test_un_envoi_coupe_ne_laisse_rien_et_se_refait(visite, portail):
    page = visite.page
    signaler(page)
    page.goto("/dossiers/1/fichier/")
    avant = fichiers_de(portail)
    ligne = page.context.new_cdp_session(page)
    ligne.send("Network.enable")
    ligne.send("Network.emulateNetworkConditions", {**SANS_FREIN, "uploadThroughput": 40_000})
    page.get_by_label("Votre fichier").set_input_files({"name": "long.txt", "mimeType": "text/plain", "buffer": LONG})
    with page.expect_request(re.compile("/fichiers/envoyer/")):
        page.get_by_role("button", name="Envoyer").click(no_wait_after=True)
    page.wait_for_timeout(1500)  # some sixty thousand of its bytes are there

    ligne.send("Page.stopLoading")
    ligne.send("Network.emulateNetworkConditions", SANS_FREIN)

    expect(page.get_by_label("Votre fichier")).to_be_visible()
    page.wait_for_timeout(500)
    assert fichiers_de(portail) == avant
    page.get_by_role("button", name="Envoyer").click()
    expect(page.get_by_role("log").get_by_role("link", name="long.txt")).to_have_count(1)
    assert len(fichiers_de(portail) - avant) == 1


def fichiers_de(service: Serveur) -> set[Path]:
    return {un for un in service.sortie.parent.rglob("*") if un.is_file() and "files" in un.parts}


# --- The focus, and the keyboard alone ------------------------------------------------------------------------------


@AVEC_JS
def test_le_resume_d_une_etape_refusee_recoit_le_foyer(refusee):
    page = refusee.page
    page.goto("/ecrire/faits/")
    continuer(page)
    expect(page.locator(".resume")).to_be_focused()
    code = signaler(page)
    page.goto("/recu/verifier/")
    page.get_by_label("Tapez le troisième de vos six mots").fill("zzz")
    continuer(page, "Vérifier")
    expect(page.locator(".resume")).to_be_focused()
    page.goto("/retrouver/")
    page.get_by_label("Vos six mots").fill(code.split()[0])
    continuer(page, "Ouvrir mon espace")
    expect(page.locator(".resume")).to_be_focused()


def test_ce_qui_vient_d_etre_fait_se_dit(visite, javascript):
    page = visite.page
    signaler(page)
    page.goto("/acces/")
    continuer(page, "Fermer partout ailleurs")
    fait = page.get_by_text("C’est fait : votre espace n’est plus ouvert ailleurs.")
    expect(fait).to_be_visible()
    if javascript:
        expect(fait).to_be_focused()
    assert "messages" not in {cookie["name"] for cookie in page.context.cookies()}


def test_modifier_une_reponse_met_dans_sa_case(visite):
    page = visite.page
    page.set_viewport_size({"width": 360, "height": 500})
    page.goto("/ecrire/faits/")
    page.get_by_label("Du harcèlement").check()
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    continuer(page)
    continuer(page)

    continuer(page, "Modifier : les témoins")

    case = page.get_by_label("Quelqu’un a-t-il vu")
    expect(case).to_be_in_viewport(ratio=1)
    expect(case).to_be_focused()


def signaler_au_clavier(page: Page) -> str:
    page.goto("/")
    suivre(page, "^Écrire$")
    suivre(page, "^Continuer$")
    aller_a(page, "^Du harcèlement$")
    page.keyboard.press("Space")
    aller_a(page, "^Que s’est-il passé")
    page.keyboard.type(SECRET)
    suivre(page, "^Continuer$")
    suivre(page, "^Continuer$")
    suivre(page, "^Envoyer$")
    expect(page.get_by_role("heading", name="C’est envoyé")).to_be_visible()
    return " ".join(page.locator(".mots li").all_inner_texts())


def test_signaler_revenir_et_repondre_au_clavier_seul(visite, neutre):
    page = visite.page
    code = signaler_au_clavier(page)
    suivre(page, "^J’ai noté mes six mots")
    aller_a(page, "^Tapez le troisième de vos six mots")
    page.keyboard.type(code.split()[2])
    suivre(page, "^Vérifier$")
    suivre(page, "^Quitter vite$")
    page.wait_for_url(f"{neutre}/**")

    page.goto("/")
    suivre(page, "^Retrouver mon espace$")
    aller_a(page, "^Vos six mots")
    page.keyboard.type(code)
    suivre(page, "^Ouvrir mon espace$")
    suivre(page, "^Harcèlement$")
    aller_a(page, "^Votre message")
    page.keyboard.type("C'est arrivé encore.")
    suivre(page, "^Envoyer$")

    expect(page.get_by_role("log").get_by_text("C'est arrivé encore.")).to_be_visible()


def test_rattacher_au_clavier_seul(visite):
    page = visite.page
    signaler_au_clavier(page)
    suivre(page, "^Mon accès$")
    suivre(page, "^Rattacher à un compte$")
    suivre(page, "^Créer un compte$")
    adresse = s_inscrire(page)
    page.get_by_label("Mot de passe").fill("")
    page.locator("main").focus()
    aller_a(page, "^Mot de passe")
    page.keyboard.type(MOT_DE_PASSE)
    suivre(page, "^Créer un compte$")
    suivre(page, "^Rattacher à mon compte$")

    expect(page.get_by_role("heading", name="C’est rattaché")).to_be_visible()
    assert adresse


# --- The receipt ----------------------------------------------------------------------------------------------------


def test_copier_n_est_la_qu_avec_javascript_et_copie_les_six_mots(visite, portail, javascript):
    page = visite.page
    code = signaler(page)
    copier = page.get_by_role("button", name="Copier")
    if not javascript:
        expect(copier).to_be_hidden()
        return
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=portail.url)
    copier.click()

    expect(page.get_by_role("button", name="Copié")).to_be_focused()
    expect(page.locator("#annonce")).to_have_text("Copié")
    assert page.evaluate("navigator.clipboard.readText()") == code


def test_le_recu_s_imprime_avec_ses_mots_et_sans_ses_boutons(visite):
    page = visite.page
    signaler(page)
    page.emulate_media(media="print")

    expect(page.locator(".mots")).to_be_visible()
    for cache in (".sortie", "header", "footer", ".bouton"):
        expect(page.locator(cache).first).to_be_hidden()


# --- What is away or closed -----------------------------------------------------------------------------------------


@AVEC_JS
def test_sans_reseau_la_page_le_dit_et_garde_le_texte(visite):
    page = visite.page
    signaler(page)
    page.goto("/dossiers/1/")
    expect(page.locator("#vivant")).to_have_attribute("data-etat", "direct")
    page.get_by_label("Votre message").fill("Je voulais ajouter que")
    visite.admise = "ERR_INTERNET_DISCONNECTED"

    page.context.set_offline(True)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    expect(page.locator("#vivant-etat")).to_have_text("Pas de réseau. Votre texte est encore là.", timeout=90_000)
    expect(page.get_by_label("Votre message")).to_have_value("Je voulais ajouter que")
    page.context.set_offline(False)


@AVEC_JS
@pytest.mark.parametrize("bouton", ["Continuer", "Revenir", "English"])
def test_sans_reseau_une_etape_reste_et_le_dit(visite, bouton):
    page = visite.page
    page.goto("/ecrire/faits/")
    page.get_by_label("Du harcèlement").check()
    texte = page.get_by_label("Que s’est-il passé ?")
    texte.fill(SECRET)
    page.context.set_offline(True)

    continuer(page, bouton)

    expect(page.get_by_role("alert")).to_have_text(
        "Pas de réseau : rien n’est parti ni fermé. Votre texte est encore là."
    )
    expect(page.get_by_role("alert")).to_be_focused()
    expect(texte).to_have_value(SECRET)
    page.context.set_offline(False)
    continuer(page)
    expect(page.get_by_role("heading", name="Quelques détails")).to_be_visible()


def test_changer_de_langue_garde_ce_qui_est_tape(visite):
    page = visite.page
    page.goto("/ecrire/faits/")
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    continuer(page, "English")
    expect(page.get_by_label("What happened?")).to_have_value(SECRET)
    continuer(page, "Français")
    signaler(page)
    page.goto("/dossiers/1/")
    page.get_by_label("Votre message").fill("Je voulais ajouter que")

    continuer(page, "English")

    expect(page.get_by_label("Your message")).to_have_value("Je voulais ajouter que")
    # What answers by itself is all that is there.
    expect(page.get_by_role("log").get_by_role("article")).to_have_count(1)
    expect(page.get_by_role("log").get_by_text("Je voulais ajouter que")).to_have_count(0)
    continuer(page, "Send")
    expect(page.get_by_role("log").get_by_text("Je voulais ajouter que")).to_be_visible()


@pytest.fixture
def portail_a_soi(tmp_path, neutre):
    with en_marche(tmp_path, PORTAIL_SORTIE_URL=neutre, THROTTLE_ENABLED="false") as serveur:
        yield serveur


def test_chaque_stade_du_mode_invite_se_dit(avec_retour, portail_a_soi):
    """Of a portal that has reports already, each stage is another start, with and without JavaScript."""
    visites = []
    for javascript in (True, False):
        contexte = avec_retour.new_context(base_url=portail_a_soi.url, locale="fr-FR", java_script_enabled=javascript)
        page = contexte.new_page()
        visites.append((page, signaler(page)))

    for stade in ("create", "read", "off"):
        assert portail_a_soi.terminer() == 0
        portail_a_soi.regler(**({"GUEST_MODE_ENABLED": "false"} if stade == "off" else {"GUEST_MODE_STAGE": stade}))
        portail_a_soi.demarrer()
        for page, code in visites:
            constater(page, stade, code)

    for page, _code in visites:
        page.context.close()


def constater(page: Page, stade: str, code: str) -> None:
    """What a portal at this stage says to somebody who has a space with these words."""
    page.goto("/")
    ecrire = page.get_by_role("link", name="Écrire", exact=True)
    expect(ecrire).to_have_count(1 if stade == "create" else 0)
    page.goto("/ecrire/")
    expect(page.get_by_text("On ne peut pas écrire ici sans compte")).to_have_count(0 if stade == "create" else 1)
    page.goto("/dossiers/1/")
    expect(page.get_by_text(SECRET)).to_have_count(0 if stade == "off" else 1)
    expect(page.get_by_label("Votre message")).to_have_count(1 if stade == "create" else 0)
    page.goto("/retrouver/")
    if stade == "off":
        expect(page.get_by_text("Les espaces sans compte sont fermés")).to_be_visible()
        expect(page.get_by_role("link", name="+33 6 39 98 00 21")).to_be_visible()
    else:
        page.get_by_label("Vos six mots").fill(code)
        continuer(page, "Ouvrir mon espace")
        expect(page.get_by_role("link", name="Harcèlement")).to_be_visible()
        page.goto("/acces/")
        expect(page.get_by_role("link", name="Rattacher à un compte")).to_have_count(0)


# --- What somebody writes without a space ----------------------------------------------------------------------------


@AVEC_JS
@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_un_titre_d_un_seul_mot_n_ecarte_rien(visite, fenetre):
    page = visite.page
    signaler(page)
    page.goto("/ecrire/faits/")
    page.get_by_label("Un vol").check()
    page.get_by_label("Que s’est-il passé ?").fill("W" * 120)
    continuer(page)
    page.get_by_label("Où était-ce ? (facultatif)").fill("É" * 120)
    continuer(page)
    page.get_by_label("Titre").fill("W" * 120)
    assert not visite.deborde
    continuer(page, "Envoyer")

    for adresse in ("/recu/", "/dossiers/", "/dossiers/2/"):
        page.goto(adresse)
        assert not visite.deborde, adresse
