"""XML: what tells of a person is cut out or written over where it stands; every other byte stays as it came.

A part is proved well-formed first, and without a DTD, so that no entity hides anything: then a pattern finds its tags.
Names of elements and attributes are told by their local part, or with the prefix that `_ESPACES` gives their namespace.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple
from xml.parsers import expat

from resources.nettoyage.refus import Refuse

Valeur = Callable[[bytes], bytes | None]  # a text as it is, to what it becomes; None takes it away
Cle = bytes | tuple[bytes, bytes]
_ESPACES = {
    b"http://purl.org/dc/elements/1.1/": b"dc",
    b"urn:oasis:names:tc:opendocument:xmlns:text:1.0": b"text",
}
_ESPACE = re.compile(rb"\sxmlns:([^\s=]+)\s*=\s*[\"'](%b)[\"']" % b"|".join(map(re.escape, _ESPACES)))
_HORS = rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
ATTRIBUTS = rb"([^\"'>]*(?:\"[^\"]*\"[^\"'>]*|'[^']*'[^\"'>]*)*)"
_ATTRIBUT = re.compile(rb"\s+((?:[^\s=:]+:)?([^\s=:]+))\s*=\s*(\"[^\"]*\"|'[^']*')")
_FERMANTE = 2  # the last group of a closing tag
# The cells of a sheet, by the million: they say nothing of people, and are passed over without a look.
_CELLULES = rb"(?!(?:[cfrtv]|row|is|si)[\s/>])"
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_HORS_BALISE = re.compile(_HORS, re.DOTALL)
_RENVOI = re.compile(rb"&(?:#0*(\d{1,7})|#x0*([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));")
_NOMMES = {b"amp": b"&", b"lt": b"<", b"gt": b">", b"quot": b'"', b"apos": b"'"}
UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")


class Regles(NamedTuple):
    """Rules for the elements and attributes of a kind of document."""

    otes: frozenset[bytes]  # gone, with what they hold
    otes_si: dict[bytes, Callable[[bytes], object]]  # gone where this says so of their attributes
    deplies: frozenset[bytes]  # their tags are gone, what they hold stays
    textes: dict[bytes, Valeur]
    attributs: dict[Cle, Valeur]  # by name, or by element and name
    partout: Valeur  # the value of any other attribute
    suspects: re.Pattern[bytes]  # whether attributes are worth a look


class _Marque(NamedTuple):
    """An opening tag: its name, its attributes and where they begin, where it lies."""

    nom: bytes
    attributs: bytes
    place: int
    debut: int
    fin: int

    @property
    def vide(self) -> bool:
        return self.attributs.endswith(b"/")


def est_xml(octets: bytes) -> bool:
    return octets.startswith(UTF_16) or octets[:1024].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def en_utf_8(octets: bytes) -> bytes:
    """The same text, where UTF-16 would hide it; without the declaration that named it."""
    if not octets.startswith(UTF_16):
        return octets.removeprefix(b"\xef\xbb\xbf")
    codage = "utf-16" if octets[:2] in UTF_16[:2] else ("utf-16-le" if octets[1] == 0 else "utf-16-be")
    return _DECLARATION.sub("", octets.decode(codage), count=1).encode()


def en_clair(octets: bytes) -> bytes:
    """The text that this part of well-formed XML stands for."""
    return _RENVOI.sub(_caractere, octets) if b"&" in octets else octets


def _caractere(renvoi: re.Match[bytes]) -> bytes:
    return (
        _NOMMES[renvoi[3]] if renvoi[3] else chr(int(renvoi[1] or b"0x" + renvoi[2], 10 if renvoi[1] else 16)).encode()
    )


def _ecrit(hors: re.Match[bytes]) -> bytes:
    """A CDATA section as plain text, which is the same; a comment says what nobody sees, and so does an instruction."""
    if not hors[0].startswith(b"<![CDATA["):
        return b""
    return hors[0][9:-3].replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")


def verifier(octets: bytes) -> None:
    """Refuse what is not well-formed, and any DTD."""
    analyseur = expat.ParserCreate(namespace_separator=" ")
    analyseur.StartDoctypeDeclHandler = _refuser
    try:
        analyseur.Parse(octets, True)
    except expat.ExpatError as erreur:
        raise Refuse from erreur


def elements(octets: bytes) -> list[tuple[str, dict[str, str]]]:
    """Local name and attributes of each element, in the order of the text."""
    trouves: list[tuple[str, dict[str, str]]] = []
    analyseur = expat.ParserCreate(namespace_separator=" ")
    analyseur.StartDoctypeDeclHandler = _refuser
    analyseur.StartElementHandler = lambda nom, attributs: trouves.append(
        (_local(nom), {_local(cle): valeur for cle, valeur in attributs.items()})
    )
    try:
        analyseur.Parse(octets, True)
    except expat.ExpatError as erreur:
        raise Refuse from erreur
    return trouves


def _local(nom: str) -> str:
    return nom.rpartition(" ")[2]


def _refuser(*_: object) -> None:
    raise Refuse


def remplacer(octets: bytes, coupes: list[tuple[int, int, bytes]]) -> bytes:
    """Put these texts at these places; a place inside another goes with it."""
    morceaux, position = [], 0
    for debut, fin, neuf in sorted(coupes, key=lambda coupe: (coupe[0], -coupe[1])):
        if debut >= position:
            morceaux += [octets[position:debut], neuf]
            position = fin
    return b"".join([*morceaux, octets[position:]])


def recrire(octets: bytes, regles: Regles) -> bytes:
    return _Passe(octets, regles).faire()


class _Passe:
    """One reading of a part, from its first tag to its last."""

    def __init__(self, octets: bytes, regles: Regles) -> None:
        self._octets, self._regles = octets, regles
        self._coupes: list[tuple[int, int, bytes]] = []
        self._espaces = {prefixe: _ESPACES[uri] for prefixe, uri in _ESPACE.findall(octets)}
        self._otee: tuple[bytes, int, int] | None = None  # name, where it begins, how many are open
        self._texte: _Marque | None = None

    def faire(self) -> bytes:
        nommes = frozenset(nom.rpartition(b":")[2] for nom in _nommes(self._regles))
        for trouve in _motif(nommes).finditer(self._octets):
            if trouve.lastindex is None:
                self._hors_balise(trouve)
            elif trouve.lastindex == _FERMANTE:
                self._fermer(self._nom(trouve[1], trouve[2]), *trouve.span())
            elif trouve[4] in nommes or trouve[5] not in (b"", b"/"):
                nom = self._nom(trouve[3], trouve[4])
                self._ouvrir(_Marque(nom, trouve[5], trouve.start(5), *trouve.span()))
        return remplacer(self._octets, self._coupes)

    def _nom(self, prefixe: bytes | None, local: bytes) -> bytes:
        espace = self._espaces.get(prefixe) if prefixe else None
        return b"%b:%b" % (espace, local) if espace else local

    def _hors_balise(self, trouve: re.Match[bytes]) -> None:
        if not trouve[0].startswith(b"<?xml "):
            self._coupes.append((*trouve.span(), _ecrit(trouve)))

    def _ouvrir(self, marque: _Marque) -> None:
        if self._otee is not None:
            nom, debut, ouvertes = self._otee
            if marque.nom == nom and not marque.vide:
                self._otee = nom, debut, ouvertes + 1
        elif self._est_otee(marque):
            self._coupes += [(marque.debut, marque.fin, b"")] if marque.vide else []
            self._otee = None if marque.vide else (marque.nom, marque.debut, 1)
        elif marque.nom in self._regles.deplies:
            self._coupes.append((marque.debut, marque.fin, b""))
        else:
            self._texte = marque if marque.nom in self._regles.textes and not marque.vide else None
            if self._regles.suspects.search(marque.attributs):
                self._attributs(marque)

    def _est_otee(self, marque: _Marque) -> object:
        condition = self._regles.otes_si.get(marque.nom)
        return marque.nom in self._regles.otes or (condition is not None and condition(marque.attributs))

    def _fermer(self, nom: bytes, debut: int, fin: int) -> None:
        if self._otee is not None:
            otee, place, ouvertes = self._otee
            ouvertes -= nom == otee
            self._otee = (otee, place, ouvertes) if ouvertes else None
            self._coupes += [] if ouvertes else [(place, fin, b"")]
        elif nom in self._regles.deplies:
            self._coupes.append((debut, fin, b""))
        elif self._texte is not None and self._texte.nom == nom:
            self._recrire_le_texte(self._texte.fin, debut, self._regles.textes[nom])
        self._texte = None

    def _recrire_le_texte(self, debut: int, fin: int, valeur: Valeur) -> None:
        texte = _HORS_BALISE.sub(_ecrit, self._octets[debut:fin])
        if b"<" not in texte:  # else an element of the same name, which holds others
            self._coupes.append((debut, fin, valeur(texte) or b""))

    def _attributs(self, marque: _Marque) -> None:
        for trouve in _ATTRIBUT.finditer(marque.attributs):
            brute = trouve[3][1:-1]
            neuve = self._valeur(marque.nom, trouve[1], trouve[2], brute)
            if neuve is None:
                self._coupes.append((marque.place + trouve.start(), marque.place + trouve.end(), b""))
            elif neuve != brute:
                debut = marque.place + trouve.start(3) + 1
                self._coupes.append((debut, debut + len(brute), neuve))

    def _valeur(self, element: bytes, entier: bytes, local: bytes, brute: bytes) -> bytes | None:
        if entier.startswith(b"xmlns"):
            return brute
        regles = self._regles.attributs
        regle = regles.get((element, local)) or regles.get(local) or self._regles.partout
        return regle(brute)


def _nommes(regles: Regles) -> frozenset[bytes]:
    return regles.otes | regles.deplies | {*regles.textes, *regles.otes_si}


@cache
def _motif(nommes: frozenset[bytes]) -> re.Pattern[bytes]:
    """Pattern of what is no tag, closing tags of these names, all opening tags. Well-formed text holds no other `<`.

    Groups: prefix and name of a closing tag; prefix, name and attributes of an opening one.
    """
    noms = b"|".join(map(re.escape, sorted(nommes, reverse=True)))
    fermante = rb"</(?:([^\s/>:]+):)?(%b)\s*>" % noms
    return re.compile(
        b"|".join([_HORS, fermante, rb"<" + _CELLULES + rb"(?:([^\s/>:!?]+):)?([^\s/>:!?]+)" + ATTRIBUTS + b">"]),
        re.DOTALL,
    )
