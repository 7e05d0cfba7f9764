"""Every text has its English."""

import ast
import gettext
import re
from datetime import datetime
from pathlib import Path

import polib
import pytest
from django.conf import settings as reglages
from django.forms import DateField
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation.template import templatize

pytestmark = pytest.mark.django_db

FONCTIONS = {"gettext": 1, "gettext_lazy": 1, "gettext_noop": 1, "ngettext": 2, "ngettext_lazy": 2}
RACINE = Path(reglages.BASE_DIR)
CATALOGUE = RACINE / "config" / "locale" / "en" / "LC_MESSAGES" / "django.po"
MARQUES = re.compile(r"%\(\w+\)[ds]|%[ds]|\{\w*\}")


def textes_a_traduire() -> dict[str, str]:
    """Every text that the code or a template gives to gettext, with where it was met first."""
    textes: dict[str, str] = {}
    for fichier in [*sorted(RACINE.glob("*/**/*.py")), *sorted(RACINE.glob("templates/**/*.*"))]:
        lieu = fichier.relative_to(RACINE)
        if lieu.parts[0].startswith(".") or {"tests", "migrations", "data"} & set(lieu.parts):
            continue
        lu = fichier.read_text(encoding="utf-8")
        for texte in textes_de(ast.parse(lu)) if fichier.suffix == ".py" else textes_d_un_gabarit(lu):
            textes.setdefault(texte, str(lieu))
    return textes


def textes_d_un_gabarit(gabarit: str) -> list[str]:
    """A plural is two of them: `ngettext('…', '…', n)`."""
    appels = re.finditer(r"(?:gettext|\b_)\((u?(['\"]).*?\2)(?:, ?(u?(['\"]).*?\4),[^)]*)?\)", templatize(gabarit))
    return [ast.literal_eval(texte) for appel in appels for texte in appel.group(1, 3) if texte]


def hors_des_textes(gabarit: str) -> str:
    """The template without its tags, its comments and the texts that it gives to gettext."""
    sans = re.sub(r"(?s){% blocktrans.*?endblocktrans(?:late)? %}|{% comment.*?endcomment %}|{#.*?#}", "", gabarit)
    return re.sub(r"{%.*?%}", "", sans)


def textes_de(arbre: ast.Module) -> list[str]:
    noms = {
        alias.asname or alias.name: FONCTIONS[alias.name]
        for noeud in ast.walk(arbre)
        if isinstance(noeud, ast.ImportFrom) and noeud.module == "django.utils.translation"
        for alias in noeud.names
        if alias.name in FONCTIONS
    }
    return [
        argument.value
        for noeud in ast.walk(arbre)
        if isinstance(noeud, ast.Call) and isinstance(noeud.func, ast.Name) and noeud.func.id in noms
        for argument in noeud.args[: noms[noeud.func.id]]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def catalogue() -> dict[str, str]:
    """`text: translation` of what is translated for good, plurals as texts of their own."""
    entrees = [e for e in polib.pofile(str(CATALOGUE)) if e.translated() and "fuzzy" not in e.flags]
    simples = {e.msgid: e.msgstr for e in entrees if not e.msgid_plural}
    nombres = [e for e in entrees if e.msgid_plural]
    return (
        simples | {e.msgid: e.msgstr_plural[0] for e in nombres} | {e.msgid_plural: e.msgstr_plural[1] for e in nombres}
    )


def test_les_textes_se_trouvent_dans_le_code_et_dans_les_gabarits():
    lieux = set(textes_a_traduire().values())

    assert {"socle/erreurs.py", "signalements/views.py", "templates/mails/invitation.txt"} <= lieux


def test_chaque_texte_a_sa_traduction_anglaise():
    traduits = catalogue()
    manquants = {texte: lieu for texte, lieu in textes_a_traduire().items() if texte not in traduits}

    assert manquants == {}, "\n".join(f"{lieu}  {texte}" for texte, lieu in manquants.items())


def test_aucune_traduction_ne_sert_plus_a_rien():
    assert catalogue().keys() - textes_a_traduire().keys() == set()


def test_le_catalogue_compile_est_celui_que_l_on_lit():
    with CATALOGUE.with_suffix(".mo").open("rb") as fichier:
        compile_ = gettext.GNUTranslations(fichier)

    perimes = {texte for texte, anglais in catalogue().items() if anglais not in set(compile_._catalog.values())}

    assert perimes == set(), "compilez django.po"


def test_une_traduction_garde_les_memes_valeurs_a_remplir():
    faussees = {
        texte: anglais
        for texte, anglais in catalogue().items()
        if set(MARQUES.findall(texte)) != set(MARQUES.findall(anglais))
    }

    assert faussees == {}


def test_les_dates_anglaises_sont_celles_du_royaume_uni():
    quand = datetime(2026, 11, 27, 14, 5)

    with translation.override("en"):
        ecrites = [date_format(quand, nom) for nom in ("DATE_FORMAT", "TIME_FORMAT", "DATETIME_FORMAT")]
        lues = {DateField().clean(tapee) for tapee in ("27/11/2026", "2026-11-27", "27 November 2026", "27 Nov 2026")}

    assert lues == {quand.date()}
    assert ecrites == ["27 November 2026", "14:05", "27 November 2026, 14:05"]


def test_chaque_pluriel_se_compte_comme_en_francais():
    """Without its entry in the French catalogue, a text would count as English does: « 0 dossiers »."""
    anglais, francais = polib.pofile(str(CATALOGUE)), polib.pofile(str(CATALOGUE).replace("/en/", "/fr/"))
    pluriels = {(e.msgid, e.msgid_plural) for e in anglais if e.msgid_plural}

    assert {(e.msgid, e.msgid_plural): e.msgstr_plural for e in francais if e.msgid_plural} == {
        (un, plusieurs): {0: un, 1: plusieurs} for un, plusieurs in pluriels
    }
    with translation.override("fr"):
        assert translation.ngettext("%(n)s dossier", "%(n)s dossiers", 0) == "%(n)s dossier"


def test_deux_points_ne_suit_une_balise_que_traduit():
    """The space before it is French: « Ouvrir : un titre », “Open: a title”."""
    nus = [
        f"{gabarit.relative_to(RACINE)}: {trouve[0]}"
        for gabarit in sorted((RACINE / "templates").rglob("*.html"))
        if "admin" not in gabarit.parts
        for trouve in re.finditer(r"<span[^>]*> ?:[^<]{0,40}", gabarit.read_text(encoding="utf-8"))
    ]
    assert nus == []


def test_aucun_gabarit_n_ecrit_lui_meme_les_deux_points_du_francais():
    ecrits = [
        f"{fichier.relative_to(RACINE)}: {ligne.strip()[:80]}"
        for fichier in sorted(RACINE.glob("templates/**/*.html"))
        if fichier.relative_to(RACINE).parts[1] in ("espace", "admin", "blocs", "personnes", "pages")
        for ligne in hors_des_textes(fichier.read_text(encoding="utf-8")).splitlines()
        if re.search(r"(?:\}\}|>|^)[^<{]* : ", ligne)
    ]

    assert ecrits == []
