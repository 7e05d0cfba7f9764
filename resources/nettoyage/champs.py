"""Fields of Word that name a person or a path: what they show stays as text, what they say is gone.

A field is written in pieces: where it begins, its words (cut anywhere, each session of editing its own), where what it
shows begins, where it ends. Fields stand in one another.
"""

import re

from resources.nettoyage import anonymes, balises

_PIECES = re.compile(
    rb"<(?:[^\s/>:!?]+:)?(?:(fldChar|fldSimple)\b%b>|(instrText|delInstrText)\b[^>]*>([^<]*))"
    rb"|</(?:[^\s/>:]+:)?(fldChar|fldSimple|instrText|delInstrText)\s*>" % balises.ATTRIBUTS
)
_GENRE = re.compile(rb"fldCharType\s*=\s*[\"'](\w+)")
_MOTS = re.compile(rb"\binstr\s*=\s*(\"[^\"]*\"|'[^']*')")
# Filled from the properties of the document, its path or the person at the keyboard.
_PERSONNELS = re.compile(
    rb"(?i)^\s*(?:AUTHOR|LASTSAVEDBY|DOCPROPERTY|DOCVARIABLE|INFO|TITLE|SUBJECT|KEYWORDS|COMMENTS|CREATEDATE|SAVEDATE"
    rb"|PRINTDATE|EDITTIME|REVNUM|TEMPLATE|FILENAME|FILESIZE|USERNAME|USERINITIALS|USERADDRESS|MERGEFIELD|DATABASE"
    rb"|ADDIN)\b"
)


class _Champ:
    __slots__ = ("coupes", "mots")

    def __init__(self, mots: bytes = b"") -> None:
        self.mots = mots
        self.coupes: list[tuple[int, int, bytes]] = []

    @property
    def parle(self) -> bool:
        chemin = self.mots.replace(b"\\\\", b"\\").replace(b"&quot;", b'"')
        return bool(_PERSONNELS.match(self.mots)) or anonymes.a_un_chemin(chemin)


def delier(octets: bytes) -> bytes:
    """Well-formed text without comments, as `balises.recrire` leaves it."""
    if b"fldChar" not in octets and b"fldSimple" not in octets:
        return octets
    lecture = _Lecture()
    for piece in _PIECES.finditer(octets):
        lecture.noter(piece)
    return balises.remplacer(octets, lecture.coupes)


class _Lecture:
    def __init__(self) -> None:
        self.coupes: list[tuple[int, int, bytes]] = []
        self._complexes: list[_Champ] = []
        self._simples: list[_Champ] = []
        self._ouverte: tuple[_Champ | None, int, bool] | None = None  # a piece that is not closed yet

    def noter(self, piece: re.Match[bytes]) -> None:
        if piece[5]:
            self._fermer(piece[5], *piece.span())
        elif piece[3]:
            self._instruction(piece)
        elif piece[1] == b"fldSimple":
            self._simple(piece)
        else:
            self._complexe(piece)

    def _instruction(self, piece: re.Match[bytes]) -> None:
        champ = self._complexes[-1] if self._complexes else None
        if champ is not None and not piece[0].endswith(b"/>"):
            champ.mots += piece[4]
            self._ouverte = champ, piece.start(), False

    def _complexe(self, piece: re.Match[bytes]) -> None:
        genre = _GENRE.search(piece[2])
        if genre and genre[1] == b"begin":
            self._complexes.append(_Champ())
        champ, finit = (self._complexes[-1] if self._complexes else None), bool(genre and genre[1] == b"end")
        if piece[2].endswith(b"/"):
            self._poser(champ, piece.start(), piece.end(), finit=finit)
        else:
            self._ouverte = champ, piece.start(), finit

    def _poser(self, champ: _Champ | None, debut: int, fin: int, *, finit: bool) -> None:
        if champ is None:
            return
        champ.coupes.append((debut, fin, b""))
        if finit:
            self._complexes.pop()
            self.coupes += champ.coupes if champ.parle else []

    def _simple(self, piece: re.Match[bytes]) -> None:
        mots = _MOTS.search(piece[2])
        champ = _Champ(mots[1][1:-1] if mots else b"")
        champ.coupes.append((*piece.span(), b""))
        if not piece[2].endswith(b"/"):
            self._simples.append(champ)
        elif champ.parle:
            self.coupes += champ.coupes

    def _fermer(self, nom: bytes, debut: int, fin: int) -> None:
        if nom == b"fldSimple" and self._simples:
            champ = self._simples.pop()
            champ.coupes.append((debut, fin, b""))
            self.coupes += champ.coupes if champ.parle else []
        elif nom != b"fldSimple" and self._ouverte is not None:
            ouvert, place, finit = self._ouverte
            self._ouverte = None
            self._poser(ouvert, place, fin, finit=finit)
