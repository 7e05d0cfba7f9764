"""The documentation says what the service does: its tables are complete, its examples are run."""

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings

from config.tests.outils import document
from config.tests.outils.serveur import RACINE, Prise, Serveur
from socle.erreurs import ErreurMetier

BLOC = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What changes at each run: the example shows one value, the run has another of the same form.
FORMES = [
    re.compile(motif)
    for motif in (
        r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        r"[0-9a-f]{32}",
        r"SIG-\d{4}-[0-9A-Z]{8}",
        r"\d{4}-\d\d-\d\dT[\d:.]+Z",
        r"eyJ[\w.-]+",
        r"\d{1,18}",
        r"\d+(\.\d+\.\d+|\+unknown)",
        r"https?://[\w.:-]+/api/v1/calendriers/flux\.ics\?cle=[\w.-]+",
        r"https?://[\w.:-]+/api/v1/stats/exports/[\w-]+/fichier\?jeton=[\w.:%-]+",
    )
]


def texte(nom: str) -> str:
    return (RACINE / nom).read_text(encoding="utf-8")


def cellules(nom: str, colonne: int) -> Iterator[str]:
    """This column of every table row of the document."""
    for ligne in texte(nom).splitlines():
        if ligne.startswith("|"):
            yield ligne.strip("|").split("|")[colonne].strip()


SANS_DEFAUT_SIMPLE = {
    *("env.texte", "_secret", "env.base_de_donnees", "env.liste", "env.url", "env.lire", "env.oui_ou_non"),
}


# --- Tables ---------------------------------------------------------------------------------------------------------


def test_chaque_reglage_est_dans_le_tableau_avec_son_defaut():
    documentes = dict(re.findall(r"^\| `([A-Z0-9_]+)` \| (.*?) \|", texte("docs/reglages.md"), re.MULTILINE))

    attendus = dict(_reglages()) | {f"THROTTLE_{nom.upper()}": None for nom in settings.THROTTLES}
    assert documentes.keys() == attendus.keys()
    ecarts = {nom: defaut for nom, defaut in attendus.items() if defaut and f"`{defaut}`" != documentes[nom]}
    assert ecarts == {}


def test_chaque_cadence_est_documentee_avec_son_defaut():
    documentes = dict(re.findall(r"^\| `THROTTLE_([A-Z_]+)` \| `(.*?)` \|", texte("docs/reglages.md"), re.MULTILINE))
    source = ast.parse(texte("config/settings.py"))
    tables = [n for n in ast.walk(source) if isinstance(n, ast.Dict) and "guest_session_address" in ast.unparse(n)]

    defauts = ast.literal_eval(tables[0])

    assert documentes == {"ENABLED": "true"} | {nom.upper(): taux for nom, taux in defauts.items()}


def test_chaque_route_est_dans_le_tableau():
    documentees = re.findall(r"^\| ([A-Z]+) \| `(.*?)`", texte("docs/api.md"), re.MULTILINE)

    decrites = {
        (methode.upper(), chemin.removeprefix("/api/v1"))
        for chemin, operations in document()["paths"].items()
        for methode in operations
    }
    # The table writes them as the contract does; the service answers with and without the slash.
    assert {(methode, chemin.rstrip("/")) for methode, chemin in documentees} == decrites
    assert len(documentees) == len(decrites)


def test_chaque_code_d_erreur_est_dans_le_tableau():
    documentes = set(re.findall(r"^\| (\d{3}) \| ([A-Z_]+) \|", texte("docs/api.md"), re.MULTILINE))

    leves = {(str(classe.statut_http), classe.code) for classe in _descendantes(ErreurMetier)}
    assert documentes == leves


def test_chaque_evenement_publie_est_nomme():
    publies = {type_ for fichier in RACINE.glob("*/events.py") for type_ in _types_d_evenements(fichier)}

    assert {"signalement_created", "signalement_note_added", "poste_created", "system_alert"} <= publies
    assert {type_ for type_ in publies if f"`{type_}`" not in texte("docs/api.md")} == set()


def test_chaque_test_qu_une_promesse_nomme_existe():
    nommes = re.findall(r"`([a-z_/]+/tests/[a-z_/]*(?:\.py)?)`", texte("docs/promesses.md"))

    assert len(nommes) > 50
    assert [nom for nom in nommes if not (RACINE / nom).exists()] == []


def test_chaque_commande_du_makefile_est_expliquee():
    cibles = re.findall(r"^([a-z-]+):.*## ", texte("Makefile"), re.MULTILINE)

    assert {cible for cible in cibles if f"`make {cible}`" not in texte("CONTRIBUTING.md")} == set()


def _reglages() -> Iterator[tuple[str, str | None]]:
    """Each variable that the settings read, with its default where that is a plain number, word or flag."""
    for appel in ast.walk(ast.parse(texte("config/settings.py"))):
        if not isinstance(appel, ast.Call) or not appel.args or not isinstance(appel.args[0], ast.Constant):
            continue
        fonction, nom = ast.unparse(appel.func), appel.args[0].value
        if fonction in SANS_DEFAUT_SIMPLE:
            yield nom, None
        elif fonction in ("env.entier", "env.booleen", "env.choix"):
            defaut = ast.literal_eval(appel.args[1])
            yield nom, str(defaut).lower() if isinstance(defaut, bool) else str(defaut)


def _types_d_evenements(fichier: Path) -> set[str]:
    """The words that stand first in a call of a function, or under `type=`."""
    appels = [noeud for noeud in ast.walk(ast.parse(fichier.read_text())) if isinstance(noeud, ast.Call)]
    premiers = [a.args[0] for a in appels if a.args and isinstance(a.func, ast.Name)]
    nommes = [mot.value for a in appels for mot in a.keywords if mot.arg == "type"]
    dits = [noeud.value for noeud in premiers + nommes if isinstance(noeud, ast.Constant)]
    return {dit for dit in dits if isinstance(dit, str) and re.fullmatch(r"[a-z]+(_[a-z]+)+", dit)}


def _descendantes(classe: type) -> Iterator[Any]:
    for fille in classe.__subclasses__():
        if ".tests." not in f".{fille.__module__}":
            yield fille
            yield from _descendantes(fille)


# --- Examples -------------------------------------------------------------------------------------------------------


@pytest.fixture
def serveur(tmp_path: Path) -> Iterator[Serveur]:
    """What `make run` starts, on a port and in a folder of its own."""
    serveur = Serveur(tmp_path)
    try:
        serveur.demarrer()
        yield serveur
    finally:
        serveur.tuer()


@pytest.mark.parcours
def test_les_lignes_du_readme_marchent_telles_quelles(serveur):
    if not shutil.which("curl"):
        pytest.skip("demande curl")
    lignes = next(corps for langue, corps in BLOC.findall(texte("README.md")) if "curl" in corps)
    assert lignes.count("curl") == 5
    script = lignes.replace("http://127.0.0.1:8000", serveur.url)

    fait = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=30)  # noqa: S603, S607

    assert fait.returncode == 0, fait.stderr
    trouve, suivi = (json.loads(ligne)["data"] for ligne in fait.stdout.replace("}{", "}\n{").splitlines())
    assert trouve["total"] == 1
    assert trouve["items"][0]["reference"] == suivi["reference"]


@pytest.mark.parcours
def test_les_exemples_de_l_api_se_passent_comme_ecrits(serveur):
    lecteur = Lecteur(serveur)

    for langue, corps in BLOC.findall(texte("docs/api.md")):
        lecteur.lectures[langue](corps)

    assert lecteur.demandes > 15


class Lecteur:
    """Plays the examples in their order; what a run has instead of the values shown is learnt and used after."""

    def __init__(self, serveur: Serveur) -> None:
        self.serveur = serveur
        self.demandes = 0
        self._appris: dict[str, str] = {}
        self._reponse: httpx.Response | None = None
        self._prise: Prise | None = None
        self.lectures = {
            "http": self.demander,
            "json": self.comparer,
            "ics": self.comparer_les_lignes,
            "ws": self.ecouter,
        }

    def demander(self, corps: str) -> None:
        """`METHOD path`, headers, an empty line, a body."""
        assert self._reponse is None, "une réponse n'est pas montrée"
        tete, _, contenu = self._traduire(corps).partition("\n\n")
        demande, *entetes = tete.strip().splitlines()
        methode, _, chemin = demande.partition(" ")
        self._reponse = httpx.request(
            methode,
            chemin if chemin.startswith("http") else self.serveur.url + chemin,
            headers=dict(entete.split(": ", 1) for entete in entetes),
            content=(
                contenu.strip() if "multipart" not in tete else f"{contenu.strip()}\n".replace("\n", "\r\n")
            ).encode(),
            timeout=10,
        )
        self.demandes += 1

    def comparer(self, corps: str) -> None:
        assert self._reponse is not None, "une réponse sans demande"
        attendu, recu = json.loads(corps), self._reponse.json()
        assert attendu["statusCode"] == self._reponse.status_code, recu
        self._confronter(attendu, recu, "")
        self._reponse = None

    def comparer_les_lignes(self, corps: str) -> None:
        """All the lines that are shown, in their order; more may be between."""
        assert self._reponse is not None, "une réponse sans demande"
        recues = iter(self._reponse.text.splitlines())
        for ligne in corps.splitlines():
            assert ligne in recues, (ligne, self._reponse.text)
        self._reponse = None

    def ecouter(self, corps: str) -> None:
        """`GET path` opens a socket, `<` is heard, `>` is said, `!` is the code of its end."""
        for ligne in corps.splitlines():
            signe, _, reste = ligne.partition(" ")
            if signe == "GET":
                self._prise = Prise(self.serveur.url.replace("http", "ws", 1) + self._traduire(reste))
                continue
            assert self._prise is not None
            if signe == ">":
                self._prise.dire(reste)
            elif signe == "!":
                assert self._prise.code_de_fermeture() == int(reste)
            elif reste.startswith("{"):
                self._confronter(json.loads(reste), json.loads(self._prise.entendre()), "")
            else:
                assert self._prise.entendre() == reste

    def _traduire(self, exemple: str) -> str:
        for montre, vrai in self._appris.items():
            exemple = exemple.replace(montre, vrai)
        return exemple

    def _confronter(self, attendu: Any, recu: Any, ou: str) -> None:
        """All that is shown is there; more may be."""
        if isinstance(attendu, dict):
            assert attendu.keys() <= recu.keys(), ou
            for cle, valeur in attendu.items():
                self._confronter(valeur, recu[cle], f"{ou}.{cle}")
        elif isinstance(attendu, list):
            assert len(attendu) == len(recu), (ou, recu)
            for rang, valeur in enumerate(attendu):
                self._confronter(valeur, recu[rang], f"{ou}.{rang}")
        elif not self._meme_forme(attendu, recu):
            assert self._traduire(attendu) == recu if isinstance(attendu, str) else attendu == recu, ou

    def _meme_forme(self, attendu: Any, recu: Any) -> bool:
        """A value that changes at each run: the same example stands for the same value all along."""
        forme = next((f for f in FORMES if isinstance(attendu, str) and f.fullmatch(attendu)), None)
        if forme is None:
            return False
        assert isinstance(recu, str), attendu
        assert forme.fullmatch(recu), (attendu, recu)
        est_une_date = "T" in attendu and attendu.endswith("Z") and ":" in attendu
        if not est_une_date:
            prefixe = "depuis=" if attendu.isdigit() else ""
            assert self._appris.setdefault(prefixe + attendu, prefixe + recu) == prefixe + recu, attendu
        return True
