"""The log of erasures: a file outside the database, to which lines are added, each with a keyed sum."""

import fcntl
import json
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from django.conf import settings

from socle.audit.vocabulaire import Sorte
from socle.domaine.chiffrement import empreinte

SORTES = (Sorte.COMPTE, Sorte.SESSION_INVITEE)
MODE = 0o600


class JournalFaux(Exception):
    """A log that cannot be believed, read or written; its text says why, in a sentence."""


class Ligne(NamedTuple):
    """One erasure: no name, no address, and a key that means nothing outside the base."""

    id: str  # 32 hex digits
    sorte: str
    date: str  # ISO 8601, UTC

    @classmethod
    def de(cls, sorte: Sorte, cle: UUID) -> "Ligne":
        return cls(cle.hex, sorte.value, datetime.now(UTC).isoformat(timespec="seconds"))

    @property
    def qui(self) -> tuple[str, str]:
        return self.sorte, self.id

    @property
    def somme(self) -> str:
        return empreinte("effacement", " ".join(self))

    def ecrite(self) -> str:
        return json.dumps({**self._asdict(), "somme": self.somme}) + "\n"


def chemin() -> Path:
    return Path(settings.ERASURE_LOG)


def lire(fichier: Path) -> list[Ligne]:
    """Its lines, [] where there is no file; JournalFaux names the first that is not ours as it was written.

    A last line without its end was never followed by a commit: what was to be erased is still there.
    """
    try:
        texte = fichier.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as panne:
        raise JournalFaux(f"Le journal des effacements ne se lit pas : {fichier}.") from panne
    entieres = texte.split(b"\n")[:-1]
    return [_lue(fichier, rang, brute) for rang, brute in enumerate(entieres, start=1)]


def _lue(fichier: Path, rang: int, brute: bytes) -> Ligne:
    try:
        contenu = json.loads(brute)
        somme = contenu.pop("somme")
        ligne = Ligne(**contenu)
        UUID(hex=ligne.id)
        est_la_notre = ligne.sorte in SORTES and ligne.somme == somme
    except (ValueError, TypeError, KeyError, AttributeError):
        est_la_notre = False
    if not est_la_notre:
        raise JournalFaux(
            f"La ligne {rang} de {fichier} n'est pas de ce service, ou a été changée. Cherchez qui l'a fait ; "
            "corrigez-la d'après une sauvegarde, ou retirez-la."
        )
    return ligne


def exiger_inscriptible() -> None:
    """Open it for writing, and read it whole, before anything is changed; JournalFaux where either cannot be."""
    with _ouvert():
        pass
    lire(chemin())


def ajouter(lignes: Iterable[Ligne]) -> None:
    """Append these, on disk once this returns: call it last, before the commit of what they say."""
    with _ouvert() as descripteur:
        octets = "".join(ligne.ecrite() for ligne in lignes).encode()
        while octets:
            octets = octets[os.write(descripteur, octets) :]
        os.fsync(descripteur)


@contextmanager
def _ouvert() -> Iterator[int]:
    """Its descriptor, to append to, alone among the processes and machines that share the folder."""
    fichier = chemin()
    try:
        est_neuf = not fichier.exists()
        descripteur = os.open(fichier, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, MODE)
        try:
            fcntl.flock(descripteur, fcntl.LOCK_EX)
            if est_neuf:
                _inscrire_au_dossier(fichier.parent)
            _oter_le_reste(descripteur)
            yield descripteur
        finally:
            os.close(descripteur)
    except OSError as panne:
        raise JournalFaux(f"Le journal des effacements ne s'écrit pas : {fichier} ({panne.strerror}).") from panne


def _inscrire_au_dossier(dossier: Path) -> None:
    """The name of a new file is on disk once its folder is."""
    descripteur = os.open(dossier, os.O_RDONLY)
    try:
        os.fsync(descripteur)
    finally:
        os.close(descripteur)


def _oter_le_reste(descripteur: int) -> None:
    """Cut a last line without its end: whoever was writing it is dead, since the lock is ours."""
    taille = os.fstat(descripteur).st_size
    fin, debut = taille, max(0, taille - 4096)
    queue = os.pread(descripteur, fin - debut, debut)
    if queue and not queue.endswith(b"\n"):
        os.ftruncate(descripteur, debut + queue.rfind(b"\n") + 1)


def reunir(*journaux: Iterable[Ligne]) -> list[Ligne]:
    """Each erasure once, in the order of the first log that has it."""
    vues: dict[tuple[str, str], Ligne] = {}
    for journal in journaux:
        for ligne in journal:
            vues.setdefault(ligne.qui, ligne)
    return list(vues.values())


def est_ouvert_a_d_autres() -> bool:
    return chemin().exists() and bool(stat.S_IMODE(chemin().stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO))
