"""Substitutes for names, dates and paths in a cleaned document: the same for the same, and nothing of it."""

import re

JAMAIS = b"2000-01-01T00:00:00Z"
_FIN = rb"(?:(?!&apos;|&quot;)[^\"'#<>])*"
# A path of somebody's machine: of a file, of Windows, of a share, of a home.
_CHEMIN = re.compile(
    rb"(?i)(?<![a-z0-9])file:%b|(?<![a-z0-9])[a-z]:[\\/](?!/)%b|\\\\[^\\/\"'<>]+[\\/]%b|(?<![\w.:/-])/(?:home|users)/%b"
    % ((_FIN,) * 4)
)
_FICHIER = re.compile(rb"(?i)\.(?:jpe?g|png|gif|bmp|tiff?|heic|heif|webp|emf|wmf|svg|mp4|mov|m4v|wav|mp3|pdf)\s*$")
_NEUTRE = re.compile(rb"(?:lien\d+|StdDocumentName)?$")
_FIL = re.compile(rb"tc=\{[0-9A-Fa-f-]+\}\s*$")
LIENS = (b"http://", b"https://", b"mailto:", b"tel:")


class Anonymes:
    """One for a document and those inside it: whoever wrote twice is the same in each part."""

    def __init__(self) -> None:
        self.auteurs: dict[bytes, bytes] = {}
        self._chemins: dict[bytes, bytes] = {}

    def auteur(self, nom: bytes) -> bytes:
        """`Auteur 1`; a comment of Excel that belongs to a thread names it instead, and stays."""
        nom = nom.strip()
        if not nom or _FIL.match(nom) or nom in self.auteurs.values():
            return nom
        return self.auteurs.setdefault(nom, b"Auteur %d" % (len(self.auteurs) + 1))

    def chemins(self, valeur: bytes) -> bytes:
        return _CHEMIN.sub(lambda trouve: self._chemin(trouve[0]), valeur)

    def _chemin(self, chemin: bytes) -> bytes:
        return self._chemins.setdefault(chemin, b"lien%d" % (len(self._chemins) + 1))

    def lien(self, nom: bytes) -> bytes:
        """Replace the name of data that another program sends; a document taken whole has the same name everywhere."""
        return nom if _NEUTRE.match(nom) else self._chemin(nom)

    def nom_de_fichier(self, valeur: bytes) -> bytes:
        """The name that a program gives to a picture, where it is that of its file."""
        return b"" if _FICHIER.search(valeur) or a_un_chemin(valeur) else valeur


def a_un_chemin(valeur: bytes) -> bool:
    return _CHEMIN.search(valeur) is not None


def oter(_: bytes) -> None:
    """Take the attribute away."""


def vider(_: bytes) -> bytes:
    return b""


def jamais(_: bytes) -> bytes:
    return JAMAIS
