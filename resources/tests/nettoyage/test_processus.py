"""The child: how it is started, what it may not do, and what becomes of its failures."""

import errno
import json
import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from resources.nettoyage import enfant, processus, refus
from resources.nettoyage.processus import Limites, Motif, Resultat, nettoyer
from resources.tests.nettoyage.fichiers import jpeg, pdf, png, webp
from resources.tests.nettoyage.films import film

pytestmark = [pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO"), pytest.mark.longue]
TETE = "import os, sys, time; sys.argv.pop(1); mot = lambda m: os.write(int(sys.argv[2]), m); "


@pytest.fixture
def a_la_place(monkeypatch):
    """a_la_place("code"): a child that runs this instead of a cleaner."""
    return lambda code: monkeypatch.setattr(processus, "_AMORCE", f"{TETE}{code}")


def modules_de(*noms: str) -> set[str]:
    """The packages that a child has loaded once it has these modules of ours."""
    code = "import sys; sys.path = sys.argv[1].split('\\n'); "
    code += "".join(f"import resources.nettoyage.{nom}; " for nom in noms)
    code += "print(*{nom.partition('.')[0] for nom in sys.modules})"
    commande = [sys.executable, "-I", "-S", "-c", code, processus._chemins()]
    return set(subprocess.run(commande, env={}, check=True, capture_output=True, text=True).stdout.split())  # noqa: S603 - our own interpreter


def test_l_enfant_ne_charge_que_ce_que_demande_le_genre():
    tout = modules_de("enfant", "jpeg", "images", "webp", "pdf", "png", "mp4")
    leger = modules_de("enfant", "png", "mp4")

    assert not tout & {"django", "config", "accounts", "rest_framework", "asyncio"}
    assert {"PIL", "pikepdf"} <= tout
    assert not leger & {"PIL", "pikepdf", "lxml", "dataclasses", "typing", "re", "enum", "django", "config"}


def test_l_enfant_ne_recoit_rien_de_ce_processus(tmp_path, monkeypatch, a_la_place):
    monkeypatch.setenv("SECRET_KEY", "un secret")
    a_la_place(
        "import json; fds = [f for f in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + f)]; "
        "print(json.dumps([dict(os.environ), sorted(fds), os.getcwd(), os.getsid(0) == os.getpid(), sys.argv[2], "
        "os.readlink('/proc/self/fd/2'), sys.flags.isolated]), flush=True); mot(b'pret nettoye')"
    )
    source = tmp_path / "photo"
    source.write_bytes(jpeg())

    assert nettoyer(source, tmp_path / "propre").accepte

    environnement, fds, dossier, est_meneur, verdict, erreurs, est_isole = json.loads((tmp_path / "propre").read_text())
    assert environnement.keys() <= {"LC_CTYPE"}
    assert set(fds) == {"0", "1", "2", verdict}
    assert (dossier, est_meneur, erreurs, est_isole) == ("/", True, "/dev/null", 1)


def test_l_enfant_se_borne_avant_de_lire(tmp_path, a_la_place):
    a_la_place(
        "import json, resource; sys.path = "
        f"{processus._chemins().splitlines()!r}; from resources.nettoyage import enfant; "
        "enfant._se_borner(*map(int, sys.argv[3:6])); "
        "noms = ('AS', 'CPU', 'FSIZE', 'NOFILE', 'CORE', 'NPROC'); "
        "print(json.dumps([resource.getrlimit(getattr(resource, 'RLIMIT_' + n))[0] for n in noms]), flush=True); "
        "mot(b'pret nettoye')"
    )
    source = tmp_path / "photo"
    source.write_bytes(jpeg())

    nettoyer(source, tmp_path / "propre", limites=Limites(memoire=200 << 20, cpu=3, sortie=5000))

    assert json.loads((tmp_path / "propre").read_text()) == [200 << 20, 3, 5000, 32, 0, 0]


def test_une_limite_deja_plus_basse_est_gardee():
    code = "import resource, sys; sys.path = sys.argv[1].split('\\n'); from resources.nettoyage import enfant; "
    code += "resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20)); enfant._se_borner(400 << 20, 5, 9); "
    code += "print(*resource.getrlimit(resource.RLIMIT_AS))"
    commande = [sys.executable, "-I", "-S", "-c", code, processus._chemins()]

    sortie = subprocess.run(commande, check=True, capture_output=True, text=True).stdout  # noqa: S603 - our own interpreter

    assert sortie.split() == [str(300 << 20)] * 2


@pytest.mark.parametrize(
    ("code", "motif"),
    [
        ("mot(b'pret'); time.sleep(60)", "trop_long"),
        ("time.sleep(60)", "trop_long"),
        ("[mot(b'x' * 4096) for _ in iter(int, 1)]", "trop_long"),
        ("mot(b'pret'); import resource; resource.setrlimit(0, (1, 2)); [0 for _ in iter(int, 1)]", "trop_long"),
        ("mot(b'pret'); os.kill(os.getpid(), 11)", "illisible"),
        ("mot(b'pret'); os.kill(os.getpid(), 9)", "illisible"),
        ("mot(b'pret'); os._exit(0)", "illisible"),
        ("mot(b'pret autre chose'); print('sale')", "illisible"),
        ("mot(b'pret trop_de_pixels'); print('sale')", "trop_de_pixels"),
    ],
)
def test_un_enfant_qui_finit_mal_ne_laisse_rien(passer, a_la_place, code, motif):
    a_la_place(code)

    resultat, _ = passer(jpeg(), duree=2.0 if motif == "trop_long" else 30.0)

    assert resultat == Resultat(genre="image/jpeg", motif=Motif(motif))


def est_vivant(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_rien_de_ce_que_l_enfant_a_lance_ne_lui_survit(passer, a_la_place, tmp_path_factory):
    note = tmp_path_factory.mktemp("note") / "pid"
    a_la_place(f"pid = os.fork(); pid and open({str(note)!r}, 'w').write(str(pid)); mot(b'pret'); time.sleep(60)")

    resultat, _ = passer(jpeg(), duree=5.0)

    assert resultat.motif == Motif.TROP_LONG
    echeance = time.monotonic() + 10
    while est_vivant(int(note.read_text())) and time.monotonic() < echeance:
        time.sleep(0.05)
    assert not est_vivant(int(note.read_text()))


@pytest.mark.parametrize("code", ["raise SystemExit(1)", "import absent", "os._exit(0)"])
def test_un_enfant_qui_ne_demarre_pas_n_est_pas_la_faute_du_fichier(tmp_path, a_la_place, code):
    a_la_place(code)
    source = tmp_path / "photo"
    source.write_bytes(jpeg())

    with pytest.raises(RuntimeError, match="does not start"):
        nettoyer(source, tmp_path / "propre")

    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("octets", [b"du texte" * 100_000, jpeg()], ids=["tel quel", "nettoyé"])
def test_un_disque_plein_se_dit_et_ne_laisse_rien(tmp_path, monkeypatch, octets):
    source, ouvrir = tmp_path / "recu", os.open
    source.write_bytes(octets)
    monkeypatch.setattr(processus.os, "open", lambda *_: ouvrir("/dev/full", os.O_WRONLY))

    with pytest.raises(OSError, match="No space left") as refuse:
        nettoyer(source, tmp_path / "propre")

    assert refuse.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize(
    ("octets", "limites", "motif"),
    [
        (jpeg(), {"sortie": 1000}, "trop_gros"),
        (webp(), {"pixels": 1_000}, "trop_de_pixels"),
        (png(), {"pixels": 1_000}, "trop_de_pixels"),
        (pdf(), {"objets": 5}, "trop_d_objets"),
        (webp(), {"pixels": 96 * 64}, None),
    ],
)
def test_chaque_limite_a_son_motif(passer, octets, limites, motif):
    assert passer(octets, **limites)[0].motif == motif


def test_trop_de_memoire_est_un_refus(passer):
    resultat, _ = passer(jpeg(Image.new("RGB", (4000, 4000)), orientation=6), memoire=96 << 20)

    assert resultat.motif == Motif.TROP_DE_MEMOIRE


def test_les_mots_des_deux_cotes_sont_les_memes():
    mots = {valeur for nom, valeur in vars(refus).items() if nom.isupper()}

    assert mots == set(Motif) - {Motif.GENRE_REFUSE, Motif.TROP_LONG}
    assert not {enfant.PRET, enfant.NETTOYE, enfant.PANNE} & set(Motif)


@pytest.mark.parametrize("lien", [False, True])
def test_un_fichier_qui_existe_n_est_pas_ecrase(tmp_path, lien):
    source, destination, autre = tmp_path / "recu", tmp_path / "propre", tmp_path / "autre"
    source.write_bytes(jpeg())
    autre.write_text("à garder")
    destination.symlink_to(autre) if lien else destination.write_text("à garder")

    with pytest.raises(FileExistsError):
        nettoyer(source, destination)

    assert destination.read_text() == "à garder"


def test_le_fichier_ecrit_n_est_lisible_que_par_le_service(tmp_path):
    for nom, octets in (("texte", b"bonjour"), ("film", film())):
        (tmp_path / nom).write_bytes(octets)
        nettoyer(tmp_path / nom, tmp_path / f"{nom}.propre")
        assert stat.S_IMODE((tmp_path / f"{nom}.propre").stat().st_mode) == 0o600


def test_plusieurs_envois_a_la_fois_ne_se_melangent_pas(tmp_path):
    fichiers = {"jpeg": jpeg(), "png": png(), "mp4": film(), "texte": b"bonjour"}

    def un(rang: int) -> tuple[str, str, int]:
        nom = list(fichiers)[rang % 4]
        source, destination = tmp_path / f"{rang}", tmp_path / f"{rang}.propre"
        source.write_bytes(fichiers[nom])
        return nom, nettoyer(source, destination).genre, hash(destination.read_bytes())

    ouverts = len(os.listdir("/proc/self/fd"))
    with ThreadPoolExecutor(6) as fils:
        issues = set(fils.map(un, range(16)))

    assert {(nom, genre) for nom, genre, _ in issues} == {
        *(("jpeg", "image/jpeg"), ("png", "image/png"), ("mp4", "video/mp4"), ("texte", "text/plain")),
    }
    assert len(issues) == 4
    assert len(os.listdir("/proc/self/fd")) == ouverts


def test_un_processus_qui_ignore_la_fin_de_ses_enfants_nettoie_aussi(tmp_path):
    """Some servers ask the system to bury their children for them."""
    (tmp_path / "photo").write_bytes(jpeg())
    code = "import signal, sys; sys.path = sys.argv[1].split('\\n'); from pathlib import Path; "
    code += "signal.signal(signal.SIGCHLD, signal.SIG_IGN); from resources.nettoyage.processus import nettoyer; "
    code += "print(nettoyer(Path(sys.argv[2]), Path(sys.argv[2] + '.propre')).metadonnees_retirees)"
    commande = [sys.executable, "-c", code, processus._chemins(), str(tmp_path / "photo")]

    assert subprocess.run(commande, check=True, capture_output=True, text=True).stdout == "True\n"  # noqa: S603 - our own interpreter
