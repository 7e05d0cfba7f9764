"""Where files are: a local folder, or an S3-compatible bucket. Links expire, and a browser runs nothing of them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlencode
from uuid import uuid4

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.core import signing
from django.core.files import File
from django.core.files.storage import FileSystemStorage, storages
from django.utils.http import content_disposition_header

from resources.erreurs import LienPerime, StockageIndisponible
from resources.models import Fichier
from resources.vocabulaire import LOCAL

_signature = signing.TimestampSigner(salt="lien de fichier")


class StockageLocal(FileSystemStorage):
    """For the eyes of the service alone, and on the disk before the row says that it is there."""

    def __init__(self, **options: Any) -> None:
        super().__init__(file_permissions_mode=0o600, directory_permissions_mode=0o700, **options)

    def _save(self, name: str, content: File[bytes]) -> str:
        try:
            nom: str = super()._save(name, content)  # type: ignore[misc]
            chemin = Path(self.path(nom))
            for endroit in (chemin, chemin.parent, chemin.parent.parent):
                _fixer(endroit)
        except BaseException:
            # Half a file: it would keep full the disk that cut it. Names are random, so it is nobody else's.
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
    """Where a new file goes."""
    return settings.AWS_STORAGE_BUCKET_NAME if settings.STORAGE_ENABLED else LOCAL


def seaux_connus() -> set[str]:
    """Where files may be, wherever new ones go."""
    return {LOCAL, settings.AWS_STORAGE_BUCKET_NAME or LOCAL}


def stockage(seau: str) -> Any:
    """503 for a bucket that the settings no longer name."""
    if seau not in seaux_connus():
        raise StockageIndisponible
    return storages[LOCAL if seau == LOCAL else "s3"]


@contextmanager
def pannes_dites() -> Iterator[None]:
    """What a store raises when it is away or full, as 503."""
    try:
        yield
    except (OSError, BotoCoreError, ClientError) as panne:
        raise StockageIndisponible(attente=30) from panne


def ranger(contenu: IO[bytes]) -> tuple[str, str]:
    """Store under a random name; returns `(bucket, key)`."""
    seau, cle = seau_courant(), uuid4().hex
    with pannes_dites():
        return seau, stockage(seau).save(f"{cle[:2]}/{cle}", File(contenu))


def effacer(seau: str, cle: str) -> None:
    with pannes_dites():
        stockage(seau).delete(cle)


def ouvrir(fichier: Fichier) -> IO[bytes]:
    """FileNotFoundError where the store has lost it."""
    contenu: IO[bytes] = stockage(fichier.seau).open(fichier.cle)
    return contenu


def lien(fichier: Fichier) -> str:
    """An address that opens this file for an hour, without credentials; of what is out of reach, one that says so."""
    if fichier.seau == LOCAL or fichier.seau not in seaux_connus():
        jeton = _signature.sign(str(fichier.pk)).partition(":")[2]
        return f"{settings.PUBLIC_URL}/api/v1/fichiers/{fichier.pk}/contenu?{urlencode({'jeton': jeton})}"
    entetes = {
        "ResponseContentDisposition": disposition(fichier),
        "ResponseContentType": fichier.type_servi,
        "ResponseCacheControl": "private, no-store",
    }
    adresse: str = stockage(fichier.seau).url(
        fichier.cle, parameters=entetes, expire=int(settings.FILE_LINK_LIFETIME.total_seconds())
    )
    return adresse


def disposition(fichier: Fichier) -> str:
    return content_disposition_header(as_attachment=True, filename=fichier.nom) or "attachment"


def exiger_lien(pk: str, jeton: str) -> None:
    """403 for a link that is not of this file, or of more than an hour ago."""
    try:
        _signature.unsign(f"{pk}:{jeton}", max_age=settings.FILE_LINK_LIFETIME)
    except signing.BadSignature as refus:
        raise LienPerime from refus
