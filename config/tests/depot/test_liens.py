"""What the documentation names exists: pages, files, tests, commands, and the code that it shows."""

import re
from functools import cache
from pathlib import Path

import pytest

from config.tests.depot.test_documentation import BLOC, texte
from config.tests.outils.serveur import RACINE

DOCUMENTS = sorted(
    page.relative_to(RACINE).as_posix()
    for page in [*RACINE.glob("*.md"), *(RACINE / "docs").rglob("*.md"), *RACINE.glob("socle/*/*.md")]
)
EXEMPLES = [
    pytest.param(chemin, lignes, id=f"{nom}-{chemin}")
    for nom in DOCUMENTS
    for langue, corps in BLOC.findall(texte(nom))
    if langue == "python"
    for chemin, lignes in re.findall(r"^# (\S+\.py)\n(.*?)(?=^# \S+\.py\n|\Z)", corps, re.MULTILINE | re.DOTALL)
]
# Folders that git, a tool or a running service makes.
PRODUITS = {".git", ".venv", ".venv-next", "build", "data", "var", "media", "staticfiles"}
SUFFIXES = {".py", ".toml", ".ini", ".md", ".in", ".js", ".po", ".yml", ".yaml"}


@pytest.mark.parametrize("nom", DOCUMENTS)
def test_chaque_lien_mene_quelque_part(nom):
    for cible in re.findall(r"\]\(([^)]+)\)", BLOC.sub("", texte(nom))):
        if cible.startswith(("http://", "https://")):
            continue
        fichier, _, ancre = cible.partition("#")
        vise = (RACINE / nom).parent / fichier if fichier else RACINE / nom
        assert vise.exists(), cible
        assert not ancre or ancre in _ancres(vise), cible


def test_on_arrive_a_chaque_page_depuis_le_readme():
    lues, a_lire = set(), [RACINE / "README.md"]
    while a_lire:
        page = a_lire.pop()
        lues.add(page)
        liens = re.findall(r"\]\(([^)#]+\.md)[)#]", page.read_text(encoding="utf-8"))
        a_lire.extend({(page.parent / lien).resolve() for lien in liens if "://" not in lien} - lues)

    assert {nom for nom in DOCUMENTS if RACINE / nom not in lues} == set()


@pytest.mark.parametrize("nom", DOCUMENTS)
def test_chaque_fichier_cite_existe(nom):
    for cite in _mots_de_code(nom):
        racine, barre, _reste = cite.partition("/")
        if barre and racine and racine not in PRODUITS and (RACINE / racine).is_dir():
            assert any(RACINE.glob(cite.rstrip("/"))), cite
        elif not barre and Path(cite).suffix in SUFFIXES and "." not in Path(cite).stem:
            assert cite in _noms_de_fichiers(), cite


@pytest.mark.parametrize("nom", DOCUMENTS)
def test_chaque_test_cite_existe(nom):
    for cite in _mots_de_code(nom):
        if re.fullmatch(r"test_\w+", cite):
            assert cite in _noms_de_tests(), cite


@pytest.mark.parametrize("nom", DOCUMENTS)
def test_chaque_commande_citee_est_dans_le_makefile(nom):
    cibles = set(re.findall(r"^([a-z-]+):", texte("Makefile"), re.MULTILINE))

    assert set(re.findall(r"`make ([a-z-]+)", texte(nom))) - cibles == set()


@pytest.mark.parametrize(("chemin", "lignes"), EXEMPLES)
def test_chaque_exemple_est_dans_le_code(chemin, lignes):
    """Its lines are in the file that it names, in their order; more may be between, and nothing is where « … » is."""
    du_fichier = iter([ligne.strip() for ligne in texte(chemin).splitlines()])

    for ligne in filter(None, map(str.strip, lignes.splitlines())):
        assert ligne == "…" or ligne in du_fichier, ligne


def test_chaque_mot_du_lexique_est_dans_le_code():
    lignes = [ligne.strip("|").split("|") for ligne in texte("docs/lexique.md").splitlines() if ligne.startswith("| `")]

    assert len(lignes) > 50
    for mots, _anglais, ou in lignes:
        (fichier,) = re.findall(r"`(.*?)`", ou)
        for mot in re.findall(r"`(.*?)`", mots):
            assert re.search(rf"(?<![a-zA-Z]){mot}(?![a-zA-Z])", texte(fichier)), (mot, fichier)


def test_chaque_decision_dit_pourquoi_et_ce_qu_elle_coute():
    pages = sorted((RACINE / "docs" / "decisions").glob("[0-9]*.md"))

    assert [page.name[:4] for page in pages] == [f"{rang:04}" for rang in range(1, len(pages) + 1)]
    for page in pages:
        titres = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert titres == ["Contexte", "Décision", "Conséquences"], page.name


def _mots_de_code(nom: str) -> list[str]:
    """What stands between single backquotes and is one word."""
    return re.findall(r"(?<!`)`([\w./*-]+)`(?!`)", texte(nom))


@cache
def _fichiers() -> list[Path]:
    pieces = [piece for piece in RACINE.iterdir() if piece.name not in PRODUITS]
    return [chemin for piece in pieces for chemin in (piece, *piece.rglob("*"))]


@cache
def _noms_de_fichiers() -> set[str]:
    return {chemin.name for chemin in _fichiers()}


@cache
def _noms_de_tests() -> set[str]:
    fichiers = [chemin for chemin in _fichiers() if re.fullmatch(r"test_\w+\.py", chemin.name)]
    fonctions = {f for fichier in fichiers for f in re.findall(r"def (test_\w+)", fichier.read_text(encoding="utf-8"))}
    return fonctions | {fichier.stem for fichier in fichiers}


def _ancres(fichier: Path) -> set[str]:
    titres = re.findall(r"^#+ (.*)$", fichier.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", titre.lower()).replace(" ", "-") for titre in titres}
