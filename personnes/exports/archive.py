"""The ZIP of an export: its JSON is written at once, its files as they are read, all in bounded memory."""

import logging
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, closing
from pathlib import PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.conf import settings
from django.utils import timezone

from personnes.exports.dossiers import Dossiers
from personnes.exports.sections import sections
from personnes.serializers import FichierExporte
from personnes.vocabulaire import LISEZMOI
from resources import stockage
from resources.models import Fichier
from socle.api.renderers import en_json
from socle.domaine.acteurs import Acteur
from socle.moteur.sorties import rendre_un

journal = logging.getLogger("campus.exports")
EN_MEMOIRE = 1024 * 1024  # bytes of JSON, past which they wait on the disk
MORCEAU = 64 * 1024


class Archive:
    """A file to be read once. Whatever asks the base is done when it is made; reading it opens stored files alone."""

    def __init__(self, acteur: Acteur, *, a_la_fin: Callable[[], None]) -> None:
        self._a_la_fin = ExitStack()
        self._a_la_fin.callback(a_la_fin)
        with ExitStack() as en_cas_de_refus:
            en_cas_de_refus.callback(self.close)
            self._dossiers = Dossiers(acteur)
            attente = self._a_la_fin.enter_context(_attente())
            self._sortie = self._a_la_fin.enter_context(closing(_Sortie(attente)))
            self._zip = _Zip(self._sortie, "w", ZIP_DEFLATED)
            self._ecrire_le_texte()
            self._suite = self._a_la_fin.enter_context(closing(self._morceaux(attente)))
            self._lu = b""
            en_cas_de_refus.pop_all()

    def read(self, taille: int = -1) -> bytes:
        """Up to `taille` bytes, all for a negative number; none at the end."""
        while taille < 0 or len(self._lu) < taille:
            morceau = next(self._suite, None)
            if morceau is None:
                break
            self._lu += morceau
        fin = len(self._lu) if taille < 0 else taille
        rendu, self._lu = self._lu[:fin], self._lu[fin:]
        return rendu

    def close(self) -> None:
        """Give back the person's place and what waits on the disk, wherever the reading stopped."""
        self._a_la_fin.close()

    def _ecrire_le_texte(self) -> None:
        self._zip.writestr(_entree("LISEZMOI.txt"), LISEZMOI)
        for nom, lignes in sections(self._dossiers.acteur, self._dossiers):
            self._ecrire_json(nom, lignes)
        self._dossiers.ses_fichiers()

    def _ecrire_json(self, nom: str, lignes: Iterable[dict[str, Any]]) -> None:
        with self._zip.open(_entree(f"{nom}.json"), "w") as entree:
            separateur = b"[\n"
            for ligne in lignes:
                entree.write(separateur + en_json(ligne))
                separateur = b",\n"
            entree.write(b"[]\n" if separateur == b"[\n" else b"\n]\n")

    def _morceaux(self, attente: IO[bytes]) -> Generator[bytes, None, None]:
        attente.seek(0)
        while morceau := attente.read(MORCEAU):
            yield morceau
        self._sortie.en_memoire()
        fiches = []
        for fichier in self._dossiers.fichiers.values():
            chemin = f"fichiers/{fichier.pk}{PurePosixPath(fichier.nom_d_autrui).suffix}"
            est_present = yield from self._copier(fichier, chemin)
            rendu = rendre_un(FichierExporte, fichier, self._dossiers.regard.contexte)
            fiches.append({**rendu, "chemin": chemin if est_present else None})
        self._ecrire_json("fichiers", fiches)
        self._zip.close()
        yield self._sortie.prendre()

    def _copier(self, fichier: Fichier, chemin: str) -> Generator[bytes, None, bool]:
        """Copy the stored bytes as they are; False where the store has lost them, which the index then says."""
        try:
            contenu = stockage.ouvrir(fichier)
        except FileNotFoundError:
            journal.error("fichier %s absent du stockage", fichier.pk)
            return False
        with contenu, self._zip.open(_entree(chemin, ZIP_STORED), "w") as entree:
            while morceau := contenu.read(MORCEAU):
                entree.write(morceau)
                yield self._sortie.prendre()
        return True


class _Zip(ZipFile):
    """A ZIP that only its last reader ends: one that was given up writes nothing as it goes."""

    def __del__(self) -> None:
        """The base class would write the end of the file, to an output that may be closed."""


class _Sortie:
    """Output without `tell` nor `seek`: to the waiting file first, then to a buffer that is taken piece by piece."""

    def __init__(self, attente: IO[bytes]) -> None:
        self._ecrire: Callable[[bytes], Any] = attente.write
        self._tampon = bytearray()

    def en_memoire(self) -> None:
        self._ecrire = self._tampon.extend

    def write(self, octets: bytes) -> int:
        self._ecrire(octets)
        return len(octets)

    def close(self) -> None:
        """Drop whatever an unfinished ZIP still writes as it goes."""
        self._ecrire = len

    def flush(self) -> None:
        """Nothing waits in between."""

    def prendre(self) -> bytes:
        pris = bytes(self._tampon)
        self._tampon.clear()
        return pris


def _attente() -> IO[bytes]:
    settings.EXPORT_TEMP_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    return SpooledTemporaryFile(EN_MEMOIRE, dir=str(settings.EXPORT_TEMP_DIR))


def _entree(nom: str, compression: int = ZIP_DEFLATED) -> ZipInfo:
    entree = ZipInfo(nom, timezone.localtime(timezone=settings.TIME_ZONE_CAMPUS).timetuple()[:6])
    entree.compress_type, entree.external_attr = compression, 0o600 << 16
    return entree
