"""The help page: contacts and questions in the reader's language, searched, by category."""

import re

import pytest

from portail.tests.outils import texte_de
from resources.models import ContactUrgence, Faq
from resources.tests import fabriques as aide

pytestmark = pytest.mark.django_db
EN_ANGLAIS = {"Accept-Language": "en"}


def questions(page):
    return re.findall(r"<summary>(.*?)</summary>", page.partition("</h1>")[2])


def chercher(visiteuse, mots, **options):
    return texte_de(visiteuse.envoyer("/aide/", {"search": mots}, **options))


def contacts(page):
    return re.findall(r"<strong><bdi>(.*?)</bdi>", page)


def test_les_questions_sont_par_categorie_dans_l_ordre_de_l_equipe(visiteuse):
    aide.faq(question="Comment ?", categorie="SIGNALER", ordre=1)
    aide.faq(question="Et mon compte ?", categorie="COMPTE", ordre=2)
    aide.faq(question="Sans témoin ?", categorie="SIGNALER", ordre=3)
    aide.faq(question="Une chambre ?", categorie="VIE_ETUDIANTE", ordre=4)

    page = visiteuse.lire("/aide/")

    assert re.findall(r'<h3 dir="auto">(.*?)</h3>', page) == ["Signaler", "Compte", "Vie etudiante"]
    assert questions(page) == ["Comment ?", "Sans témoin ?", "Et mon compte ?", "Une chambre ?"]


def test_d_une_seule_categorie_rien_n_est_dit(visiteuse):
    aide.faq(question="Comment ?")

    assert "<h3" not in visiteuse.lire("/aide/")


@pytest.mark.parametrize(
    ("langues", "en_francais", "en_anglais"),
    [
        (["", "", ""], "012", "012"),
        (["fr", "en", ""], "02", "12"),
        (["fr", "fr", ""], "012", "012"),
        (["en", "en", ""], "012", "012"),
        (["fr", "fr", "fr"], "012", "012"),
    ],
)
def test_on_lit_ce_qui_est_dans_sa_langue_sinon_tout(visiteuse, langues, en_francais, en_anglais):
    for rang, langue in enumerate(langues):
        aide.faq(question=f"Question {rang}", langue=langue, ordre=rang)
        aide.contact(nom=f"Contact {rang}", langue=langue, ordre=rang)

    for entetes, attendues in (({}, en_francais), (EN_ANGLAIS, en_anglais)):
        page = visiteuse.lire("/aide/", headers=entetes)
        assert questions(page) == [f"Question {rang}" for rang in attendues]
        assert contacts(page) == [f"Contact {rang}" for rang in attendues]


def test_ce_qui_est_dans_une_autre_langue_le_dit_a_qui_lit_a_voix_haute(visiteuse):
    aide.faq(question="Who reads?", langue="en")
    aide.contact(nom="Listening line", langue="en")

    page = visiteuse.lire("/aide/")

    assert '<details lang="en"><summary>Who reads?' in page
    assert '<li lang="en"><strong><bdi>Listening line' in page


def test_une_entree_retiree_ne_compte_pas_pour_une_langue(visiteuse):
    aide.faq(question="En français", langue="fr")
    aide.faq(question="A draft", langue="en", publiee=False)
    aide.faq(question="Who leads?", langue="en", categorie="PORTAIL_EN")

    assert questions(visiteuse.lire("/aide/", headers=EN_ANGLAIS)) == ["En français"]


@pytest.mark.parametrize(
    ("cherche", "trouvees"),
    [
        ("DELAI", ["Quel délai ?"]),
        ("deux jours", ["Quel délai ?"]),
        ("jours deux", ["Quel délai ?"]),
        ("rien de tel", []),
        ("", ["Quel délai ?", "Qui lit ?"]),
        ("\x00", ["Quel délai ?", "Qui lit ?"]),
        ('"', []),
        ("direction", []),
        ("brouillon", []),
    ],
)
def test_chercher_une_question(visiteuse, cherche, trouvees):
    aide.faq(question="Quel délai ?", reponse="Deux jours.", ordre=1)
    aide.faq(question="Qui lit ?", reponse="L'équipe.", ordre=2)
    aide.faq(question="Qui dirige ?", reponse="La direction.", categorie="PORTAIL")
    aide.faq(question="Un brouillon ?", publiee=False)
    aide.contact(nom="Cellule d'écoute", telephone="01 23 45 67 89", disponibilite="De 9 h à 17 h")

    page = chercher(visiteuse, cherche)

    assert questions(page) == trouvees
    assert ("Aucune question ne répond" in page) == (not trouvees)
    assert page.count("<details open>") == (len(trouvees) if cherche.strip("\x00") else 0)
    assert [mot for mot in ("Cellule d'écoute", 'href="tel:0123456789"', "De 9 h à 17 h") if mot not in page] == []


def test_ce_qui_est_cherche_ne_l_est_que_dans_ce_qui_se_lit(visiteuse):
    aide.faq(question="Le délai", langue="fr")
    aide.faq(question="Delai of answer", langue="en")

    assert questions(chercher(visiteuse, "delai")) == ["Le délai"]
    assert questions(chercher(visiteuse, "delai", headers=EN_ANGLAIS)) == ["Delai of answer"]
    assert questions(chercher(visiteuse, "answer")) == []


def test_une_recherche_trop_longue_rend_la_page_et_ce_qui_est_tape(visiteuse):
    aide.faq()
    aide.contact(nom="Cellule d'écoute")

    refus = visiteuse.envoyer("/aide/", {"search": "x" * 201})

    page = texte_de(refus)
    assert (refus.status_code, questions(page)) == (422, [])
    dits = ("Il y a un problème", "Cherchez avec 200 caractères au plus.", f'value="{"x" * 201}"', "Cellule d'écoute")
    assert [un for un in dits if un not in page] == []
    assert page.partition("</h1>")[2].index('href="tel:112"') < page.partition("</h1>")[2].index("<form")


def test_sans_question_il_n_y_a_rien_a_chercher(visiteuse, settings):
    assert "<form" not in visiteuse.lire("/aide/").partition("<main")[2].partition("</main>")[0]
    aide.faq()
    settings.PORTAIL_AIDE_PUBLIQUE = False

    assert 'name="search"' not in chercher(visiteuse, "lit")


@pytest.mark.parametrize(("demande", "requetes"), [(None, 2), ("question", 3)])
@pytest.mark.parametrize("nombre", [1, 9])
def test_la_page_coute_autant_pour_une_question_que_pour_neuf(
    visiteuse, django_assert_num_queries, demande, requetes, nombre
):
    for rang in range(nombre):
        aide.faq(question=f"Question {rang}", langue=["", "fr", "en"][rang % 3])
        aide.contact(nom=f"Contact {rang}")

    visiteuse.lire("/aide/")
    with django_assert_num_queries(requetes):
        visiteuse.lire("/aide/") if demande is None else chercher(visiteuse, demande)


def test_ce_qui_est_cherche_reste_dans_l_autre_langue_et_dans_aucune_adresse(visiteuse):
    aide.faq(question="Le délai")

    autre = visiteuse.envoyer("/aide/", {"search": "delai", "vers": "en"})

    assert '<html lang="en">' in texte_de(autre)
    assert 'value="delai"' in texte_de(autre)
    assert 'value="delai"' not in visiteuse.lire("/aide/?search=delai")


def test_ce_qui_existait_est_de_toutes_les_langues_et_l_api_n_en_dit_rien(api, etudiante):
    assert (aide.faq().langue, aide.contact().langue) == ("", "")
    Faq.objects.update(langue="en")
    ContactUrgence.objects.update(langue="en")

    (faq,) = api(etudiante).get("/api/v1/aide/faqs").json()["data"]
    (contact,) = api(etudiante).get("/api/v1/aide/contacts-urgence").json()["data"]

    assert list(faq) == ["id", "question", "reponse", "categorie", "ordre"]
    assert list(contact) == ["id", "nom", "description", "telephone", "email", "disponibilite", "ordre"]
