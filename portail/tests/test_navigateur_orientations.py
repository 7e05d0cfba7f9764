"""Advice by type of case in a real browser: under the choice that is made, with and without JavaScript."""

import pytest
from playwright.sync_api import expect

from config.tests.outils.navigateur import jeton_de
from demo.textes import ADMIN
from portail.tests.navigateur import obstacles, signaler

pytestmark = pytest.mark.navigateur
A_SAVOIR, CONSEIL = "À savoir dès maintenant", "Gardez les messages, sans y répondre"
NOUVEAU = "Gardez chaque message, même effacé d’un téléphone."


@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_ce_qu_il_faut_savoir_vient_sous_le_choix_qui_est_fait(visite, javascript):
    page = visite.page
    page.goto("/ecrire/faits/")
    savoir = page.locator(".savoir:visible")
    expect(savoir).to_have_count(0)

    page.get_by_label("Un vol").check()
    expect(savoir).to_have_count(1)
    savoir.locator("summary").click()
    expect(savoir.get_by_text("Gardez la facture")).to_be_visible()
    page.get_by_label("Une agression sexuelle").check()
    expect(page.get_by_text("Gardez la facture")).not_to_be_visible()
    savoir.locator("summary").press("Enter")

    numero = savoir.get_by_role("link", name="+33 6 39 98 00 22")
    expect(numero).to_have_attribute("href", "tel:+33639980022")
    expect(page.get_by_label("Une agression sexuelle")).to_be_checked()
    assert visite.fautes == []
    assert not visite.deborde
    if javascript:
        assert obstacles(page) == []


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_sur_un_telephone_le_choix_reste_sur_le_premier_ecran(visite):
    page = visite.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/ecrire/faits/")

    for choix in ("Du harcèlement", "Une agression sexuelle"):
        page.get_by_label(choix).check()
        assert page.evaluate("scrollY") == 0
        expect(page.get_by_label("Autre chose, ou je ne sais pas")).to_be_in_viewport()


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
def test_le_recu_et_le_dossier_ne_redisent_pas_ce_que_dit_la_reponse_automatique(visite):
    page = visite.page
    signaler(page)

    for adresse in ("/recu/", "/dossiers/1/"):
        page.goto(adresse)
        expect(page.get_by_text(CONSEIL)).to_be_visible()
        expect(page.get_by_text(A_SAVOIR)).to_have_count(0)


@pytest.fixture
def change_depuis(portail):
    """The advice on harassment is written anew: what went out before does not hold it."""
    administration = portail.client(jeton=jeton_de(portail, ADMIN))
    toutes = administration("GET", "/orientations/")
    (une,) = [une for une in toutes if une["type"] == "HARCELEMENT"]

    def changer():
        administration("PUT", f"/orientations/{une['id']}", {"texteFr": NOUVEAU})

    yield changer
    administration("PUT", f"/orientations/{une['id']}", {"texteFr": une["texteFr"]})


@pytest.mark.parametrize("javascript", [True], ids=["js"], indirect=True)
@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_le_recu_et_le_dossier_les_gardent_replies(visite, change_depuis):
    page = visite.page
    signaler(page)
    change_depuis()

    for adresse in ("/recu/", "/dossiers/1/"):
        page.goto(adresse)
        dit = page.get_by_text(NOUVEAU)
        expect(dit).not_to_be_visible()
        page.get_by_text(A_SAVOIR).click()
        expect(dit).to_be_visible()
        assert obstacles(page) == []
    assert visite.fautes == []
