"""Leaving in a hurry from every page that shows something of somebody: « Retour » gives none of it back.

Playwright switches the back-forward cache off: here it is on, and « Retour » is pressed by the browser's own protocol,
once and to each earlier page of the visit. PREUVES_DEPARTS says how often each page is left.
"""

import os

import pytest

from portail.tests.departs import (
    NUMERO,
    des_messages,
    ecrire_au_compte,
    mon_numero,
    partir,
    poster,
    relire,
    rouvrir,
    un_acces_fini,
    un_code_faux,
    un_detail,
    un_jeton_perdu,
    un_numero,
    un_recu,
    un_texte_pas_envoye,
    un_texte_repris,
    une_connexion_refusee,
    une_erreur,
    une_erreur_d_avant,
    une_etape,
    une_fusion,
    une_fusion_faite,
    une_inscription_refusee,
)
from portail.tests.navigateur import MOT_DE_PASSE, SECRET, ce_que_retour_montre, lisible, signaler
from portail.urls import urlpatterns

pytestmark = pytest.mark.navigateur
FOIS = int(os.environ.get("PREUVES_DEPARTS", "0"))
SIENNES = [
    "/recu/",
    "/recu/verifier/",
    "/retrouver/",
    "/dossiers/",
    "/dossiers/1/",
    "/dossiers/1/fichier/",
    "/dossiers/1/lecteurs/",
    "/acces/",
    "/acces/code/",
    "/acces/garder/",
    "/acces/prevenir/",
    "/acces/terminer/",
    "/ecrire/",
    "/ecrire/faits/",
    "/ecrire/lecteurs/",
    "/aide/",
    "/qui-lit/",
    "/rattacher/",
    "/rattacher/connexion/",
    "/rattacher/inscription/",
    "/compte/connexion/",
    "/compte/inscription/",
    "/compte/oubli/",
]
DU_COMPTE = [
    *("/recu/", "/dossiers/", "/dossiers/1/", "/dossiers/1/fichier/"),
    *("/acces/", "/acces/terminer/", "/compte/"),
]
DEPARTS = [
    une_etape,
    un_detail,
    relire,
    un_recu,
    des_messages,
    un_texte_pas_envoye,
    une_erreur,
    une_erreur_d_avant,
    un_jeton_perdu,
    un_acces_fini,
    un_code_faux,
    un_texte_repris,
    une_inscription_refusee,
    une_connexion_refusee,
    une_fusion,
    une_fusion_faite,
]
DU_NUMERO = ["/ecrire/numero/", "/acces/numero/"]  # where one is asked
MENEES = ["/ecrire/details/", "/ecrire/verifier/", "/rattacher/apercu/", "/rattacher/fait/"]
DU_CAMPUS = ["/compte/preuve/"]  # left in campus/tests/test_navigateur.py
# The same for everybody, whatever is open.
DE_TOUS = ["/", "/securite/", "/confidentialite/", "/mentions-legales/", "/mes-droits/", "/accessibilite/"]
# Acts, which answer a GET by another page, a download, and leaving itself.
SANS_PAGE = [
    "/langue/",
    "/dossiers/1/repondre/",
    "/dossiers/1/lus/",
    "/fichiers/envoyer/",
    "/fichiers/<uuid:file_id>/",
    "/acces/ailleurs/",
    "/acces/donnees/",
    "/acces/garder/fin/",
    "/rattacher/revenir/",
    "/quitter/",
    "/quitter/suite/",
]


def trahit(vu: str, code: str = "") -> list[str]:
    """What a page tells of a case, of its words, or of who writes; one of the words may be the page's own."""
    dits = [un for un in (SECRET, "SIG-", NUMERO, "awa.", "Diop") if un in vu]
    mots = [mot for mot in code.split() if mot in vu]
    return [*dits, *(mots if len(mots) > 2 else [])]


@pytest.fixture
def refusee(visite):
    """A visit whose requests may be refused: what was open before is open no more."""
    visite.admise = "the server responded with a status of 4"
    return visite


def test_chaque_adresse_est_quittee():
    connues = {
        adresse.replace("/1/", "/<int:rang>/")
        for adresse in (*SIENNES, *DU_COMPTE, *DU_NUMERO, *MENEES, *DU_CAMPUS, *DE_TOUS, *SANS_PAGE)
    }

    assert {f"/{une.pattern}" for une in urlpatterns} == connues


def test_retour_sait_montrer_ce_que_le_navigateur_a_garde(refusee, portail, neutre):
    """Left by the address bar, the case is there again: the next tests would see it."""
    code = signaler(refusee.page)
    page = refusee.page.context.new_page()
    code = rouvrir(page, code)
    page.goto("/dossiers/1/")
    page.goto(neutre)

    vu = ce_que_retour_montre(page, portail.url)[0]

    assert {SECRET, "SIG-", *code.split()} <= set(trahit(vu, code))


def test_retour_ne_montre_rien_d_une_page_d_un_espace(refusee, portail, neutre):
    code = signaler(refusee.page)
    trahies = []
    for adresse in SIENNES:
        for _fois in range(FOIS or (20 if adresse == "/dossiers/1/" else 1)):
            page = refusee.page.context.new_page()
            code = rouvrir(page, code)
            page.goto(adresse)
            partir(page, neutre)

            vus = ce_que_retour_montre(page, portail.url)

            assert vus, adresse
            trahies += [(adresse, trahit(vu, code)) for vu in vus if trahit(vu, code)]
            page.close()
    assert trahies == []


@pytest.mark.parametrize("depart", [un_numero, mon_numero])
def test_retour_ne_montre_rien_d_un_numero(visite_exigeante, exigeant, neutre, depart):
    page = visite_exigeante.page
    code = depart(page) or ""
    assert trahit(lisible(page.context.new_cdp_session(page)), code)
    partir(page, neutre)
    visite_exigeante.admise = "the server responded with a status of 4"

    vus = ce_que_retour_montre(page, exigeant.url)

    assert vus
    assert [trahit(vu, code) for vu in vus if trahit(vu, code)] == []


def test_retour_ne_montre_rien_d_une_page_d_un_compte(refusee, portail, neutre):
    adresse_du_compte = ecrire_au_compte(refusee.page)
    trahies = []
    for adresse in DU_COMPTE * (FOIS or 1):
        page = refusee.page.context.new_page()
        poster(page, "/compte/connexion/", email=adresse_du_compte, mot_de_passe=MOT_DE_PASSE)
        page.goto("/acces/" if adresse == "/dossiers/1/" else "/dossiers/1/")
        page.goto(adresse)
        partir(page, neutre)

        vus = ce_que_retour_montre(page, portail.url)

        assert vus, adresse
        trahies += [(adresse, trahit(vu)) for vu in vus if trahit(vu)]
        page.close()
    assert trahies == []


@pytest.mark.parametrize("depart", DEPARTS)
def test_retour_ne_montre_rien_ou_qu_on_en_fut(refusee, portail, neutre, depart):
    for _fois in range(FOIS or 3):
        page = refusee.page.context.new_page()
        code = depart(page) or ""
        assert depart is une_fusion_faite or trahit(lisible(page.context.new_cdp_session(page)), code)
        partir(page, neutre)

        vus = ce_que_retour_montre(page, portail.url)

        assert vus
        assert [trahit(vu, code) for vu in vus if trahit(vu, code)] == []
        page.close()
        refusee.page.context.clear_cookies(name="parti")  # as a browser that was closed
