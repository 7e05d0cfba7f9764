"""The relationships of a part: what it leads to, inside the document and outside."""

from typing import NamedTuple
from urllib.parse import unquote
from xml.sax.saxutils import quoteattr

from resources.nettoyage import balises
from resources.nettoyage.anonymes import LIENS

_TETE = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_ESPACE = "http://schemas.openxmlformats.org/package/2006/relationships"
# What a part needs without naming it; what it names is kept whatever its kind. The others describe, or serve a program:
# a query says where the cells of a sheet came from, and they stay without it. So is the order in which a workbook
# was computed, which must not name a cell that has no formula any more: a program finds it again.
_IMPLICITES = {
    *("styles", "settings", "fontTable", "theme", "themeOverride", "numbering", "footnotes", "endnotes", "comments"),
    *("commentsExtended", "sharedStrings", "sheetMetadata", "pivotCacheDefinition", "pivotTable"),
    *(
        "threadedComment",
        "person",
        "chartStyle",
        "chartColorStyle",
        "connections",
        "slicer",
        "slicerCache",
    ),
    *("timeline", "timelineCache", "tableSingleCells", "FeaturePropertyBag", "richValueRel"),
    *("rdRichValue", "rdRichValueStructure", "rdRichValueTypes", "rdArray", "richStyles", "rdSupportingPropertyBag"),
    *("rdSupportingPropertyBagStructure", "slideMaster", "slideLayout", "slide", "notesMaster", "notesSlide"),
    *("handoutMaster", "presProps", "viewProps", "tableStyles", "commentAuthors", "authors", "diagramDrawing"),
    *("legacyDiagramText", "vmlDrawing"),
}
_VERS_LE_WEB = {"hyperlink", "video", "media"}
_CLASSEURS = ("externalLink", "xl")  # beginnings of the kinds of links between workbooks
NULLE_PART, CLASSEUR = "about:blank", "source.xlsx"


class Relation(NamedTuple):
    id: str
    genre: str
    cible: str
    externe: bool

    @property
    def sorte(self) -> str:
        """The last word of its type: transitional and strict documents name it under different addresses."""
        return self.genre.rstrip("/").rpartition("/")[2]

    def sert(self, nommees: set[str]) -> bool:
        return self.id in nommees or self.sorte in _IMPLICITES

    def sans_chemin(self) -> "Relation":
        """The same, where an address outside is one of the web that a click opens; else it leads nowhere."""
        if not self.externe or (self.sorte in _VERS_LE_WEB and self.cible.lower().encode().startswith(LIENS)):
            return self
        if self.cible.startswith("#"):
            return self
        return self._replace(cible=CLASSEUR if self.sorte.startswith(_CLASSEURS) else NULLE_PART)


def lire(octets: bytes) -> list[Relation]:
    return [
        Relation(a.get("Id", ""), a.get("Type", ""), a.get("Target", ""), a.get("TargetMode") == "External")
        for nom, a in balises.elements(octets)
        if nom == "Relationship"
    ]


def ecrire(relations: list[Relation]) -> bytes:
    lignes = [
        f"<Relationship Id={quoteattr(une.id)} Type={quoteattr(une.genre)} Target={quoteattr(une.cible)}"
        + (' TargetMode="External"/>' if une.externe else "/>")
        for une in relations
    ]
    return _TETE + f'<Relationships xmlns="{_ESPACE}">{"".join(lignes)}</Relationships>'.encode()


def nom_des_relations(partie: str) -> str:
    dossier, _, nom = partie.rpartition("/")
    return f"{dossier}/_rels/{nom}.rels".removeprefix("/")


def resoudre(depuis: str, cible: str) -> tuple[str, str]:
    """The part that a target names, as it is written and decoded; `depuis` is the part that leads there."""
    chemin = [] if cible.startswith("/") else depuis.split("/")[:-1]
    for pas in cible.partition("#")[0].split("/"):
        if pas == "..":
            chemin = chemin[:-1]
        elif pas not in ("", "."):
            chemin.append(pas)
    nom = "/".join(chemin)
    return nom, unquote(nom)
