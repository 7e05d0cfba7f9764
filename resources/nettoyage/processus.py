"""The other side of the child: start it on a file, wait no longer than allowed, and keep its work or nothing."""

import contextlib
import mmap
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from resources.nettoyage import enfant, refus
from resources.nettoyage.genres import DEVIENT, NETTOYES, OLE, REFUSES, du_fichier, est_un_document_chiffre

_MO = 1 << 20
_AMORCE = "import sys; sys.path = sys.argv.pop(1).split('\\n'); from resources.nettoyage import enfant; enfant.main()"
_VERDICT_MAX = 64


class Motif(StrEnum):
    """Reason not to accept a file; `GENRE_REFUSE` is about its type, the others about this file."""

    GENRE_REFUSE = "genre_refuse"
    ILLISIBLE = refus.ILLISIBLE
    CHIFFRE = refus.CHIFFRE
    TROP_DE_PIXELS = refus.TROP_DE_PIXELS
    TROP_D_IMAGES = refus.TROP_D_IMAGES
    TROP_D_OBJETS = refus.TROP_D_OBJETS
    TROP_DIVERS = refus.TROP_DIVERS
    TROP_DE_MEMOIRE = refus.TROP_DE_MEMOIRE
    TROP_GROS = refus.TROP_GROS
    TROP_LONG = "trop_long"


@dataclass(frozen=True, kw_only=True)
class Limites:
    """Limits of the child process for one file; bytes where no unit is given."""

    pixels: int = 40_000_000  # kept; a still picture of more, up to six times that, is shrunk
    images: int = 200  # of an animation
    objets: int = 150_000  # of a document
    memoire: int = 768 * _MO
    cpu: int = 8  # seconds: the largest photos that phones take are decoded, shrunk and coded again
    duree: float = 20.0  # seconds, waiting included
    sortie: int = 64 * _MO


@dataclass(frozen=True, kw_only=True)
class Resultat:
    """`motif` says why nothing was kept; without one, `destination` holds the file, cleaned or as it came.

    `genre` is the type of what is kept.
    """

    genre: str
    motif: Motif | None = None
    metadonnees_retirees: bool = False

    @property
    def accepte(self) -> bool:
        return self.motif is None


def nettoyer(source: Path, destination: Path, *, limites: Limites = Limites()) -> Resultat:
    """Write `source` without its metadata to `destination`, a new file, which exists only when the result is accepted.

    No content makes it raise. It raises OSError when the disk fails, and FileExistsError when `destination` exists.
    """
    with source.open("rb", buffering=0) as lu:  # the child reads from the same place: no buffer may be ahead of it
        genre = du_fichier(lu)
        if genre in REFUSES:
            return Resultat(genre=genre, motif=Motif.GENRE_REFUSE)
        if genre == OLE and _est_chiffre(lu.fileno()):
            return Resultat(genre=genre, motif=Motif.CHIFFRE)
        lu.seek(0)
        with _creer(destination) as ecrit:
            if genre not in NETTOYES:
                shutil.copyfileobj(lu, ecrit, _MO)
                resultat = Resultat(genre=genre)
            else:
                resultat = _par_l_enfant(genre, lu.fileno(), ecrit.fileno(), limites)
            if not resultat.accepte:
                destination.unlink()
    return resultat


def _est_chiffre(descripteur: int) -> bool:
    with mmap.mmap(descripteur, 0, access=mmap.ACCESS_READ) as octets:
        return est_un_document_chiffre(octets)


@contextlib.contextmanager
def _creer(destination: Path) -> Iterator:
    descripteur = os.open(destination, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with open(descripteur, "wb") as fichier:
            yield fichier
    except BaseException:
        destination.unlink(missing_ok=True)
        raise


def _par_l_enfant(genre: str, source: int, destination: int, limites: Limites) -> Resultat:
    lecture, ecriture = os.pipe()
    nombres = (limites.memoire, limites.cpu, limites.sortie, limites.pixels, limites.images, limites.objets)
    with open(lecture, "rb", buffering=0) as verdict:
        try:
            processus = subprocess.Popen(  # noqa: S603 - our own program, on numbers and a known type
                [
                    *(sys.executable, "-I", "-S", "-B", "-c", _AMORCE, _chemins()),
                    *(genre, str(ecriture), *map(str, nombres)),
                ],
                stdin=source,
                stdout=destination,
                stderr=subprocess.DEVNULL,
                pass_fds=(ecriture,),
                env={},
                cwd="/",
                start_new_session=True,
            )
        finally:
            os.close(ecriture)
        try:
            mots = _attendre(verdict.fileno(), limites.duree)
        finally:
            # Kill its whole process group: it has ended, or has had its time, and nothing it started may survive it.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(processus.pid, signal.SIGKILL)
            code = processus.wait()
    return _juger(genre, mots, code)


def _chemins() -> str:
    """Import paths of this process, one a line, so that the child finds the same modules without its environment."""
    return "\n".join([str(Path(__file__).parents[2]), *map(os.path.abspath, sys.path)])


def _attendre(tube: int, duree: float) -> list[str] | None:
    """Read the child's words from the pipe until it ends and so closes it; None past `duree` seconds."""
    echeance, lu = time.monotonic() + duree, b""
    veille = select.poll()
    veille.register(tube, select.POLLIN)
    while (reste := echeance - time.monotonic()) > 0:
        if veille.poll(reste * 1000):
            morceau = os.read(tube, _VERDICT_MAX)
            if not morceau:
                return lu.decode("ascii", "replace").split()
            lu = (lu + morceau)[:_VERDICT_MAX]
    return None


def _juger(genre: str, mots: list[str] | None, code: int) -> Resultat:
    if mots is None or code == -signal.SIGXCPU:
        return Resultat(genre=genre, motif=Motif.TROP_LONG)
    match mots:
        case [enfant.PRET, enfant.NETTOYE]:
            return Resultat(genre=DEVIENT.get(genre, genre), metadonnees_retirees=True)
        case [enfant.PRET, enfant.PANNE, numero]:
            raise OSError(int(numero), os.strerror(int(numero)))
        case [enfant.PRET, mot] if mot in Motif.__members__.values():
            return Resultat(genre=genre, motif=Motif(mot))
        case [enfant.PRET, *_]:
            return Resultat(genre=genre, motif=Motif.ILLISIBLE)  # the file broke the library that read it
    raise RuntimeError(f"the cleaner of {genre} does not start (code {code})")
