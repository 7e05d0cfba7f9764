"""Likeness of a question to somebody's own name, or to a piece of it."""

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from socle.domaine.recherche import indexable, termes

# Words of every text: alone in a question they look for nobody, though they are in many names.
_OUTILS = re.compile("a|aux?|de?|des|du|en|est|et|la?|les?|ne|on|ou|par|pas|que|qui|sa|se|son|sur|une?|y")
_CHIFFRE = re.compile("[0-9]")
_NOM_ENTIER = 3  # letters of a name that betray it inside a longer word
_NOM_LONG = 5  # letters from which one of them may be wrong
# « l'infirmier », "N'Guessan", « M. Ilunga »: what stands before the name; an initial (« I. infirmier ») is the name's.
_AVANT_LE_NOM = re.compile(r"(?:[cdjlmnst] |m\. ?)(?=[^\W\d_]{3})")
_MOTS = re.compile(r"[^\W\d_]{2,}|(?<![^\W_])[^\W\d_](?![^\W_])")  # a lone letter beside no digit


def mots_d_un_nom(*textes: str) -> set[str]:
    """The words of names, in plain form, each two neighbours as one, and all: « Le Goff » is written « Legoff » too."""
    noms: set[str] = set()
    for texte in textes:
        mots = _MOTS.findall(indexable(texte))
        noms.update(mots, map("".join, pairwise(mots)), ["".join(mots)])
    return noms - {""}


def mots_d_une_adresse(adresse: str) -> set[str]:
    """Words of what stands before the @, and all of it with its digits, as one."""
    local = indexable(adresse.partition("@")[0])
    return (mots_d_un_nom(local) | {_colle(local)}) - {""}


def ressemble(question: str, noms: Collection[str]) -> bool:
    """True where a word of the question is a name, a piece of one, holds one, or is one letter away from one.

    `noms` in plain form. An initial counts inside a phrase ("M. I."), a word such as « la » only as the whole name.
    """
    cherches = termes(question)
    creux = {mot for mot in cherches if _OUTILS.fullmatch(mot)} - {*noms}
    if any(_evoque(mot, noms) for terme in cherches if terme not in creux for mot in _mots(terme)):
        return True
    chiffres = [_colle(terme.partition("@")[0]) for terme in cherches if _CHIFFRE.search(terme)]
    return any(len(un) > 1 and un in nom for un in chiffres for nom in noms)


def _mots(terme: str) -> Iterator[str]:
    yield from _MOTS.findall(_AVANT_LE_NOM.sub("", terme, count=1) if _AVANT_LE_NOM.match(terme) else terme)
    yield "".join(_MOTS.findall(terme))  # parted by what is not a letter: "i.l.u.n.g.a"


def _colle(texte: str) -> str:
    return "".join(c for c in texte if c.isalnum())


def _evoque(mot: str, noms: Collection[str]) -> bool:
    if len(mot) < 2:
        return any(nom.startswith(mot) for nom in noms if mot)
    return any(mot in nom or (len(nom) >= _NOM_ENTIER and nom in mot) or _est_proche(mot, nom) for nom in noms)


def _est_proche(mot: str, nom: str) -> bool:
    """One letter wrong, missing, added or exchanged with the next, in the name or in a piece as long as the word."""
    if min(len(mot), len(nom)) < _NOM_LONG:
        return False
    longueurs = range(max(len(mot) - 1, _NOM_LONG - 1), len(mot) + 2)
    morceaux = (nom[debut : debut + n] for n in longueurs for debut in range(len(nom) - n + 1))
    return any(_a_une_lettre_pres(mot, morceau) for morceau in morceaux)


def _a_une_lettre_pres(mot: str, autre: str) -> bool:
    while mot and autre and mot[0] == autre[0]:
        mot, autre = mot[1:], autre[1:]
    if mot[1:] == autre[1:] or mot[1:] == autre or mot == autre[1:]:
        return True
    return mot[:2] == autre[1::-1] and mot[2:] == autre[2:]
