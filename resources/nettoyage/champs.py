"""Fields of Word that name a person or a path: what they show stays as text, what they say is gone.

A field is written in pieces: where it begins, its words (cut anywhere, each session of editing its own), where what it
shows begins, where it ends. Fields stand in one another: among the words of one, another makes some of those words.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from resources.nettoyage import anonymes, balises

_PIECES = re.compile(
    rb"<(?:[^\s/>:!?]+:)?(fldChar|fldSimple|instrText|delInstrText|t|delText|drawing|pict|object)(?=[\s/>])%b>([^<]*)"
    rb"|</(?:[^\s/>:]+:)?(fldChar|fldSimple|instrText|delInstrText|drawing|pict|object)\s*>" % balises.ATTRIBUTS
)
_TEXTES, _DESSINS = (b"t", b"delText"), (b"drawing", b"pict", b"object")
_GENRE = re.compile(rb"fldCharType\s*=\s*[\"'](\w+)")
_MOTS = re.compile(rb"\binstr\s*=\s*(\"[^\"]*\"|'[^']*')")
# Filled from the properties of the document, its path, the person at the keyboard, another file or another program.
_PERSONNELS = (
    *(b"AUTHOR", b"LASTSAVEDBY", b"DOCPROPERTY", b"DOCVARIABLE", b"INFO", b"TITLE", b"SUBJECT", b"KEYWORDS"),
    *(b"COMMENTS", b"CREATEDATE", b"SAVEDATE", b"PRINTDATE", b"EDITTIME", b"REVNUM", b"TEMPLATE", b"FILENAME"),
    *(b"FILESIZE", b"USERNAME", b"USERINITIALS", b"USERADDRESS", b"MERGEFIELD", b"DATABASE", b"ADDIN"),
    *(b"ADDRESSBLOCK", b"GREETINGLINE", b"DDE", b"DDEAUTO", b"LINK", b"IMPORT", b"INCLUDE", b"INCLUDEPICTURE"),
    *(b"INCLUDETEXT", b"RD"),
)
_PERSONNEL = re.compile(rb"(?i)[\s\"]*(?:%b)\b" % b"|".join(_PERSONNELS))
# A link is one of the web, or to a place of this document; to anything else it says where that lies.
_LIEN = re.compile(rb"(?i)[\s\"]*HYPERLINK\b(?!\s+(?:\"\"\s*)?\\)(?!\s+\"?\s*(?:#|https?://|mailto:|tel:))(?=\s*\S)")
_QUESTION = re.compile(rb"(?i)[\s\"]*(?:ASK|FILLIN)\b")
_MUET = re.compile(rb"(?i)[\s\"]*(?:ASK|SET)\b")  # keeps what follows its words for others, and shows nothing
# What is answered to a question that nobody answers: up to the next switch, outside of its other texts.
_DEFAUT = re.compile(rb"(?i)\"(?:\\.|[^\"\\])*\"?|(\\d\s*(?:\"(?:\\.|[^\"\\])*\"?)?[^\\]*)", re.DOTALL)
_SIGNE = re.compile(rb"&[^;]*;|.", re.DOTALL)
# A field among the words of another: XML has no such character. Where it makes the keyword, what stands before it says
# whether that may be one of these.
_UN_CHAMP = b"\0"
_CLE_FAITE = re.compile(rb"[\s\"]*([^\s\"\\\0]*)\0")
_CLES = (*_PERSONNELS, b"HYPERLINK", b"ASK", b"FILLIN")
Coupe = tuple[int, int, bytes]


class _Mot(NamedTuple):
    """Some of the words of a field, and where they lie; or the field that makes them."""

    brut: bytes
    place: int
    champ: "_Champ | None" = None


class _Champ:
    """`depuis`, `montre` and `fin` count the hidden pieces before it, before what it shows, and at its end."""

    __slots__ = ("coupes", "depuis", "fin", "lit", "montre", "mots", "porte")

    def __init__(self, depuis: int) -> None:
        self.mots: list[_Mot] = []
        self.coupes: list[Coupe] = []
        self.depuis = self.fin = depuis
        self.montre: int | None = None
        self.lit = True  # not past its words: what follows is not what it shows
        self.porte = False  # a field among its words is one to take away

    @property
    def dit(self) -> bytes:
        return balises.en_clair(b"".join(mot.brut for mot in self.mots))

    @property
    def dit_ou(self) -> bool:
        chemin = self.dit.replace(b"\\\\", b"\\")
        return bool(_PERSONNEL.match(chemin) or _LIEN.match(chemin)) or anonymes.a_un_chemin(chemin)

    @property
    def parle(self) -> bool:
        return self.porte or self.dit_ou or self._a_une_cle_faite()

    def _a_une_cle_faite(self) -> bool:
        cle = _CLE_FAITE.match(self.dit)
        return cle is not None and any(une.startswith(cle[1].upper()) for une in _CLES)

    def defauts(self) -> Iterator[_Mot]:
        """Yield the hidden signs of a question, one by one."""
        if not _QUESTION.match(self.dit):
            return
        signes = [
            _Mot(signe[0], mot.place + signe.start(), mot.champ)
            for mot in self.mots
            for signe in _SIGNE.finditer(mot.brut)
        ]
        clairs = [balises.en_clair(signe.brut) for signe in signes]
        for defaut in _DEFAUT.finditer(b"".join(clair if len(clair) == 1 else b"?" for clair in clairs)):
            if defaut[1]:
                yield from signes[defaut.start() : defaut.end()]


def delier(octets: bytes) -> bytes:
    """Well-formed text without comments, as `balises.recrire` leaves it."""
    if b"fldChar" not in octets and b"fldSimple" not in octets:
        return octets
    lecture = _Lecture()
    for piece in _PIECES.finditer(octets):
        lecture.noter(piece)
    return balises.remplacer(octets, lecture.finir())


class _Lecture:
    """One reading of a part. Where a field hides what it holds, each piece is kept: all go if it goes."""

    def __init__(self) -> None:
        self._coupes: list[Coupe] = []
        self._complexes: list[_Champ] = []
        self._simples: list[_Champ] = []
        self._ouverte: tuple[_Champ | None, int, bool] | None = None  # a piece that is not closed yet
        self._cachees: list[tuple[int, int]] = []
        self._dessins: list[int | None] = []  # where those that are not closed yet begin, if hidden
        self._cachent = 0  # how many fields, here, hide what they hold
        self._otees: list[tuple[int, int]] = []  # among the hidden pieces, from one to another

    def noter(self, piece: re.Match[bytes]) -> None:
        if piece[4]:
            self._fermer(piece[4], *piece.span())
        elif piece[1] in _TEXTES:
            self._texte(piece)
        elif piece[1] in _DESSINS:
            self._dessin(piece)
        elif piece[1] == b"fldSimple":
            self._simple(piece)
        elif piece[1] == b"fldChar":
            self._complexe(piece)
        else:
            self._instruction(piece)

    def finir(self) -> list[Coupe]:
        """The cuts of all fields, those that the document never ends among them."""
        for champ in self._complexes:
            if champ.montre is None and champ.dit_ou:
                champ.montre = len(self._cachees)
            # Else nobody knows where its words end: what follows is no part of them.
            self._juger(champ, champ.depuis if champ.montre is None else champ.montre)
        position = 0
        for debut, fin in sorted(self._otees):
            self._coupes += [(*place, b"") for place in self._cachees[max(debut, position) : fin]]
            position = max(position, fin)
        return self._coupes

    @property
    def _lu(self) -> _Champ | None:
        """The field whose words these are."""
        return self._complexes[-1] if self._complexes and self._complexes[-1].lit else None

    def _cacher(self, debut: int, fin: int) -> None:
        if self._cachent:
            self._cachees.append((debut, fin))

    def _texte(self, piece: re.Match[bytes]) -> None:
        """A field inside the words of another shows nothing: its text goes with those words."""
        if piece[2].endswith(b"/"):
            return
        self._cacher(*piece.span(3))
        if self._lu is not None:
            self._lu.mots.append(_Mot(piece[3], piece.start(3)))

    def _dessin(self, piece: re.Match[bytes]) -> None:
        if not piece[2].endswith(b"/"):
            self._dessins.append(piece.start() if self._cachent else None)

    def _instruction(self, piece: re.Match[bytes]) -> None:
        champ = self._complexes[-1] if self._complexes else None
        if champ is not None and not piece[2].endswith(b"/"):
            champ.mots.append(_Mot(piece[3], piece.start(3)))
            self._ouverte = champ, piece.start(), False

    def _complexe(self, piece: re.Match[bytes]) -> None:
        genre = _GENRE.search(piece[2])
        sorte = genre[1] if genre else b""
        if sorte == b"begin":
            self._commencer(self._complexes)
        champ = self._complexes[-1] if self._complexes else None
        if champ is not None and sorte == b"separate":
            self._separer(champ)
        if piece[2].endswith(b"/"):
            self._poser(champ, piece.start(), piece.end(2) + 1, finit=sorte == b"end")
        else:
            self._ouverte = champ, piece.start(), sorte == b"end"

    def _commencer(self, champs: list[_Champ]) -> _Champ:
        champ = _Champ(len(self._cachees))
        if self._lu is not None:
            self._lu.mots.append(_Mot(_UN_CHAMP, 0, champ))
        champs.append(champ)
        self._cachent += 1
        return champ

    def _separer(self, champ: _Champ) -> None:
        champ.lit = False
        if champ.montre is None and not _MUET.match(champ.dit):
            champ.montre = len(self._cachees)
            self._cachent -= 1

    def _poser(self, champ: _Champ | None, debut: int, fin: int, *, finit: bool) -> None:
        if champ is None:
            return
        champ.coupes.append((debut, fin, b""))
        self._cacher(debut, fin)
        if finit:
            self._terminer(self._complexes.pop())

    def _terminer(self, champ: _Champ) -> None:
        champ.fin = len(self._cachees)
        if champ.montre is None:
            champ.montre = champ.fin
            self._cachent -= 1
        if self._juger(champ, champ.montre) and self._lu is not None:
            self._lu.porte = True

    def _juger(self, champ: _Champ, montre: int) -> bool:
        if champ.parle:
            self._coupes += champ.coupes
            self._otees.append((champ.depuis, montre))
            return True
        for signe in champ.defauts():
            if signe.champ is None:
                self._coupes.append((signe.place, signe.place + len(signe.brut), b""))
            else:
                self._otees.append((signe.champ.depuis, signe.champ.fin))
        return False

    def _simple(self, piece: re.Match[bytes]) -> None:
        mots = _MOTS.search(piece[2])
        champ = self._commencer(self._simples)
        if mots:
            champ.mots.append(_Mot(mots[1][1:-1], piece.start(2) + mots.start(1) + 1))
        champ.coupes.append((piece.start(), piece.end(2) + 1, b""))
        self._cacher(piece.start(), piece.end(2) + 1)
        if piece[2].endswith(b"/"):
            self._terminer(self._simples.pop())
        else:
            self._separer(champ)

    def _fermer(self, nom: bytes, debut: int, fin: int) -> None:
        if nom == b"fldSimple" and self._simples:
            champ = self._simples.pop()
            champ.coupes.append((debut, fin, b""))
            self._cacher(debut, fin)
            self._terminer(champ)
        elif nom in _DESSINS and self._dessins:
            place = self._dessins.pop()
            if place is not None:
                self._cacher(place, fin)
        elif nom in (b"fldChar", b"instrText", b"delInstrText") and self._ouverte is not None:
            ouvert, place, finit = self._ouverte
            self._ouverte = None
            self._poser(ouvert, place, fin, finit=finit)
