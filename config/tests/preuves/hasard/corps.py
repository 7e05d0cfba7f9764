"""Bodies that are almost good: another value at one place of a JSON body, or the whole of it written otherwise."""

import copy
import gzip
import json
from itertools import pairwise
from random import Random
from typing import Any

from config.tests.preuves.hasard.valeurs import JSON, json_au_hasard

Voie = tuple[str | int, ...]
MARQUE = "valeur-brute"


def ecrire(corps: Any) -> bytes:
    return json.dumps(corps).encode()


def gater(corps: Any, voie: Voie, hasard: Random) -> bytes:
    """The JSON of this body without this field, with it twice, or with something else in it."""
    quoi = hasard.random()
    if quoi < 0.1:
        return ecrire(_avec(corps, voie, None, oter=True))
    brute = hasard.choice(JSON) if quoi < 0.7 else json_au_hasard(hasard)
    marque = ecrire(MARQUE)
    ecrit = ecrire(_avec(corps, voie, MARQUE))
    if quoi > 0.9 and isinstance(voie[-1], str):
        cle = ecrire(voie[-1])
        return ecrit.replace(marque, b"1, " + cle + b": " + brute)
    return ecrit.replace(marque, brute)


def _avec(corps: Any, voie: Voie, valeur: Any, *, oter: bool = False) -> Any:
    """A copy with this value there; what leads there is made where it is absent."""
    neuf = copy.deepcopy(corps)
    ici = neuf
    for cle, suivante in pairwise(voie):
        vide: Any = [] if isinstance(suivante, int) else {}
        if isinstance(ici, list):
            if not ici or not isinstance(ici[0], type(vide)):
                ici[:] = [vide]
            ici = ici[0]
        else:
            if not isinstance(ici.get(cle), type(vide)):
                ici[cle] = vide
            ici = ici[cle]
    if isinstance(ici, list):
        ici[:] = [] if oter else [valeur]
    elif oter:
        ici.pop(voie[-1], None)
    else:
        ici[voie[-1]] = valeur
    return neuf


# The whole body, from a good one.
ENTIERS = [
    lambda bon: b"",
    lambda bon: b" \r\n\t",
    lambda bon: bon[:-1],
    lambda bon: bon[: len(bon) // 2],
    lambda bon: bon + bon,
    lambda bon: b"[" + bon + b"]",
    lambda bon: b"null",
    lambda bon: b'"texte"',
    lambda bon: b"\xef\xbb\xbf" + bon,
    lambda bon: bon.decode("latin-1").encode("utf-16"),
    lambda bon: bon.decode("latin-1").encode("utf-32-le"),
    lambda bon: gzip.compress(bon),
    lambda bon: b"\xff" + bon,
    lambda bon: b"a=1&b=2",
    lambda bon: b"<a/>",
    lambda bon: b"--x\r\n\r\n--x--\r\n",
    lambda bon: b"{" * 100_000,
    lambda bon: b'{"a": "' + b"a" * 900_000 + b'"}',
    lambda bon: b'{"a": "' + b"a" * 1_200_000 + b'"}',
    lambda bon: b"{" + b",".join(b'"k%d": [[[[]]]]' % n for n in range(20_000)) + b"}",
    lambda bon: bytes(range(256)) * 20,
]
