"""The admin site speaks the language of its reader, and never one in the other."""

import gettext
import html
import re
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.contrib.admin import __file__ as admin_de_django
from django.contrib.admin import site
from django.contrib.admin.utils import flatten_fieldsets, label_for_field
from django.test import RequestFactory
from django.utils.translation import override

from accounts.tests.outils import entrer
from config.tests.outils import acteur_de
from resources.tests import fabriques

# Written alike in French and in English.
MEMES = {
    "action",
    "date",
    "description",
    "e-mail",
    "export",
    "exports",
    "format",
    "invitation",
    "invitations",
    "participants",
    "places",
    "question",
    "session",
    "sessions",
    "type",
    "types",
}
CATALOGUE = Path("locale", "fr", "LC_MESSAGES", "django.po")
NOTRE = settings.BASE_DIR / "config" / CATALOGUE
SIEN = Path(admin_de_django).parent / CATALOGUE
MARQUES = re.compile(r"%\(\w+\)[ds]|%s|\{\w+\}")


@pytest.fixture
def requete(admin):
    requete = RequestFactory().get("/admin/")
    requete.user = admin
    return requete


def textes(requete, langue):
    """What names each table, column, field, filter, action and hint of the site: `{place: text}`."""
    with override(langue):
        return {place: str(texte) for place, texte in _textes(requete)}


def _textes(requete):
    for modele, table in site._registry.items():
        ici, ligne = modele._meta.label, modele()
        yield ici, modele._meta.verbose_name
        yield f"{ici}, au pluriel", modele._meta.verbose_name_plural
        noms = {*table.get_list_display(requete), *flatten_fieldsets(table.get_fieldsets(requete, ligne))}
        noms |= {filtre for filtre in table.list_filter if isinstance(filtre, str)}
        for nom in noms - {"__str__", "action_checkbox"}:
            yield f"{ici}.{nom}", label_for_field(nom, modele, table)
        for filtre in [filtre for filtre in table.list_filter if isinstance(filtre, type)]:
            yield f"{ici}, filtre {filtre.__name__}", filtre.title
        for nom, (_acte, _nom, texte) in table.get_actions(requete).items():
            yield f"{ici}, action {nom}", texte
        champs = table.get_form(requete, ligne, change=True).base_fields
        for nom, aide in [(nom, champ.help_text) for nom, champ in champs.items() if champ.help_text]:
            yield f"{ici}.{nom}, aide", aide


def test_chaque_nom_de_l_espace_se_dit_dans_les_deux_langues(requete):
    francais, anglais = textes(requete, "fr"), textes(requete, "en")

    assert {"accounts.Compte.email", "resources.Faq.categorie, aide", "forum.Poste, action rejeter"} <= set(francais)
    memes = {place: texte for place, texte in francais.items() if anglais[place] == texte}
    assert {place: texte for place, texte in memes.items() if texte.lower() not in MEMES} == {}


@pytest.mark.parametrize("place", ["resources.ContactUrgence.nom", "resources.Fichier.nom_montre"])
def test_le_nom_d_une_chose_n_est_pas_celui_d_une_personne(requete, place):
    anglais = textes(requete, "en")

    assert (anglais[place], anglais["accounts.Compte.nom"]) == ("name", "last name")


def test_ou_est_un_evenement_et_combien_y_tiennent_ne_se_disent_pas_du_meme_mot(requete):
    anglais = textes(requete, "en")
    evenement = "calendrier.EvenementCampus"

    assert (anglais[f"{evenement}.lieu"], anglais[f"{evenement}.nb_max_participants"]) == ("where", "places")


@pytest.mark.parametrize(("langue", "dit"), [("fr", {"oui", "non", "Rechercher"}), ("en", {"yes", "no", "Search"})])
def test_une_image_se_lit_dans_la_langue_de_la_page(gestionnaire, langue, dit):
    fabriques.faq(publiee=True)
    fabriques.faq(publiee=False)

    page = entrer(gestionnaire.email).get("/admin/resources/faq/", headers={"Accept-Language": langue})

    assert set(re.findall(r'<img [^>]*alt="([^"]*)"', page.content.decode())) == dit


# --- Words of ours --------------------------------------------------------------------------------------------------


@pytest.fixture
def lire(admin):
    client = entrer(admin.email)

    def lire(chemin, langue="fr"):
        return html.unescape(client.get(chemin, headers={"Accept-Language": langue}).content.decode())

    return lire


@pytest.mark.parametrize(
    ("langue", "dit"), [("fr", "0 question fréquente\n"), ("en", "0 frequently asked questions\n")]
)
def test_une_liste_vide_se_compte_dans_la_langue_de_la_page(lire, langue, dit):
    assert dit in lire("/admin/resources/faq/", langue)


def test_les_codes_se_lisent_en_mots_dans_les_listes_et_leurs_filtres(lire, admin, participation):
    fabriques.faq(categorie="GENERAL")
    fabriques.faq(categorie="PORTAIL_EN")
    fabriques.ressource(admin, file_id=fabriques.fichier(acteur_de(admin)).pk)
    evenements, ressources = lire("/admin/calendrier/evenementcampus/"), lire("/admin/resources/ressource/")
    faqs, fichiers = lire("/admin/resources/faq/"), lire("/admin/resources/fichier/")

    assert {"Conférence", "Atelier"} <= set(re.findall(r">([^<>]+)</a>", evenements))
    assert not re.search(r">\s*(ATELIER|CONFERENCE|FORMATION|REUNION)\s*<", evenements)
    assert not re.search(r">\s*(GUIDE|DOCUMENT|image/\w+|application/\w+)\s*<", ressources + fichiers)
    assert sorted(re.findall(r'field-categorie_dite">([^<]*)<', faqs)) == ["En général", "PORTAIL_EN"]
    assert ">En général</a>" in faqs


def test_une_question_pour_toutes_les_langues_n_est_pas_toutes_les_questions(lire):
    fabriques.faq()

    filtre = lire("/admin/resources/faq/?_facets=True").partition("Par langue")[2].partition("</ul>")[0]

    choix = [" ".join(un.split()) for un in re.findall(r"<a [^>]*>([^<]*)</a>", filtre)]
    assert choix == ["Tout", "Pour toutes les langues (1)", "Français (0)", "English (0)"]


def test_un_historique_dit_ce_qui_fut_modifie_sans_article(lire, admin):
    faq = fabriques.faq(publiee=False)
    entrer(admin.email).post(
        "/admin/resources/faq/", {"action": "publier", "_selected_action": [str(faq.pk)]}, follow=True
    )

    assert re.search(r"Modification\s: publiée\.", lire(f"/admin/resources/faq/{faq.pk}/history/"))


# --- What Django's own French says badly ----------------------------------------------------------------------------


def dits(catalogue):
    """Text -> what is said instead; a plural, which is ours, says itself (`test_traductions.py`)."""
    return {entree.msgid: entree.msgstr for entree in polib.pofile(str(catalogue)) if not entree.msgid_plural}


def test_le_francais_que_l_on_recrit_est_de_ceux_que_django_dit():
    notre, sien = dits(NOTRE), dits(SIEN)

    assert notre.keys() - sien.keys() == set()
    assert {texte for texte, dit in notre.items() if dit == sien[texte]} == set()
    assert {texte for texte, dit in notre.items() if set(MARQUES.findall(dit)) - set(MARQUES.findall(texte))} == set()


def test_le_catalogue_francais_compile_est_celui_que_l_on_lit():
    with NOTRE.with_suffix(".mo").open("rb") as fichier:
        compile_ = gettext.GNUTranslations(fichier)

    assert {texte: compile_.gettext(texte) for texte in dits(NOTRE)} == dits(NOTRE), "compilez django.po"
    assert compile_.ngettext("%(n)s dossier", "%(n)s dossiers", 0) == "%(n)s dossier"
