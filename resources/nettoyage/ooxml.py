"""DOCX, XLSX, PPTX: the parts that the main one leads to, each without what it says of people.

Properties, thumbnails, signatures, macros, data of programs, printers: nothing that is shown leads there, so they are
left behind. What draws is copied, and what was written by several stays told apart: `Auteur 1`, `Auteur 2`.
"""

import re
from xml.sax.saxutils import quoteattr

from resources.nettoyage import balises, champs, connexions, formules, medias, relations
from resources.nettoyage.archive import Archive
from resources.nettoyage.contexte import Contexte
from resources.nettoyage.refus import TROP_DIVERS, Refuse
from resources.nettoyage.regles_ooxml import regles, regles_de_svg

TYPES = "[Content_Types].xml"
_RACINE = "_rels/.rels"
_DOCUMENT, _PROGRAMME = "officeDocument", "extended-properties"
_TETE = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_ESPACE = "http://schemas.openxmlformats.org/package/2006/content-types"
_NOMMEES = re.compile(rb"\s[\w.-]+:[\w.-]+\s*=\s*(?:\"([^\"<]{1,60})\"|'([^'<]{1,60})')")
# LibreOffice trusts the heights and results of a sheet that a program of Microsoft wrote, so that much is kept.
_DE_MICROSOFT = re.compile(rb"<(?:\w+:)?Application>\s*Microsoft")
_PROPRIETES = (
    _TETE + b'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    b"<Application>Microsoft Office</Application></Properties>"
)
_ENTITE = re.compile(rb"<!(?:DOCTYPE|ENTITY)")
_SVG = re.compile(rb"<(?:\w+:)?svg[\s>]")
_OOXML = "application/vnd.openxmlformats-officedocument."
# A document with macros becomes the one without; a model stays a model, a show a show.
_SANS_MACRO = {
    "application/vnd.ms-word.document.macroenabled.main+xml": "wordprocessingml.document",
    "application/vnd.ms-word.template.macroenabledtemplate.main+xml": "wordprocessingml.template",
    "application/vnd.ms-excel.sheet.macroenabled.main+xml": "spreadsheetml.sheet",
    "application/vnd.ms-excel.template.macroenabled.main+xml": "spreadsheetml.template",
    "application/vnd.ms-powerpoint.presentation.macroenabled.main+xml": "presentationml.presentation",
    "application/vnd.ms-powerpoint.template.macroenabled.main+xml": "presentationml.template",
    "application/vnd.ms-powerpoint.slideshow.macroenabled.main+xml": "presentationml.slideshow",
}


def nettoyer(octets: bytes, contexte: Contexte) -> bytes:
    return _Document(Archive(octets, contexte.reste), contexte).nettoyer()


class _Document:
    def __init__(self, archive: Archive, contexte: Contexte) -> None:
        self._archive, self._contexte = archive, contexte
        self._regles, self._regles_de_svg = regles(contexte.anonymes), regles_de_svg(contexte.anonymes)
        self._formules = formules.Formules()
        self._parties: dict[str, bytes] = {}

    def nettoyer(self) -> bytes:
        types = balises.elements(balises.en_utf_8(self._archive.lire(self._exiger(TYPES))))
        racines = [une for une in self._relations("") if not une.externe]
        documents = [une for une in racines if une.sorte == _DOCUMENT]
        if len(documents) != 1:
            raise Refuse
        programmes = [une for une in racines if une.sorte == _PROGRAMME and self._garder_le_programme(une)]
        self._parties[self._exiger(_RACINE)] = relations.ecrire([*documents, *programmes])
        a_lire = [(self._cible("", documents[0].cible), _DOCUMENT)]
        while a_lire:
            nom, sorte = a_lire.pop()
            if nom is not None and nom not in self._parties:
                a_lire += self._partie(nom, sorte)
        self._parties[TYPES] = _types(types, self._parties)
        return self._archive.ecrire(self._parties)

    def _garder_le_programme(self, relation: relations.Relation) -> bool:
        nom = self._cible("", relation.cible)
        if nom is None or not _DE_MICROSOFT.search(balises.en_utf_8(self._archive.lire(nom))):
            return False
        self._parties[nom] = _PROPRIETES
        return True

    def _exiger(self, nom: str) -> str:
        trouve = self._archive.nom(nom)
        if trouve is None:
            raise Refuse
        return trouve

    def _cible(self, depuis: str, cible: str) -> str | None:
        noms = relations.resoudre(depuis, cible)
        return self._archive.nom(noms[0]) or self._archive.nom(noms[1])

    def _relations(self, partie: str) -> list[relations.Relation]:
        nom = self._archive.nom(relations.nom_des_relations(partie))
        return relations.lire(balises.en_utf_8(self._archive.lire(nom))) if nom else []

    def _programmes(self, classeur: str, octets: bytes) -> frozenset[int]:
        """The links of a workbook to other programs, by the numbers that its formulas have for them."""
        clair = balises.en_utf_8(octets)
        if b"externalReference" not in clair:
            return frozenset()
        cibles = {une.id: self._cible(classeur, une.cible) for une in self._relations(classeur) if not une.externe}
        liens = [cibles.get(a.get("id", "")) for nom, a in balises.elements(clair) if nom == "externalReference"]
        return frozenset(n for n, lien in enumerate(liens, 1) if lien and self._est_un_programme(lien))

    def _est_un_programme(self, lien: str) -> bool:
        octets = balises.en_utf_8(self._archive.lire(lien))
        return any(nom in ("ddeLink", "oleLink") for nom, _ in balises.elements(octets))

    def _partie(self, nom: str, sorte: str) -> list[tuple[str | None, str]]:
        """Clean this part; return those that it leads to."""
        octets = self._archive.lire(nom)
        if sorte == _DOCUMENT:
            self._formules.programmes |= self._programmes(nom, octets)
        propre = self._parties[nom] = self._contenu(octets, sorte)
        toutes = self._relations(nom)
        nommees = {(a or b).decode("utf-8", "replace") for a, b in _NOMMEES.findall(propre)} if toutes else set()
        gardees = [une.sans_chemin() for une in toutes if une.sert(nommees)]
        if gardees:
            self._parties[self._exiger(relations.nom_des_relations(nom))] = relations.ecrire(gardees)
        return [(self._cible(nom, une.cible), une.sorte) for une in gardees if not une.externe]

    def _contenu(self, octets: bytes, sorte: str) -> bytes:
        if sorte == "font":
            return octets
        if octets.startswith((b"PK\3\4", b"PK\5\6")):
            return self._contexte.inclus(octets, self._contexte)
        if sorte == "aFChunk":
            raise Refuse(TROP_DIVERS)  # a page or a text of another format, which is shown as part of this one
        if not balises.est_xml(octets):
            return medias.nettoyer(octets, self._contexte.bornes)
        return self._xml(balises.en_utf_8(octets), sorte)

    def _xml(self, octets: bytes, sorte: str) -> bytes:
        if _ENTITE.search(octets):
            raise Refuse
        if sorte != "vmlDrawing":  # Excel itself leaves some of these badly closed
            balises.verifier(octets)
        if sorte == "connections":
            return connexions.recrire(octets)
        if _SVG.search(octets[:4096]):
            return balises.recrire(octets, self._regles_de_svg)
        propre = self._formules.figer(champs.delier(balises.recrire(octets, self._regles)))
        return self._prefixes(propre) if sorte == "comments" else propre

    def _prefixes(self, octets: bytes) -> bytes:
        """Excel begins a comment with the name of its author."""
        for nom, neuf in self._contexte.anonymes.auteurs.items():
            octets = re.sub(rb"(<(?:\w+:)?t(?:\s[^>]*)?>\s*)" + re.escape(nom) + rb"(?=\s*:)", rb"\g<1>" + neuf, octets)
        return octets


def _types(elements: list[tuple[str, dict[str, str]]], parties: dict[str, bytes]) -> bytes:
    """The types of the parts that are kept."""
    lignes, noms = [], {f"/{nom}".lower() for nom in parties}
    for nom, attributs in elements:
        genre = attributs.get("ContentType", "")
        if nom == "Default":
            lignes.append(
                f"<Default Extension={quoteattr(attributs.get('Extension', ''))} ContentType={quoteattr(genre)}/>"
            )
        elif nom == "Override" and attributs.get("PartName", "").lower() in noms:
            sans = _SANS_MACRO.get(genre.lower())
            genre = f"{_OOXML}{sans}.main+xml" if sans else genre
            lignes.append(f"<Override PartName={quoteattr(attributs['PartName'])} ContentType={quoteattr(genre)}/>")
    return _TETE + f'<Types xmlns="{_ESPACE}">{"".join(lignes)}</Types>'.encode()
