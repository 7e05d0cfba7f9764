"""ZIP archives: read within bounds, and written again without a date, an attribute or a comment."""

import zipfile
from collections.abc import Iterable
from io import BytesIO

from resources.nettoyage.refus import CHIFFRE, TROP_D_OBJETS, TROP_GROS, Refuse

_ENTREES_MAX = 5_000
_PARTIE_MAX = 48 << 20
_TOTAL_MAX = 96 << 20
_PROFONDEUR_MAX = 3
_METHODES = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_CHIFFREE = 0x1
_JAMAIS = (1980, 1, 1, 0, 0, 0)
# A large sheet is compressed quickly: its seconds of processor are counted.
_GRANDE = 4 << 20


class Reste:
    """Bytes, entries and depth that may still be read, shared by a document and those inside it."""

    def __init__(self) -> None:
        self.octets, self.entrees, self.profondeur = _TOTAL_MAX, _ENTREES_MAX, _PROFONDEUR_MAX


class Archive:
    def __init__(self, octets: bytes, reste: Reste) -> None:
        self._zip, self._reste = zipfile.ZipFile(BytesIO(octets)), reste
        infos = [info for info in self._zip.infolist() if not info.is_dir()]
        reste.entrees -= len(infos)
        if reste.entrees < 0:
            raise Refuse(TROP_D_OBJETS)
        self._infos = {info.filename: info for info in infos}
        # Which of two a program takes is its own choice; names of parts differ by more than their case.
        self._noms = {nom.lower(): nom for nom in self._infos}
        if len(self._noms) < len(infos):
            raise Refuse
        if any(info.flag_bits & _CHIFFREE for info in infos):
            raise Refuse(CHIFFRE)

    def __iter__(self) -> Iterable[str]:
        """The names, in the order of the archive."""
        return iter(self._infos)

    def nom(self, demande: str) -> str | None:
        """The entry of this name, whatever its case; None for a name that leads elsewhere or nowhere."""
        nom = self._noms.get(demande.lower())
        if nom is None or "\\" in nom or not nom.isprintable() or {"", ".", ".."} & set(nom.split("/")):
            return None
        return nom

    def lire(self, nom: str) -> bytes:
        """Decompress no more than it announces, and check that it is that."""
        info = self._infos[nom]
        self._reste.octets -= info.file_size
        if info.file_size > _PARTIE_MAX or self._reste.octets < 0:
            raise Refuse(TROP_GROS)
        if info.compress_type not in _METHODES:
            raise Refuse
        octets = self._zip.read(info)
        if len(octets) != info.file_size:
            raise Refuse
        return octets

    def ecrire(self, parties: dict[str, bytes]) -> bytes:
        """These parts, in the order and each with the method that they had here."""
        sortie = BytesIO()
        with zipfile.ZipFile(sortie, "w") as archive:
            for nom in [*self._infos, *(nom for nom in parties if nom not in self._infos)]:
                if nom in parties:
                    methode = self._infos[nom].compress_type if nom in self._infos else zipfile.ZIP_DEFLATED
                    _ajouter(archive, nom, parties[nom], methode)
        return sortie.getvalue()


def _ajouter(archive: zipfile.ZipFile, nom: str, octets: bytes, methode: int) -> None:
    info = zipfile.ZipInfo(nom, _JAMAIS)
    info.create_system = 0
    archive.writestr(info, octets, methode, 1 if len(octets) > _GRANDE else 6)
