"""Advice by type of case: where the type is chosen, on the receipt, and on the case; never in a tab or a list."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tests import fabriques as comptes
from config.tests.outils.typographie import ordinaire
from portail.tests.outils import FAITS, Visiteuse
from reponses.models import Orientation
from reponses.tests import fabriques
from signalements.vocabulaire import TYPES_CONNUS

pytestmark = pytest.mark.django_db
SOMMAIRE = "À savoir dès maintenant"
PLI = re.compile(
    r'<details class="savoir"><summary>([^<]+)</summary><div lang="(\w+)">(.*?)</div></details>', re.DOTALL
)


def plis(page):
    """Each one: its language, and what is folded in it."""
    assert all(titre in (SOMMAIRE, "What to know right now") for titre, *_reste in PLI.findall(page)), page
    return [(langue, ordinaire(dit)) for _titre, langue, dit in PLI.findall(page)]


@pytest.fixture
def visiteuse():
    return Visiteuse()


def test_chaque_choix_a_le_sien_replie_et_le_numero_se_compose(visiteuse):
    fabriques.orientation("VOL", texte_fr="Gardez la facture.\n\nSécurité : +33 6 39 98 00 22.")
    fabriques.orientation("HARCELEMENT", texte_fr="Gardez les messages.")
    fabriques.orientation("D_AILLEURS", texte_fr="Jamais montré.")

    page = visiteuse.lire("/ecrire/faits/")

    du_vol = page.partition('value="VOL"')[2].partition("</div>\n")[0]
    assert plis(page) == [
        ("fr", "<p>Gardez les messages.</p>"),
        ("fr", '<p>Gardez la facture.</p>\n\n<p>Sécurité : <a href="tel:+33639980022">+33 6 39 98 00 22</a>.</p>'),
    ]
    assert "Gardez la facture." in du_vol
    assert "<details open" not in page


def test_un_choix_refuse_les_garde(visiteuse):
    fabriques.orientation("VOL")

    refus = visiteuse.envoyer("/ecrire/faits/", {"type": "VOL", "description": ""})

    assert (refus.status_code, len(plis(refus.content.decode()))) == (422, 1)


@pytest.mark.parametrize("adresse", ["/ecrire/details/", "/ecrire/numero/", "/ecrire/verifier/", "/ecrire/", "/"])
def test_les_autres_pages_n_en_ont_pas(visiteuse, settings, adresse):
    settings.PORTAIL_TELEPHONE_EXIGE = True
    fabriques.orientation(FAITS["type"])
    visiteuse.remplir()

    assert plis(visiteuse.lire(adresse)) == []


@pytest.mark.parametrize(
    ("langue", "textes", "lu"),
    [
        ("fr", {"texte_en": "Keep it."}, ("fr", "<p>Gardez les preuves.</p>")),
        ("en", {"texte_en": "Keep it."}, ("en", "<p>Keep it.</p>")),
        ("en", {}, ("fr", "<p>Gardez les preuves.</p>")),
        ("fr", {"texte_fr": "", "texte_en": "Keep it."}, ("en", "<p>Keep it.</p>")),
    ],
)
def test_c_est_la_langue_de_qui_lit_puis_l_autre_et_la_page_le_dit(visiteuse, langue, textes, lu):
    fabriques.orientation(FAITS["type"], **textes)
    visiteuse.signaler()

    pages = ["/ecrire/faits/", "/recu/", "/dossiers/1/"]

    lues = [re.sub("’", "'", visiteuse.lire(page, headers={"Accept-Language": langue})) for page in pages]
    assert [[(une, dit) for _t, une, dit in PLI.findall(page)] for page in lues] == [[lu]] * 3


def test_le_recu_et_le_dossier_montrent_celui_de_leur_type(visiteuse):
    fabriques.orientation(FAITS["type"], texte_fr="Gardez les messages.")
    fabriques.orientation("VOL", texte_fr="Gardez la facture.")

    visiteuse.signaler()
    visiteuse.remplir(type="VOL")
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    du_vol, des_messages = ("fr", "<p>Gardez la facture.</p>"), ("fr", "<p>Gardez les messages.</p>")
    assert plis(visiteuse.lire("/recu/")) == [du_vol]
    assert [plis(visiteuse.lire(f"/dossiers/{rang}/")) for rang in (1, 2)] == [[des_messages], [du_vol]]
    assert plis(visiteuse.lire("/dossiers/")) == []


def test_un_compte_les_lit_de_meme(visiteuse):
    fabriques.orientation("VOL")
    visiteuse.se_connecter(comptes.compte(email="awa@campus.test"))
    visiteuse.ecrire_en_son_nom(type="VOL")

    assert [len(plis(visiteuse.lire(page))) for page in ("/recu/", "/dossiers/1/")] == [1, 1]


def test_sans_texte_aucune_page_n_en_parle(visiteuse):
    fabriques.orientation("VIOLENCE" if FAITS["type"] != "VIOLENCE" else "VOL")
    visiteuse.signaler()

    pages = [visiteuse.lire(page) for page in ("/recu/", "/dossiers/1/", "/acces/code/?changer")]

    assert [SOMMAIRE in page for page in pages] == [False] * 3


def test_l_onglet_ne_dit_rien_du_dossier(visiteuse):
    fabriques.orientation(FAITS["type"])
    visiteuse.signaler()

    onglets = [
        re.search("<title>(.*?)</title>", visiteuse.lire(page))[1]
        for page in ("/ecrire/faits/", "/recu/", "/dossiers/1/")
    ]

    assert onglets == ["Écrire · Campus", "Espace · Campus", "Espace · Campus"]


def test_rien_de_ce_qui_est_ecrit_ne_s_execute(visiteuse):
    fabriques.orientation(FAITS["type"], texte_fr='</details><script>alert(1)</script> <a href="//x">112</a>')
    visiteuse.signaler()

    for page in ("/ecrire/faits/", "/recu/", "/dossiers/1/"):
        servie = visiteuse.get(page).content.decode()
        assert "<script>alert" not in servie
        assert 'href="//x"' not in servie


# Of a case, the automatic acknowledgement is read too: the advice may be in it.
@pytest.mark.parametrize(("page", "lectures"), [("/ecrire/faits/", 1), ("/recu/", 2), ("/dossiers/1/", 2)])
def test_une_orientation_et_six_coutent_autant(visiteuse, page, lectures):
    visiteuse.signaler()

    def demandees():
        with CaptureQueriesContext(connection) as requetes:
            assert visiteuse.get(page).status_code == 200
        return len(requetes), len([r for r in requetes if "reponses_" in r["sql"]])

    sans = demandees()
    for type_ in TYPES_CONNUS:
        fabriques.orientation(type_, texte_en="Keep it.")

    assert sans == demandees()
    assert sans[1] == lectures
    assert Orientation.objects.count() == len(TYPES_CONNUS)
