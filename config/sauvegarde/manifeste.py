"""Manifest of a backup: `manifeste.json`, and a sum for each file as `sha256sum --check` reads it."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

FORMAT = 1
MANIFESTE, SOMMES, FICHIERS = "manifeste.json", "sommes.sha256", "fichiers"
EFFACEMENTS = "effacements.jsonl"
BASES = {"postgresql": "base.dump", "sqlite": "base.sqlite3"}
PREFIXE = "campus-"
BLOC = 1024 * 1024


class SauvegardeFausse(Exception):
    """A backup that cannot be used; its text says why, in a sentence."""


@dataclass(frozen=True)
class Manifeste:
    date: str  # ISO 8601, UTC: when the dump of the base began
    version: str
    moteur: str
    cles: dict[str, list[str]]  # name of a secret -> fingerprints
    nombre_de_fichiers: int
    sommes: str  # of the file of sums
    seau: str = ""  # whose files are not here
    format: int = FORMAT

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.date)

    def ecrire(self, dossier: Path) -> None:
        (dossier / MANIFESTE).write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")


def lire(dossier: Path) -> Manifeste:
    """The manifest of this folder; SauvegardeFausse where it is none, or of a later format."""
    try:
        lu: dict[str, Any] = json.loads((dossier / MANIFESTE).read_text(encoding="utf-8"))
        manifeste = Manifeste(**lu)
        manifeste.moment  # noqa: B018 -- raises where it is no date
    except (OSError, ValueError, TypeError) as faux:
        raise SauvegardeFausse(f"{dossier} n'est pas une sauvegarde : {MANIFESTE} manque ou est illisible.") from faux
    if manifeste.format != FORMAT or manifeste.moteur not in BASES:
        raise SauvegardeFausse("Cette sauvegarde vient d'une version plus récente du service : installez-la d'abord.")
    return manifeste


def empreintes_des_cles() -> dict[str, list[str]]:
    """Fingerprints of the secrets without which what is stored cannot be opened or found again."""
    return {
        "HASH_KEY": [_empreinte(settings.HASH_KEY)],
        "FIELD_ENCRYPTION_KEYS": [_empreinte(cle) for cle in settings.FIELD_ENCRYPTION_KEYS],
    }


def _empreinte(cle: str) -> str:
    return hmac.digest(str(cle).encode(), b"sauvegarde", "sha256").hex()[:16]


def sommer(dossier: Path, connues: dict[str, str]) -> str:
    """Write the sums of all its files, and return that of the file of sums; `connues` are those just read, by name."""
    noms = [str(chemin.relative_to(dossier)) for chemin in contenu(dossier)]
    lignes = [f"{connues.get(nom) or somme_de(dossier / nom)}  {nom}\n" for nom in noms]
    (dossier / SOMMES).write_text("".join(lignes), encoding="utf-8")
    return somme_de(dossier / SOMMES)


def verifier(dossier: Path, manifeste: Manifeste) -> None:
    """Compare each file with its sum; SauvegardeFausse names the first that differs, is missing, or is of too much."""
    try:
        if somme_de(dossier / SOMMES) != manifeste.sommes:
            raise SauvegardeFausse(f"{SOMMES} a changé depuis la sauvegarde.")
        attendues = dict(_sommes(dossier))
    except OSError as perdu:
        raise SauvegardeFausse(f"{SOMMES} manque.") from perdu
    for chemin in contenu(dossier):
        nom = str(chemin.relative_to(dossier))
        attendue = attendues.pop(nom, None)
        if attendue is None:
            raise SauvegardeFausse(f"{nom} n'était pas dans la sauvegarde.")
        if somme_de(chemin) != attendue:
            raise SauvegardeFausse(f"{nom} a changé depuis la sauvegarde.")
    if attendues:
        raise SauvegardeFausse(f"{min(attendues)} manque à la sauvegarde.")


def sommes_sures(dossier: Path) -> dict[str, str]:
    """The sums of a finished backup, by name; none where they are not those of its manifest."""
    try:
        return dict(_sommes(dossier)) if somme_de(dossier / SOMMES) == lire(dossier).sommes else {}
    except (SauvegardeFausse, OSError, ValueError):
        return {}


def contenu(dossier: Path) -> list[Path]:
    """Every file of a backup but what describes it, in one order."""
    decrivent = {dossier / MANIFESTE, dossier / SOMMES}
    return sorted(chemin for chemin in dossier.rglob("*") if chemin.is_file() and chemin not in decrivent)


def somme_de(chemin: Path) -> str:
    with chemin.open("rb") as flux:
        return hashlib.file_digest(flux, "sha256").hexdigest()


def _sommes(dossier: Path) -> Iterator[tuple[str, str]]:
    for ligne in (dossier / SOMMES).read_text(encoding="utf-8").splitlines():
        somme, _deux_espaces, nom = ligne.partition("  ")
        yield nom, somme


def faites(dossier: Path) -> list[Path]:
    """The finished backups in this folder, the latest last."""
    return sorted(un for un in dossier.glob(f"{PREFIXE}*") if (un / MANIFESTE).is_file())


def maintenant() -> datetime:
    return datetime.now(UTC)
