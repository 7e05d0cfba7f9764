"""Stores of files: a local folder, or an S3-compatible bucket. Links expire, and a browser runs nothing of them."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import IO, Any, Protocol
from urllib.parse import urlencode
from uuid import UUID, uuid4

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.core import signing
from django.core.files import File
from django.core.files.storage import FileSystemStorage, storages
from django.utils.http import content_disposition_header

from resources.erreurs import LienPerime, StockageIndisponible
from resources.models import Fichier
from resources.vocabulaire import LOCAL
from socle.domaine.acteurs import Acteur
from socle.domaine.disque import exiger_du_disque
from socle.domaine.registre import Registre

# A folder that is not for uploads -> (bucket) -> the keys in it that a row of a higher app knows.
dossiers_a_part: Registre[Callable[[str], Iterable[str]]] = Registre("dossiers à part")
MORCEAU = 64 * 1024  # bytes read at a time


class Range(Protocol):
    """A row with the bucket and the key of its file."""

    seau: str
    cle: str


class StockageLocal(FileSystemStorage):
    """Local store, readable by the service alone (0600, 0700), and synced to disk before the row is inserted."""

    def __init__(self, **options: Any) -> None:
        super().__init__(file_permissions_mode=0o600, directory_permissions_mode=0o700, **options)

    def _save(self, name: str, content: File[bytes]) -> str:
        try:
            nom: str = super()._save(name, content)  # type: ignore[misc]
            chemin = Path(self.path(nom))
            for endroit in (chemin, chemin.parent, chemin.parent.parent):
                _fixer(endroit)
        except BaseException:
            # Delete half a file: it would keep full the disk that cut it. Names are random, so it is nobody else's.
            with suppress(OSError):
                self.delete(name)
            raise
        return nom


def _fixer(endroit: Path) -> None:
    descripteur = os.open(endroit, os.O_RDONLY)
    try:
        os.fsync(descripteur)
    finally:
        os.close(descripteur)


def seau_courant() -> str:
    """Name of the bucket of new files; LOCAL without one."""
    return settings.AWS_STORAGE_BUCKET_NAME if settings.STORAGE_ENABLED else LOCAL


def seaux_connus() -> set[str]:
    """Names of the buckets that the settings reach, wherever new files go."""
    return {LOCAL, settings.AWS_STORAGE_BUCKET_NAME or LOCAL}


def stockage(seau: str) -> Any:
    """Storage of this bucket; 503 for one that the settings no longer name."""
    if seau not in seaux_connus():
        raise StockageIndisponible
    return storages[LOCAL if seau == LOCAL else "s3"]


@contextmanager
def pannes_dites() -> Iterator[None]:
    """Turn the errors of a store that is away or full into 503."""
    try:
        yield
    except (OSError, BotoCoreError, ClientError) as panne:
        raise StockageIndisponible(attente=30) from panne


def ranger(contenu: IO[bytes], *, dossier: str = "") -> tuple[str, str]:
    """Store under a random name, in a folder of `dossiers_a_part` or among the uploads; returns `(bucket, key)`."""
    if dossier:
        dossiers_a_part.exiger(dossier)  # or its files would be swept as uploads without a row
    seau, cle = seau_courant(), uuid4().hex
    with pannes_dites():
        return seau, stockage(seau).save(f"{dossier or cle[:2]}/{cle}", File(contenu))


def exiger_de_la_place(octets: int = 0, *dossiers: Path) -> None:
    """503 below the floor of free disk: where uploads wait, in these folders, and in a store that is local."""
    ranges = [stockage(LOCAL).location] if seau_courant() == LOCAL else []
    exiger_du_disque(*ranges, *dossiers, octets=octets)


def effacer(seau: str, cle: str) -> None:
    with pannes_dites():
        stockage(seau).delete(cle)


def ouvrir(fichier: Range) -> IO[bytes]:
    """Open the stored file; FileNotFoundError where the store has lost it."""
    contenu: IO[bytes] = stockage(fichier.seau).open(fichier.cle)
    return contenu


def memes_octets(un: Fichier, autre: Fichier) -> bool:
    """True where both files are seen to hold the same; False too where the store has lost one, or is away."""
    if un.taille != autre.taille:
        return False
    try:
        with ouvrir(un) as le_sien, ouvrir(autre) as l_autre:
            return all(morceau == l_autre.read(MORCEAU) for morceau in iter(lambda: le_sien.read(MORCEAU), b""))
    except (OSError, BotoCoreError, ClientError):
        return False


class Liens:
    """Addresses of one route of ours, which open for an hour without credentials."""

    def __init__(self, route: str, *, sel: str) -> None:
        self.route = route
        self._signature = signing.TimestampSigner(salt=sel)

    def adresse(self, pk: UUID) -> str:
        jeton = self._signature.sign(str(pk)).partition(":")[2]
        return f"{settings.PUBLIC_URL}/api/v1/{self.route.format(pk)}?{urlencode({'jeton': jeton})}"

    def exiger(self, pk: UUID | str, jeton: str) -> None:
        """403 for a link that is not of this row, or of more than an hour ago."""
        try:
            self._signature.unsign(f"{pk}:{jeton}", max_age=settings.FILE_LINK_LIFETIME)
        except signing.BadSignature as refus:
            raise LienPerime from refus


# Two salts: a link names no reader, so the one that it was made for decides the name that the file has there.
_liens = Liens("fichiers/{}/contenu", sel="lien de fichier")
_liens_a_soi = Liens("fichiers/{}/contenu", sel="lien de fichier, pour qui l'a envoyé")


def lien(fichier: Fichier, vu_par: Acteur | None = None) -> str:
    """An address that opens this file for an hour, without credentials; of what is out of reach, one that says so."""
    if fichier.seau == LOCAL or fichier.seau not in seaux_connus():
        liens = _liens_a_soi if vu_par is not None and vu_par.possede(fichier) else _liens
        return liens.adresse(fichier.pk)
    nom = fichier.nom_pour(vu_par)
    return lien_du_seau(fichier, nom=nom, type_servi=fichier.type_servi, duree=settings.FILE_LINK_LIFETIME)


def nom_du_lien(fichier: Fichier, jeton: str) -> str:
    """The name under which this link sends the file; 403 for one that does not open it."""
    with suppress(LienPerime):
        _liens.exiger(fichier.pk, jeton)
        return fichier.nom_d_autrui
    _liens_a_soi.exiger(fichier.pk, jeton)
    return fichier.nom


def lien_du_seau(fichier: Range, *, nom: str, type_servi: str, duree: timedelta) -> str:
    """Presigned address of the bucket itself, with the headers of our own route."""
    entetes = {
        "ResponseContentDisposition": content_disposition_header(as_attachment=True, filename=nom) or "attachment",
        "ResponseContentType": type_servi,
        "ResponseCacheControl": "private, no-store",
    }
    adresse: str = stockage(fichier.seau).url(fichier.cle, parameters=entetes, expire=int(duree.total_seconds()))
    return adresse
