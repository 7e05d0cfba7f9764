"""What somebody is looking at when they leave in a hurry; each function leads a page of the portal there."""

import re

from playwright.sync_api import Page, expect

from portail.tests.navigateur import (
    MOT_DE_PASSE,
    NUMERO,
    SECRET,
    UNE_MAIN,
    continuer,
    s_inscrire,
    signaler,
)

COURRIEL = re.compile(r"^awa\.")
JETON = re.compile(r'csrfmiddlewaretoken" value="([^"]+)"')


def perdre_le_jeton(page: Page) -> None:
    page.context.clear_cookies(name="csrftoken")


def ecrire(page: Page) -> None:
    page.goto("/ecrire/faits/")
    page.get_by_label("Du harcèlement").check()
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)


def une_etape(page: Page) -> None:
    ecrire(page)
    continuer(page)
    page.goto("/ecrire/faits/")
    expect(page.get_by_label("Que s’est-il passé ?")).to_have_value(SECRET)


def relire(page: Page) -> None:
    ecrire(page)
    for _etape in range(2):
        continuer(page)
    expect(page.locator(".relire").get_by_text(SECRET)).to_be_visible()


def une_erreur(page: Page) -> None:
    """The answer to a POST, with what was typed."""
    page.goto("/ecrire/faits/")
    page.get_by_label("Que s’est-il passé ?").fill(SECRET)
    continuer(page)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Que s’est-il passé ?")).to_have_value(SECRET)


def une_erreur_d_avant(page: Page) -> None:
    """The same, and on from there."""
    une_erreur(page)
    page.get_by_label("Du harcèlement").check()
    continuer(page)
    expect(page.get_by_role("heading", name="Quelques détails")).to_be_visible()


def un_jeton_perdu(page: Page) -> None:
    ecrire(page)
    perdre_le_jeton(page)
    continuer(page)
    expect(page.get_by_label("Votre texte")).to_have_value(SECRET)


def un_acces_fini(page: Page) -> None:
    """A message whose access has ended meanwhile: it is back in its box."""
    signaler(page)
    page.goto("/dossiers/1/")
    page.get_by_label("Votre message").fill(SECRET)
    page.context.clear_cookies(name="espace")
    continuer(page, "Envoyer")
    expect(page.get_by_label("Votre message")).to_have_value(SECRET)


def ecrire_au_compte(page: Page) -> str:
    """A new account, open, with a case of its own; its address."""
    page.goto("/compte/inscription/")
    adresse = s_inscrire(page)
    continuer(page, "Créer un compte")
    expect(page.get_by_text("Aucun dossier ici.")).to_be_visible()
    ecrire(page)
    continuer(page)
    continuer(page)
    continuer(page, "Envoyer")
    expect(page.get_by_role("heading", name="C’est envoyé")).to_be_visible()
    return adresse


def poster(page: Page, adresse: str, **champs: str) -> str:
    """The form of this address, sent by this browser without being looked at; the page that it leads to."""
    jeton = JETON.search(page.request.get(adresse).text())
    assert jeton
    reponse = page.request.post(adresse, form={"csrfmiddlewaretoken": jeton[1], **champs})
    assert reponse.ok, adresse
    return str(reponse.text())


def rouvrir(page: Page, code: str) -> str:
    """Back by the six words, then others are drawn, which each page of this visit holds."""
    poster(page, "/retrouver/", code=code)
    poster(page, "/acces/code/")
    page.goto("/acces/")  # an earlier page, whatever page is left
    page.goto("/acces/code/")
    nouveaux = " ".join(page.locator(".mots li").all_inner_texts())
    assert nouveaux != code
    return nouveaux


def une_fusion(page: Page) -> None:
    """A preview with both cases, which look like one another."""
    adresse = ecrire_au_compte(page)
    page.context.clear_cookies(name="espace")
    signaler(page)
    page.goto("/rattacher/connexion/")
    page.get_by_label("Adresse e-mail").fill(adresse)
    page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
    continuer(page)
    expect(page.get_by_text("Deux dossiers se ressemblent")).to_be_visible()


def un_recu(page: Page) -> str:
    return signaler(page)


def des_messages(page: Page) -> None:
    """A case, with what was written in it."""
    signaler(page)
    page.goto("/dossiers/1/")
    page.get_by_label("Votre message").fill(SECRET)
    continuer(page, "Envoyer")
    expect(page.get_by_role("log").get_by_text(SECRET)).to_be_visible()


def un_detail(page: Page) -> None:
    ecrire(page)
    continuer(page)
    page.get_by_label("Qui l’a fait ?").fill(SECRET)
    continuer(page)
    page.goto("/ecrire/details/")
    expect(page.get_by_label("Qui l’a fait ?")).to_have_value(SECRET)


def un_numero(page: Page) -> None:
    ecrire(page)
    continuer(page)
    continuer(page)
    page.get_by_label("Numéro de téléphone").fill(NUMERO)
    continuer(page)
    page.goto("/ecrire/numero/")
    expect(page.get_by_label("Numéro de téléphone")).to_have_value(NUMERO)


def mon_numero(page: Page) -> str:
    code = signaler(page)
    page.goto("/acces/numero/")
    expect(page.get_by_text("Numéro donné : +33*******99")).to_be_visible()
    return code


def un_texte_pas_envoye(page: Page) -> None:
    """Typed in two pages, kept by nobody."""
    signaler(page)
    page.goto("/dossiers/1/")
    page.get_by_label("Votre message").fill(SECRET)
    ecrire(page)


def un_code_faux(page: Page) -> str:
    """The six words in their box, one of them mistyped."""
    code = signaler(page)
    faux = " ".join(["zzzz", *code.split()[1:]])
    page.goto("/retrouver/")
    page.get_by_label("Vos six mots").fill(faux)
    continuer(page, "Ouvrir mon espace")
    expect(page.get_by_label("Vos six mots")).to_have_value(faux)
    return code


def un_texte_repris(page: Page) -> None:
    """A message whose access had ended, in the space that is open again."""
    code = signaler(page)
    page.goto("/dossiers/1/")
    page.get_by_label("Votre message").fill(SECRET)
    page.context.clear_cookies(name="espace")
    continuer(page, "Envoyer")
    page.get_by_label("Vos six mots").fill(code)
    continuer(page, "Ouvrir mon espace")
    expect(page.get_by_label("Votre message")).to_have_value(SECRET)


def une_inscription_refusee(page: Page) -> None:
    page.goto("/compte/inscription/")
    s_inscrire(page)
    page.get_by_label("Mot de passe").fill("court")
    continuer(page, "Créer un compte")
    expect(page.get_by_label("Adresse e-mail")).to_have_value(COURRIEL)


def une_connexion_refusee(page: Page) -> None:
    page.goto("/compte/connexion/")
    page.get_by_label("Adresse e-mail").fill("awa.diop@campus.example")
    page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
    continuer(page, "Se connecter")
    expect(page.get_by_label("Adresse e-mail")).to_have_value(COURRIEL)


def une_fusion_faite(page: Page) -> None:
    une_fusion(page)
    continuer(page, "Rattacher à mon compte")
    expect(page.get_by_role("heading", name="C’est rattaché")).to_be_visible()


def partir(page: Page, neutre: str) -> None:
    page.get_by_role("link", name="Quitter vite").first.click()
    page.wait_for_url(f"{neutre}/**")
    page.wait_for_timeout(UNE_MAIN)
