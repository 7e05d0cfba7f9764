"""What a browser prints: the words of a PDF, page by page."""

import re
import unicodedata
from io import BytesIO
from typing import Any

import pikepdf

_COUPLE = re.compile(r"<(\w+)>\s*<(\w+)>")
_SUITE = re.compile(r"<(\w+)>\s*<(\w+)>\s*<(\w+)>")


def pages_de(octets: bytes) -> list[str]:
    """The text of each page, without its spaces, which a PDF draws as gaps."""
    with pikepdf.open(BytesIO(octets)) as document:
        return [_texte(page) for page in document.pages]


def _texte(page: Any) -> str:
    polices = {nom: _lettres(police) for nom, police in page.Resources.Font.items()}
    dit, lettres = [], dict[int, str]()
    for operandes, operateur in pikepdf.parse_content_stream(page):
        if str(operateur) == "Tf":
            lettres = polices[str(operandes[0])]
        elif str(operateur) in ("Tj", "TJ"):
            morceaux = operandes[0] if str(operateur) == "TJ" else operandes
            for morceau in morceaux:
                if isinstance(morceau, pikepdf.String):
                    octets = bytes(morceau)
                    codes = [int.from_bytes(octets[i : i + 2]) for i in range(0, len(octets), 2)]
                    dit += [lettres.get(code, "\N{REPLACEMENT CHARACTER}") for code in codes]
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", "".join(dit)))  # two letters may be drawn as one


def _lettres(police: Any) -> dict[int, str]:
    """Glyph of a font -> what it stands for, by the table that the browser writes for whoever copies the text."""
    table = police.ToUnicode.read_bytes().decode()
    lues: dict[int, str] = {}
    for corps in re.findall(r"beginbfchar(.*?)endbfchar", table, re.S):
        lues |= {int(code, 16): bytes.fromhex(texte).decode("utf-16-be") for code, texte in _COUPLE.findall(corps)}
    for corps in re.findall(r"beginbfrange(.*?)endbfrange", table, re.S):
        for debut, fin, texte in _SUITE.findall(corps):
            codes = range(int(debut, 16), int(fin, 16) + 1)
            lues |= {code: chr(int(texte, 16) + rang) for rang, code in enumerate(codes)}
    return lues
