"""The admin site speaks the language of its reader, and never one in the other."""

import gettext
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


@pytest.mark.parametrize(("langue", "dit"), [("fr", {"oui", "non", "Rechercher"}), ("en", {"yes", "no", "Search"})])
def test_une_image_se_lit_dans_la_langue_de_la_page(gestionnaire, langue, dit):
    fabriques.faq(publiee=True)
    fabriques.faq(publiee=False)

    page = entrer(gestionnaire.email).get("/admin/resources/faq/", headers={"Accept-Language": langue})

    assert set(re.findall(r'<img [^>]*alt="([^"]*)"', page.content.decode())) == dit


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
