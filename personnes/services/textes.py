"""Replacement of texts by which a person was known: as they are written, or however somebody typed them."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, quote_plus, unquote_plus, urlencode

from accounts.vocabulaire import NOM_COMPLET_EFFACE
from socle.domaine.recherche import simple

# Not inside a longer name or address: "Awa Diop-Ba", "jean.awa@campus.example", "awa@campus.example.org".
_BORDS = r"(?<![\w.+-])(?:{})(?![\w-]|\.\w)"
_ENTRE = re.compile(r"[\s'’ʼ‐-―-]+")  # what two people write differently between the words of a name
_ADRESSES_DANS_UNE_ADRESSE = 3


class Textes:
    """Texts, and what stands in the place of each; capitals do not count."""

    def __init__(self, remplacants: dict[str, str]) -> None:
        self._remplacants = {self._cle(texte): remplacant for texte, remplacant in remplacants.items()}
        self.textes = sorted(remplacants, key=len, reverse=True)
        self._motif = re.compile(_BORDS.format("|".join(map(self._forme, self.textes))), re.IGNORECASE)

    def remplacer(self, valeur: Any) -> Any:
        """The value with what its strings hold replaced, at any depth."""
        if isinstance(valeur, str):
            return self.dans(valeur)
        if isinstance(valeur, dict):
            return {nom: self.remplacer(contenu) for nom, contenu in valeur.items()}
        if isinstance(valeur, list):
            return [self.remplacer(element) for element in valeur]
        return valeur

    def dans(self, texte: str) -> str:
        return self._motif.sub(self._remplacant, texte) if self.textes else texte

    def _remplacant(self, trouve: re.Match[str]) -> str:
        return self._remplacants.get(self._cle(trouve[0]), NOM_COMPLET_EFFACE)

    def _cle(self, texte: str) -> str:
        return texte.casefold()

    def _forme(self, texte: str) -> str:
        return re.escape(texte)


class Replies(Textes):
    """The same, whatever the accents, and whatever separates words: looked for in the folded text, replaced in it."""

    def dans(self, texte: str) -> str:
        if not self.textes or not self._motif.search(plier(texte)):
            return texte
        replie, places = _replier(texte)
        morceaux, fin = [], 0
        for trouve in self._motif.finditer(replie):
            morceaux += [texte[fin : places[trouve.start()]], self._remplacant(trouve)]
            fin = places[trouve.end()]
        return "".join([*morceaux, texte[fin:]])

    def _cle(self, texte: str) -> str:
        return _ENTRE.sub(" ", plier(texte))

    def _forme(self, texte: str) -> str:
        if "@" in texte:
            return re.escape(plier(texte))
        return _ENTRE.pattern.join(map(re.escape, self._cle(texte).split()))


def plier(texte: str) -> str:
    """Search form, but that apostrophes and dashes stay: they tell a name from a longer one."""
    return " ".join("".join(map(_pli, texte)).split())


def _replier(texte: str) -> tuple[str, list[int]]:
    """Search form, letter by letter; and for each of its letters, and its end, the place in the text."""
    plis = [_pli(lettre) for lettre in texte]
    places = [place for place, pli in enumerate(plis) for _lettre in pli]
    return "".join(plis), [*places, len(texte)]


@lru_cache(maxsize=4096)
def _pli(lettre: str) -> str:
    for _passage in range(2):
        lettre = unicodedata.normalize("NFKD", lettre).casefold()
    return "".join(c if c < "\x80" or simple(c) == " " else simple(c) for c in lettre)


def dans_une_adresse(
    texte: str, nom: str, remplacer: Callable[[str, str], str], reste: int = _ADRESSES_DANS_UNE_ADRESSE
) -> str:
    """Call `remplacer(text, name)` on this text, and on what it says as an address or a query, with or without `?`.

    What changes nothing is returned as it was written, whatever its encoding.
    """
    texte = remplacer(texte, nom)
    if not reste:
        return texte
    if "=" not in texte:
        lu = unquote_plus(texte)
        rendu = remplacer(lu, nom)
        return texte if rendu == lu else quote_plus(rendu, safe="/:")
    chemin, point, question = texte.rpartition("?")
    avant = parse_qsl(question, keep_blank_values=True)
    apres = [(cle, dans_une_adresse(valeur, cle, remplacer, reste - 1)) for cle, valeur in avant]
    return texte if apres == avant else f"{chemin}{point}{urlencode(apres)}"
