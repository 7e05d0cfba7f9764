"""Rules for what Word, Excel and PowerPoint write of people, by element and attribute."""

import re

from resources.nettoyage.anonymes import Anonymes, jamais, oter, vider
from resources.nettoyage.balises import Regles

_OTES = frozenset(
    {
        # Word: editing sessions, hidden variables, models, mailings, fields that would be filled again from properties
        *(b"rsids", b"rsid", b"docVars", b"docId", b"attachedTemplate", b"mailMerge", b"saveThroughXslt"),
        *(b"attachedSchema", b"schemaLibrary", b"dataBinding", b"printerSettings", b"fldData"),
        *(b"smartTagPr", b"customXmlPr", b"smartTags", b"smartTagTypes"),
        # Excel: where it was, views that bear names, data of programs
        *(b"absPath", b"revisionPtr", b"alternateUrls", b"customWorkbookViews", b"customSheetViews"),
        *(b"customProperties", b"dataModel", b"sourceConnection", b"webPublishing", b"webPublishObjects"),
        b"webPublishItems",
        # PowerPoint: data of programs, where it was published
        *(b"custDataLst", b"htmlPubPr"),
    }
)
# Extensions: the picture as it was before a retouch, identifiers that follow a shape from copy to copy, who is online.
_EXTENSIONS = re.compile(
    rb"BEBA8EAE-BF5A-486C-A8C5-ECC9F3942E4B|FF2B5EF4-FFF2-40B4-BE49-F238E27FC236|BB962C8B-B14F-4D97-AF65-F5344CB8AC3E"
    rb"|D42A27DB-BD31-4B8C-83A1-F6EECF244321|19B8F6BF-5375-455C-9EA6-DF929625EA0E"
)
_PARTOUT_OTES = (
    *(b"rsidR", b"rsidRPr", b"rsidRDefault", b"rsidP", b"rsidSect", b"rsidTr", b"rsidDel", b"textId"),
    *(b"date", b"dateUtc", b"refreshedBy", b"refreshedDate", b"refreshedDateIso", b"userName"),
    *(b"securityDescriptor", b"uid", b"comment", b"queryTableFieldId"),
)
_OTES_DE = (
    *((b"cm", b"dt"), (b"threadedComment", b"dT"), (b"permStart", b"ed"), (b"pageSetup", b"id")),
    *((b"definedName", nom) for nom in (b"description", b"help", b"statusBar", b"customMenu")),
    (b"scenario", b"user"),
)
_VIDES = (
    *(b"initials", b"userId", (b"ddeLink", b"ddeService"), (b"ddeLink", b"ddeTopic")),
    *(
        (b"imagedata", b"title"),
        (b"imagedata", b"href"),
        (b"imagedata", b"src"),
        (b"fill", b"title"),
        (b"fill", b"src"),
    ),
)
_IMAGES = ((b"docPr", b"cNvPr"), (b"name", b"descr", b"title"))
_SUSPECTS = re.compile(
    rb"(?i)[\s:](?:rsid\w*|textId|author|initials|date\w*|dt|user\w*|provider\w*|displayName|name|descr|title|created|ed"
    rb"|refreshed\w*|securityDescriptor|uid|id|comment|description|help|statusBar|customMenu|queryTableFieldId"
    rb"|tableType|ddeService|ddeTopic|href|src)\s*=|[:\\/][\\/]|/(?:home|users)/|file:"
)
_SUSPECTS_DE_SVG = re.compile(
    rb"(?i)[\s:](?:docname|export-filename|absref|label)\s*=|[:\\/][\\/]|/(?:home|users)/|file:"
)


def regles(anonymes: Anonymes) -> Regles:
    return Regles(
        otes=_OTES,
        otes_si={b"ext": _EXTENSIONS.search},
        deplies=frozenset({b"smartTag", b"customXml"}),
        textes={b"author": anonymes.auteur, **dict.fromkeys((b"definedName", b"FieldCodes"), anonymes.chemins)},
        attributs={
            **dict.fromkeys((*_PARTOUT_OTES, *_OTES_DE), oter),
            **dict.fromkeys(_VIDES, vider),
            **dict.fromkeys((b"author", b"displayName", (b"cmAuthor", b"name"), (b"author", b"name")), anonymes.auteur),
            **dict.fromkeys(((b"cm", b"created"), (b"reply", b"created")), jamais),
            **{(element, nom): anonymes.nom_de_fichier for element in _IMAGES[0] for nom in _IMAGES[1]},
            **dict.fromkeys(((b"ddeItem", b"name"), (b"oleItem", b"name")), anonymes.lien),
            b"providerId": lambda _: b"None",
            b"formatCode": lambda valeur: valeur,
            (b"table", b"tableType"): _sans_requete,
        },
        partout=anonymes.chemins,
        suspects=_SUSPECTS,
    )


def _sans_requete(genre: bytes) -> bytes | None:
    """A table that a query filled stays, as one that was typed."""
    return None if genre == b"queryTable" else genre


def regles_de_svg(anonymes: Anonymes) -> Regles:
    """A drawing inside a document: what drawing programs add to it, and what would run."""
    return Regles(
        otes=frozenset({b"metadata", b"namedview", b"script"}),
        otes_si={},
        deplies=frozenset(),
        textes={},
        attributs=dict.fromkeys((b"docname", b"export-filename", b"absref"), oter),
        partout=anonymes.chemins,
        suspects=_SUSPECTS_DE_SVG,
    )
