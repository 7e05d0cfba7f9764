"""The child process: standard input to standard output, one file, then a word on a pipe.

It takes its limits before it reads a byte. Nothing of Django is imported, and a cleaner only when its type comes.
"""

import errno
import os
import resource
import sys
from importlib import import_module
from io import BytesIO
from types import ModuleType

from resources.nettoyage import genres, refus
from resources.nettoyage.bornes import Bornes

PRET, NETTOYE, PANNE = "pret", "nettoye", "panne"
_NETTOYEURS = {
    genres.JPEG: "jpeg",
    genres.PNG: "png",
    genres.WEBP: "webp",
    genres.PDF: "pdf",
    **dict.fromkeys((genres.HEIC, genres.HEIF), "heic"),
    **dict.fromkeys(genres.OOXML | genres.ODF, "documents"),
    **dict.fromkeys((genres.MP4, genres.QUICKTIME, genres.TROIS_GPP, genres.M4A), "mp4"),
}
# libde265 does not decode without a thread of its own, and the kernel counts threads with processes, by user.
_AVEC_UN_FIL = (genres.HEIC, genres.HEIF)
_FICHIERS_OUVERTS = 32


def main() -> None:
    genre, verdict, *nombres = sys.argv[1:]
    memoire, cpu, sortie, *bornes = (int(nombre) for nombre in nombres)
    _se_borner(memoire, cpu, sortie, seul=genre not in _AVEC_UN_FIL)
    nettoyeur = import_module(f"resources.nettoyage.{_NETTOYEURS[genre]}")
    os.write(int(verdict), PRET.encode())  # from here on, what goes wrong is the file's doing
    mot = _traiter(nettoyeur, genre, Bornes(*bornes))
    os.write(int(verdict), b" " + mot.encode())
    os._exit(0)  # nothing is worth the time of a tidy end


def _se_borner(memoire: int, cpu: int, sortie: int, *, seul: bool = True) -> None:
    """Take the limits; `seul`: neither process nor thread beside this one."""
    bornes = [
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_AS, memoire, memoire),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_FSIZE, sortie, sortie),
        (resource.RLIMIT_NOFILE, _FICHIERS_OUVERTS, _FICHIERS_OUVERTS),
    ]
    for quoi, douce, dure in [*bornes, (resource.RLIMIT_NPROC, 0, 0)] if seul else bornes:
        plafond = resource.getrlimit(quoi)[1]
        if plafond != resource.RLIM_INFINITY:
            douce, dure = min(douce, plafond), min(dure, plafond)
        resource.setrlimit(quoi, (douce, dure))


def _traiter(nettoyeur: ModuleType, genre: str, bornes: Bornes) -> str:
    try:
        propre = _nettoyer(nettoyeur, genre, bornes)
    except refus.Refuse as refuse:
        return refuse.motif
    except MemoryError:
        return refus.TROP_DE_MEMOIRE
    except Exception:  # whatever a library raises on bytes that it does not understand
        return refus.ILLISIBLE
    try:
        _ecrire(propre)
    except OSError as erreur:
        return refus.TROP_GROS if erreur.errno == errno.EFBIG else f"{PANNE} {erreur.errno}"
    return NETTOYE


def _nettoyer(nettoyeur: ModuleType, genre: str, bornes: Bornes) -> bytes:
    with open(0, "rb", closefd=False) as source:
        octets = source.read()
    propre = nettoyeur.nettoyer(octets, bornes)
    if genres.du_fichier(BytesIO(propre)) != genres.DEVIENT.get(genre, genre):
        raise refus.Refuse
    return propre


def _ecrire(propre: bytes) -> None:
    vue = memoryview(propre)
    while vue:
        vue = vue[os.write(1, vue) :]
