"""ODT, ODS, ODP, ODG: content, styles, settings, and what these lead to, without what they say of people.

Properties, thumbnails, earlier versions, macros, signatures, menus of a program: nothing that is shown leads there.
"""

import re
from urllib.parse import unquote
from xml.sax.saxutils import quoteattr

from resources.nettoyage import balises, medias
from resources.nettoyage.anonymes import JAMAIS, LIENS, oter, vider
from resources.nettoyage.archive import Archive
from resources.nettoyage.balises import Regles
from resources.nettoyage.contexte import Contexte
from resources.nettoyage.refus import CHIFFRE, Refuse
from resources.nettoyage.regles_ooxml import regles_de_svg

_MANIFESTE, _GENRE = "META-INF/manifest.xml", "mimetype"
_TETE = b'<?xml version="1.0" encoding="UTF-8"?>\n'
_ESPACE = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
_TEXTES = ("content.xml", "styles.xml", "settings.xml")
_CHAMPS = frozenset(
    b"text:" + nom
    for nom in (
        *(b"author-name", b"author-initials", b"initial-creator", b"creator", b"printed-by", b"title", b"subject"),
        *(b"keywords", b"description", b"creation-date", b"creation-time", b"modification-date", b"modification-time"),
        *(b"print-date", b"print-time", b"editing-cycles", b"editing-duration", b"user-defined", b"file-name"),
        *(b"template-name", b"sender-firstname", b"sender-lastname", b"sender-initials", b"sender-title"),
        *(b"sender-position", b"sender-email", b"sender-phone-private", b"sender-phone-work", b"sender-fax"),
        *(b"sender-company", b"sender-street", b"sender-city", b"sender-postal-code", b"sender-country"),
        *(b"sender-state-or-province", b"dde-connection", b"database-display", b"database-name"),
        *(b"database-row-number", b"database-row-select", b"database-next"),
    )
)
# Where data, sections and tables come from: other programs, bases, pages of the web; what came stays.
_SOURCES = frozenset(
    {
        *(b"dde-source", b"dde-links", b"text:dde-connection-decls", b"text:section-source", b"table-source"),
        *(b"cell-range-source", b"database-source-sql", b"database-source-query", b"database-source-table"),
        *(b"source-service", b"connection-resource"),
    }
)
# Settings: the printer and what its driver keeps, sources of data, editing sessions. Others decide of the layout.
_REGLAGES = re.compile(
    rb"[\s:]name\s*=\s*[\"'](?:Printer(?:Name|Setup)|PrintFaxName|(?:Current|Embedded)Database\w*|Rsid\w*|ModifyPasswordInfo)"
    rb"|[\s:]type\s*=\s*[\"']base64Binary"
)
_HREF = re.compile(rb"<(?:[^\s/>:!?]+:)?([^\s/>:!?]+)\s[^<>]*?xlink:href\s*=\s*(?:\"([^\"<]*)\"|'([^'<]*)')")
_SUSPECTS = re.compile(
    rb"(?i)[\s:](?:href|rsid|paragraph-rsid|chg-author|chg-date-time|name|datasource|command|comment)\s*=|[:\\/][\\/]|/(?:home|users)/|file:"
)


def nettoyer(octets: bytes, contexte: Contexte) -> bytes:
    return _Document(Archive(octets, contexte.reste), contexte).nettoyer()


class _Document:
    def __init__(self, archive: Archive, contexte: Contexte) -> None:
        self._archive, self._contexte = archive, contexte
        self._regles_de_svg = regles_de_svg(contexte.anonymes)
        self._parties: dict[str, bytes] = {}

    def nettoyer(self) -> bytes:
        manifeste = balises.elements(balises.en_utf_8(self._archive.lire(self._exiger(_MANIFESTE))))
        if any(nom == "encryption-data" for nom, _ in manifeste):
            raise Refuse(CHIFFRE)
        self._parties[_GENRE] = self._archive.lire(self._exiger(_GENRE))
        self._objet("")
        self._parties[_MANIFESTE] = _manifeste(manifeste, self._parties)
        return self._archive.ecrire(self._parties)

    def _exiger(self, nom: str) -> str:
        if self._archive.nom(nom) != nom:
            raise Refuse
        return nom

    def _objet(self, dossier: str) -> None:
        """The texts of this folder, of the document or of an object in it, and what they lead to."""
        self._exiger(f"{dossier}content.xml")
        for nom in _TEXTES:
            if self._archive.nom(dossier + nom) and dossier + nom not in self._parties:
                self._texte(dossier, nom)

    def _texte(self, dossier: str, nom: str) -> None:
        octets = balises.en_utf_8(self._archive.lire(dossier + nom))
        balises.verifier(octets)
        self._parties[dossier + nom] = balises.recrire(octets, self._regles(dossier))
        for cible in {a or b for _, a, b in _HREF.findall(self._parties[dossier + nom])}:
            self._suivre(self._trouver(dossier, cible))

    def _trouver(self, dossier: str, cible: bytes) -> str | None:
        """The entry, or the folder with its bar, that this address names inside the archive."""
        chemin = unquote(cible.decode().replace("&amp;", "&")).removeprefix("./").rstrip("/")
        for debut in dict.fromkeys((dossier, "")):
            if trouve := self._archive.nom(debut + chemin):
                return trouve
            if self._archive.nom(f"{debut}{chemin}/content.xml"):
                return f"{debut}{chemin}/"
        return None

    def _suivre(self, nom: str | None) -> None:
        if nom is None or nom in self._parties:
            return
        if nom.endswith("/"):
            self._objet(nom)
        elif nom.rpartition("/")[2] not in _TEXTES:
            self._parties[nom] = self._contenu(self._archive.lire(nom))

    def _contenu(self, octets: bytes) -> bytes:
        if octets.startswith((b"PK\3\4", b"PK\5\6")):
            return self._contexte.inclus(octets, self._contexte)
        if not balises.est_xml(octets):
            return medias.nettoyer(octets, self._contexte.bornes)
        texte = balises.en_utf_8(octets)
        balises.verifier(texte)
        return balises.recrire(texte, self._regles_de_svg)

    def _regles(self, dossier: str) -> Regles:
        anonymes = self._contexte.anonymes

        def adresse(valeur: bytes) -> bytes:
            if valeur in (b".", b"..") or valeur.startswith(b"#") or self._trouver(dossier, valeur):
                return valeur
            return b""

        def lien(valeur: bytes) -> bytes:
            return valeur if valeur.lower().startswith((b"#", *LIENS)) else b"about:blank"

        return Regles(
            otes=_SOURCES | {b"scripts", b"event-listeners", b"date-string", b"text:script"},
            otes_si={b"config-item": _REGLAGES.search},
            deplies=_CHAMPS,
            textes={
                **dict.fromkeys((b"creator-initials", b"sender-initials"), vider),
                **dict.fromkeys((b"title", b"desc"), anonymes.nom_de_fichier),
                b"dc:creator": anonymes.auteur,
                b"dc:date": lambda _: JAMAIS.removesuffix(b"Z"),
            },
            attributs={
                **dict.fromkeys((b"rsid", b"paragraph-rsid", b"chg-date-time", b"datasource", b"comment"), oter),
                (b"form", b"command"): vider,
                b"chg-author": anonymes.auteur,
                (b"frame", b"name"): anonymes.nom_de_fichier,
                b"href": adresse,
                **{(element, b"href"): lien for element in (b"a", b"text:a")},
            },
            partout=anonymes.chemins,
            suspects=_SUSPECTS,
        )


def _manifeste(elements: list[tuple[str, dict[str, str]]], parties: dict[str, bytes]) -> bytes:
    """The entries that are kept, and the folders that hold some of them."""
    lignes, dossiers = [], {nom[: place + 1] for nom in parties for place, lettre in enumerate(nom) if lettre == "/"}
    for nom, attributs in elements[1:]:
        if nom == "file-entry" and attributs.get("full-path") in {"/", *parties, *dossiers}:
            lignes.append(f"<manifest:file-entry{_attributs(attributs, 'full-path', 'version', 'media-type')}/>")
    version = _attributs(elements[0][1], "version")
    corps = f'<manifest:manifest xmlns:manifest="{_ESPACE}"{version}>{"".join(lignes)}</manifest:manifest>'
    return _TETE + corps.encode()


def _attributs(attributs: dict[str, str], *noms: str) -> str:
    return "".join(f" manifest:{nom}={quoteattr(attributs[nom])}" for nom in noms if nom in attributs)
