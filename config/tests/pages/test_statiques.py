"""Static files as a started service serves them: collected once, under their hashes, compressed, for a year."""

import gzip
import os
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse, HttpResponseNotFound
from django.test import RequestFactory, override_settings

from config import statiques
from config.tests.outils.serveur import Serveur

HACHEE = re.compile(r"\.[0-9a-f]{12}\.\w+$")
UN_AN = "max-age=31536000, public, immutable"
REFERENCE = re.compile(r"url\([\"']?([^)\"'#?]+)")


def installer() -> statiques.ParEmpreinte:
    """The middleware of a process that starts."""
    return statiques.ParEmpreinte(lambda requete: HttpResponseNotFound())


def demander(service: statiques.ParEmpreinte, chemin: str, **entetes: str) -> HttpResponse:
    return service(RequestFactory().get(chemin, headers=entetes))


@pytest.fixture(scope="module")
def rassembles(tmp_path_factory) -> Iterator[statiques.ParEmpreinte]:
    with override_settings(STATIC_ROOT=tmp_path_factory.mktemp("donnees") / "static", WHITENOISE_AUTOREFRESH=False):
        yield installer()


@pytest.mark.parametrize(
    "nom", ["campus/commun.css", "admin/css/base.css", "drf_spectacular_sidecar/redoc/bundles/redoc.standalone.js"]
)
def test_un_fichier_a_un_nom_qui_le_dit_un_an_de_garde_et_moins_d_octets(rassembles, nom):
    adresse = staticfiles_storage.url(nom)

    entier, comprime = (demander(rassembles, adresse, **{"Accept-Encoding": codage}) for codage in ("identity", "gzip"))

    assert HACHEE.search(adresse)
    assert (entier.status_code, entier["Cache-Control"], entier["Vary"]) == (200, UN_AN, "Accept-Encoding")
    assert comprime["Content-Encoding"] == "gzip"
    octets, court = entier.getvalue(), comprime.getvalue()
    assert gzip.decompress(court) == octets
    assert len(court) < len(octets) / 1.5


SCRIPTS = sorted(Path(settings.BASE_DIR).glob("*/static/campus/**/*.js"))


def test_les_scripts_d_une_page_sont_servis_tels_quels_et_tiennent_en_treize_kio(rassembles):
    poids, comprimes = {}, {}
    for source in SCRIPTS:
        adresse = staticfiles_storage.url(f"campus/{source.name}")
        assert HACHEE.search(adresse)
        servi, comprime = (
            demander(rassembles, adresse, **{"Accept-Encoding": codage}).getvalue() for codage in ("identity", "gzip")
        )
        assert servi == gzip.decompress(comprime) == source.read_bytes()
        poids[source.stem], comprimes[source.stem] = len(servi), len(comprime)

    # What one page asks for, at the most.
    du_portail = [{"quitter", autre} for autre in ("brouillon", "copier", "direct", "fichiers")]
    pages = [*du_portail, {"direct", "espace", "fichiers"}, {"documentation"}]
    assert set(poids) == set().union(*pages)
    for page in pages:
        assert sum(poids[nom] for nom in page) <= 13 * 1024, page
        assert sum(comprimes[nom] for nom in page) <= 5 * 1024, page


def test_nos_scripts_se_lisent_par_un_vieux_navigateur():
    """One word that it does not know, and the whole script is lost: what came after 2017 is looked for first."""
    trop_neufs = re.compile(r"\?\.[a-z(\[]|\?\?|catch \{|Object\.hasOwn\(|replaceChildren|\.at\(|#[a-z]+;|static \{")
    trouves = {s.name: trop_neufs.findall(s.read_text(encoding="utf-8")) for s in SCRIPTS}

    assert not any(trouves.values()), trouves


def test_ce_qu_une_feuille_de_style_appelle_se_trouve_aussi_sous_son_empreinte(rassembles):
    adresse = staticfiles_storage.url("admin/css/forms.css")

    appelees = REFERENCE.findall(demander(rassembles, adresse).getvalue().decode())

    dossier = adresse.rpartition("/")[0]
    assert len(appelees) > 1
    for appelee in appelees:
        reponse = demander(rassembles, os.path.normpath(f"{dossier}/{appelee}"))
        assert (reponse.status_code, reponse["Cache-Control"]) == (200, UN_AN), appelee


@pytest.mark.parametrize("nom", ["campus/absent.css", "absent/", "campus/commun.css.map", "é.css"])
def test_un_nom_que_personne_ne_connait_reste_tel_quel(rassembles, nom):
    adresse = staticfiles_storage.url(nom)

    assert not HACHEE.search(adresse)
    assert demander(rassembles, adresse).status_code == 404


@pytest.mark.parametrize("chemin", ["/static/campus/commun.css", "/static/campus/commun.0123456789ab.css"])
def test_le_nom_nu_ou_celui_d_une_autre_version_est_servi_sans_etre_garde(rassembles, chemin):
    reponse = demander(rassembles, chemin)

    assert (reponse.status_code, reponse["Cache-Control"]) == (200, "max-age=60, public")
    assert b"--accent" in reponse.getvalue()


@pytest.mark.parametrize("chemin", ["/", "/staticcampus/commun.css", "/campus/commun.css", "/static/../settings.py"])
def test_le_reste_n_est_pas_un_fichier_statique(rassembles, chemin):
    assert demander(rassembles, chemin).status_code == 404


def test_les_tables_de_debogage_ne_sont_pas_rassemblees_et_se_lisent_encore(rassembles):
    table = "drf_spectacular_sidecar/redoc/bundles/redoc.standalone.js.map"

    assert list(Path(staticfiles_storage.location).rglob("*.map*")) == []
    assert demander(rassembles, f"/static/{table}").status_code == 200


# --- Collecting -----------------------------------------------------------------------------------------------------


@pytest.fixture
def rassemblements(monkeypatch) -> list[Path]:
    """The folders that were filled."""
    faits: list[Path] = []
    vrai = statiques._rassembler
    monkeypatch.setattr(statiques, "_rassembler", lambda dossier: faits.append(dossier) or vrai(dossier))
    return faits


def test_plusieurs_processus_qui_demarrent_ensemble_ne_rassemblent_qu_une_fois(tmp_path, settings, rassemblements):
    settings.STATIC_ROOT = tmp_path / "static"
    magasins = [statiques.Magasin() for _rang in range(4)]

    with ThreadPoolExecutor(4) as fils:
        list(fils.map(statiques.preparer, magasins))

    assert rassemblements == [Path(magasins[0].location)]
    assert len({magasin.url("campus/commun.css") for magasin in magasins}) == 1
    assert HACHEE.search(magasins[0].url("campus/commun.css"))
    assert [dossier.name for dossier in settings.STATIC_ROOT.iterdir()] == [statiques.etat()]


def test_le_dossier_d_avant_reste_et_ce_qui_est_plus_vieux_s_en_va(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path
    for age, nom in enumerate(("avant", "plus-vieux", "admin")):
        (tmp_path / nom).mkdir()
        os.utime(tmp_path / nom, (1e9 - age, 1e9 - age))
    (tmp_path / "staticfiles.json").touch()
    os.utime(tmp_path / "staticfiles.json", (1e8, 1e8))
    (tmp_path / ".d-un-processus-tue").mkdir()

    statiques.preparer(statiques.Magasin())

    assert {chemin.name for chemin in tmp_path.iterdir()} == {"avant", statiques.etat()}


def test_un_dossier_a_demi_rempli_est_rempli_de_nouveau(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path
    (tmp_path / statiques.etat() / "campus").mkdir(parents=True)
    magasin = statiques.Magasin()

    statiques.preparer(magasin)

    assert HACHEE.search(magasin.url("campus/commun.css"))
    assert [chemin.name for chemin in tmp_path.iterdir()] == [statiques.etat()]


def test_un_dossier_efface_sous_un_service_ne_fait_pas_de_panne(tmp_path, settings):
    settings.STATIC_ROOT, settings.WHITENOISE_AUTOREFRESH = tmp_path, False
    service = installer()
    adresse = staticfiles_storage.url("campus/commun.css")
    avant = demander(service, adresse)["Cache-Control"]

    shutil.rmtree(tmp_path / statiques.etat())

    reponse = demander(service, adresse)
    assert (avant, reponse.status_code, reponse["Cache-Control"]) == (UN_AN, 200, "max-age=60, public")


def test_un_rassemblement_interrompu_ne_laisse_rien_a_demi(tmp_path, settings, monkeypatch):
    def manquer(*args: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    settings.STATIC_ROOT = tmp_path
    monkeypatch.setattr(statiques.Magasin, "save_manifest", manquer)

    statiques.preparer(statiques.Magasin())

    assert list(tmp_path.iterdir()) == []


def test_sans_place_ou_ecrire_les_fichiers_sont_servis_sous_leur_nom(tmp_path, settings, caplog):
    (tmp_path / "fichier").touch()
    settings.STATIC_ROOT, settings.WHITENOISE_AUTOREFRESH = tmp_path / "fichier" / "static", False

    service = installer()

    adresse = staticfiles_storage.url("campus/commun.css")
    assert adresse == "/static/campus/commun.css"
    assert demander(service, adresse).status_code == 200
    assert [ligne.name for ligne in caplog.records] == ["campus.serveur"]


def test_un_fichier_change_fait_un_autre_etat(tmp_path, settings):
    settings.STATICFILES_DIRS = [tmp_path]
    finders.get_finder.cache_clear()
    fichier = tmp_path / "essai.css"
    etats = set()
    for texte in ("a {}", "b { color: red }"):
        fichier.write_text(texte)
        etats |= {statiques.etat.__wrapped__(), statiques.etat.__wrapped__()}
    finders.get_finder.cache_clear()

    assert len(etats) == 2


@pytest.fixture
def a_part(tmp_path: Path) -> Iterator[Path]:
    """A folder of static files of the test's own, not collected yet."""
    with override_settings(STATIC_ROOT=tmp_path / "static", WHITENOISE_AUTOREFRESH=False):
        yield tmp_path / "static"


def test_un_manifeste_tronque_est_refait(a_part):
    installer()
    manifeste = Path(staticfiles_storage.location, staticfiles_storage.manifest_name)
    manifeste.write_text("")

    service = installer()

    assert manifeste.stat().st_size > 0
    assert HACHEE.search(adresse := staticfiles_storage.url("campus/commun.css"))
    assert demander(service, adresse).status_code == 200


def test_un_dossier_ferme_n_arrete_pas_le_depart(a_part, monkeypatch):
    """Root reads everything: the refusal of the disk is played."""

    def refuser(self: Path, *args: Any, **options: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(self))

    for nom in ("is_dir", "is_file", "mkdir", "iterdir", "open"):
        monkeypatch.setattr(Path, nom, refuser)

    service = installer()

    assert demander(service, "/static/campus/commun.css").status_code == 200


def test_la_version_que_l_on_sert_a_nouveau_n_est_pas_la_prochaine_balayee(a_part):
    for rang, nom in enumerate(("a", "b")):
        (a_part / nom).mkdir(parents=True)
        os.utime(a_part / nom, (rang, rang))
    os.utime(a_part / "a")

    installer()

    assert {chemin.name for chemin in a_part.iterdir()} == {"a", statiques.etat()}


@pytest.mark.django_db
def test_sans_rassemblement_une_page_nomme_ses_fichiers_et_les_trouve(client):
    """What the tests and DEBUG do: nothing is collected, files are looked for at each request."""
    adresses = re.findall(r'href="(/static/[^"]+)"', client.get("/").content.decode())

    assert adresses
    assert [client.get(adresse).status_code for adresse in adresses] == [200] * len(adresses)
    assert [adresse for adresse in adresses if HACHEE.search(adresse)] == []


@pytest.mark.parcours
def test_deux_services_qui_demarrent_ensemble_servent_les_memes_fichiers(tmp_path):
    serveurs = [Serveur(tmp_path) for _rang in range(2)]
    try:
        with ThreadPoolExecutor(2) as fils:
            list(fils.map(Serveur.demarrer, serveurs))
        page = httpx.get(f"{serveurs[1].url}/admin/login/").text
        adresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
        reponses = [httpx.get(f"{serveur.url}{adresse}") for serveur in serveurs for adresse in adresses]
    finally:
        for serveur in serveurs:
            serveur.tuer()

    assert len(adresses) > 2
    assert {(reponse.status_code, reponse.headers["Cache-Control"]) for reponse in reponses} == {(200, UN_AN)}
