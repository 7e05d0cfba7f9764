"""Documents as office programs write them; each hides `SECRET` wherever such a program tells of people."""

import zipfile
from collections.abc import Iterator
from io import BytesIO

from resources.nettoyage.medias import OLE
from resources.tests.nettoyage.fichiers import SECRET, TEXTE, jpeg, png

CORPS, RESULTAT = "Le constat de mardi, porte B.", "ce que le champ montrait"
CHEMIN = f"C:\\Users\\{TEXTE}\\constat.docx"
FICHIER = f"file:///C:\\Users\\{TEXTE}\\constat.xlsx"
ID = "{92EF8706-6D54-FC49-81B3-65F45BB42363}"
QUAND = "2026-11-21T09:30:00Z"
RELATION = _R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MS = "http://schemas.microsoft.com/office"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_OOXML = "application/vnd.openxmlformats-officedocument."
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
X = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
TETE = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
Parties = dict[str, bytes | str]


def archive(parties: Parties) -> bytes:
    """A ZIP of these parts, in their order; each is dated, signed by a system, and commented."""
    tampon = BytesIO()
    with zipfile.ZipFile(tampon, "w") as zip_:
        zip_.comment = SECRET
        for nom, contenu in parties.items():
            info = zipfile.ZipInfo(nom, (2026, 11, 21, 9, 30, 0))
            info.comment, info.extra = SECRET, b"\xfe\xca" + len(SECRET).to_bytes(2, "little") + SECRET
            stocke = nom == "mimetype" or nom.endswith((".jpeg", ".png"))
            info.extra = b"" if nom == "mimetype" else info.extra
            zip_.writestr(info, contenu, zipfile.ZIP_STORED if stocke else zipfile.ZIP_DEFLATED)
    return tampon.getvalue()


def parties(octets: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(octets)) as zip_:
        return {nom: zip_.read(nom) for nom in zip_.namelist()}


def tout(octets: bytes) -> Iterator[bytes]:
    """The file, and whatever it holds, decompressed, inside one another too."""
    yield octets
    if octets.startswith(b"PK"):
        for nom, contenu in parties(octets).items():
            yield nom.encode()
            yield from tout(contenu)


def traces(octets: bytes, cherche: str = TEXTE) -> list[bytes]:
    """Where this text still is, in any of the ways that programs write it."""
    formes = [
        cherche.encode(),
        cherche.encode("utf-16-le"),
        cherche.encode("utf-16-be"),
        cherche.encode().hex().encode(),
    ]
    return [contenu for contenu in tout(octets) for forme in formes if forme in contenu]


def _relations(*lignes: tuple[str, str]) -> str:
    """`(kind, target)`, numbered from rId1; a kind with a colon is an address of its own, an outside target has one."""
    corps = "".join(
        f'<Relationship Id="rId{n}" Type="{genre if ":" in genre else f"{_R}/{genre}"}" Target="{cible}"'
        + (' TargetMode="External"/>' if ":" in cible else "/>")
        for n, (genre, cible) in enumerate(lignes, 1)
    )
    return (
        f'{TETE}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{corps}'
        f"</Relationships>"
    )


def _types(**types: str) -> str:
    """Part (its bars written `__`) to the end of its type, as far as one is needed to open it."""
    suffixes = {"rels": "application/vnd.openxmlformats-package.relationships+xml", "xml": "application/xml"}
    suffixes |= {
        "jpeg": "image/jpeg",
        "png": "image/png",
        "bin": "application/octet-stream",
        "wdp": "image/vnd.ms-photo",
    }
    suffixes |= {"vml": f"{_OOXML}vmlDrawing", "xlsx": f"{_OOXML}spreadsheetml.sheet", "pdf": "application/pdf"}
    corps = "".join(f'<Default Extension="{s}" ContentType="{t}"/>' for s, t in suffixes.items())
    for partie, genre in types.items():
        entier = genre if genre.startswith("application/") else f"{_OOXML}{genre}+xml"
        corps += f'<Override PartName="/{partie.replace("__", "/")}.xml" ContentType="{entier}"/>'
    return f'{TETE}<Types xmlns="{_TYPES}">{corps}</Types>'


def _proprietes(document: str) -> Parties:
    metadonnees = "http://schemas.openxmlformats.org/package/2006/relationships/metadata"
    return {
        "_rels/.rels": _relations(
            ("officeDocument", document),
            (f"{metadonnees}/core-properties", "docProps/core.xml"),
            ("extended-properties", "docProps/app.xml"),
            ("custom-properties", "docProps/custom.xml"),
            (f"{metadonnees}/thumbnail", "docProps/thumbnail.jpeg"),
            (
                "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin",
                "_xmlsignatures/o.sigs",
            ),
            (f"{_MS}/2006/relationships/ui/extensibility", "customUI/customUI.xml"),
            (f"{_MS}/2020/02/relationships/classificationlabels", "docMetadata/LabelInfo.xml"),
        ),
        "docProps/core.xml": "<cp:coreProperties xmlns:cp='urn:c' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        f"<dc:creator>{TEXTE}</dc:creator><cp:lastModifiedBy>{TEXTE}</cp:lastModifiedBy></cp:coreProperties>",
        "docProps/app.xml": f"<Properties><Application>Microsoft Word</Application><Company>{TEXTE}</Company>"
        f"</Properties>",
        "docProps/custom.xml": f"<Properties><property name='Auteur'>{TEXTE}</property></Properties>",
        "docProps/thumbnail.jpeg": jpeg(),
        "_xmlsignatures/o.sigs": b"",
        "_xmlsignatures/sig1.xml": f"<Signature>{TEXTE}</Signature>",
        "customUI/customUI.xml": f"<customUI tag='{TEXTE}'/>",
        "docMetadata/LabelInfo.xml": f"<labels id='{TEXTE}'/>",
    }


def complexe(mots: list[str], resultat: str) -> str:
    """A field of Word whose words are cut into several runs."""
    texte = "".join(
        f'<w:r w:rsidR="00AB12CD"><w:instrText xml:space="preserve">{mot}</w:instrText></w:r>' for mot in mots
    )
    borne = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    return f"{borne('begin')}{texte}{borne('separate')}<w:r><w:t>{resultat}</w:t></w:r>{borne('end')}"


def _image_de_word(rang: int) -> str:
    return (
        '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        f'<wp:extent cx="900000" cy="600000"/><wp:docPr id="{rang}" name="Image {rang}" descr="{CHEMIN}"/>'
        f'<a:graphic xmlns:a="{A}"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">'
        '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr>'
        f'<pic:cNvPr id="{rang}" name="{TEXTE}.jpg"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip '
        f'r:embed="rId{rang}">'
        '<a:extLst><a:ext uri="{BEBA8EAE-BF5A-486C-A8C5-ECC9F3942E4B}"><a14:imgProps xmlns:a14="urn:a14">'
        '<a14:imgLayer r:embed="rId15"/></a14:imgProps></a:ext></a:extLst></a:blip><a:stretch/></pic:blipFill>'
        "<pic:spPr>"
        '<a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="600000"/></a:xfrm><a:prstGeom prst="rect"/>'
        "</pic:spPr></pic:pic>"
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )


def parties_docx(*, macros: bool = False) -> Parties:
    chemin = [" INCLUDEPICTURE &quot;C:\\\\Use", f"rs\\\\{TEXTE}", "\\\\x.jpg&quot; "]
    suivi = f'w:id="1" w:author="{TEXTE}" w:date="{QUAND}"'
    corps = (
        f'<w:p w:rsidR="00AB12CD" w:rsidRDefault="00AB12CD" w14:textId="12AB34CD"><w:commentRangeStart w:id="0"/>'
        f'<w:r><w:t>{CORPS}</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>'
        f'<w:p><w:ins {suivi} w16du:dateUtc="{QUAND}"><w:r><w:t>Ajouté</w:t></w:r></w:ins>'
        f"<w:del {suivi}><w:r><w:delText>Retiré</w:delText></w:r></w:del></w:p>"
        f"<w:p>{complexe([' AUT', 'HOR '], RESULTAT)}</w:p>"
        f"<w:p>{complexe(chemin, RESULTAT)}</w:p>"
        f'<w:p><w:fldSimple w:instr=" DOCPROPERTY {TEXTE} "><w:r><w:t>{RESULTAT}</w:t></w:r></w:fldSimple></w:p>'
        f"<w:p>{complexe([' HYPERLINK &quot;https://campus.test/&quot; '], 'le lien')}</w:p>"
        f'<w:p><w:hyperlink r:id="rId9"><w:r><w:t>un fichier</w:t></w:r></w:hyperlink>'
        f'<w:hyperlink r:id="rId10"><w:r><w:t>une page</w:t></w:r></w:hyperlink></w:p>'
        f'<w:permStart w:id="3" w:ed="CAMPUS\\{TEXTE}"/><w:permEnd w:id="3"/>'
        f'<w:sdt><w:sdtPr><w:dataBinding w:xpath="/{TEXTE}" w:storeItemID="{ID}"/></w:sdtPr><w:sdtContent>'
        f"<w:p><w:r><w:t>{RESULTAT}</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        f"<w:p>{_image_de_word(5)}{_image_de_word(6)}</w:p>"
        f'<w:p><w:r><w:object><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:99pt;height:66pt">'
        f'<v:imagedata r:id="rId6" o:title="{TEXTE}"/></v:shape><o:OLEObject Type="Embed" '
        f'ProgID="Excel.Sheet.12" r:id="rId7"/>'
        f'<o:OLEObject Type="Embed" ProgID="Excel.Sheet.8" r:id="rId8"/></w:object></w:r></w:p>'
        f'<w:sectPr w:rsidR="00AB12CD"><w:headerReference w:type="default" r:id="rId11"/></w:sectPr>'
    )
    racine = f'xmlns:w="{W}" xmlns:r="{_R}" xmlns:o="urn:schemas-microsoft-com:office:office" '
    racine += (
        f'xmlns:w14="{_MS}/word/2010/wordml" xmlns:w15="{_MS}/word/2012/wordml" xmlns:w16du="{_MS}/word/2023/wordml"'
    )
    genre = "application/vnd.ms-word.document.macroEnabled.main+xml" if macros else "wordprocessingml.document.main"
    reglages = (
        f'<w:settings {racine}><w:attachedTemplate r:id="rId1"/><w:mailMerge><w:query w:val="{TEXTE}"/></w:mailMerge>'
        f'<w:trackRevisions/><w:rsids><w:rsidRoot w:val="00AB12CD"/></w:rsids><w:docVars><w:docVar w:name="a" '
        f'w:val="{TEXTE}"/>'
        f'</w:docVars><w15:docId w15:val="{ID}"/></w:settings>'
    )
    entete = f"<?xml version='1.0' encoding='UTF-16'?><w:hdr {racine}><w:p><w:ins {suivi}><w:r><w:t>En-tête</w:t></w:r>"
    entete += f"</w:ins></w:p><!-- {TEXTE} --></w:hdr>"
    return {
        "[Content_Types].xml": _types(
            word__document=genre,
            word__settings="wordprocessingml.settings",
            word__comments="wordprocessingml.comments",
            word__header1="wordprocessingml.header",
            word__people="wordprocessingml.people",
            word__commentsExtended="wordprocessingml.commentsExtended",
            docProps__app="extended-properties",
            docProps__custom="custom-properties",
        ),
        **_proprietes("word/document.xml"),
        "word/document.xml": f"{TETE}<!-- {TEXTE} --><w:document {racine}><w:body>{corps}</w:body></w:document>",
        "word/_rels/document.xml.rels": _relations(
            ("settings", "settings.xml"),
            ("comments", "comments.xml"),
            (f"{_MS}/2011/relationships/people", "people.xml"),
            (f"{_MS}/2011/relationships/commentsExtended", "commentsExtended.xml"),
            ("image", "media/image1.jpeg"),
            ("image", "media/image2.png"),
            ("package", "embeddings/Microsoft_Excel_Sheet1.xlsx"),
            ("oleObject", "embeddings/oleObject1.bin"),
            ("hyperlink", FICHIER),
            ("hyperlink", "https://campus.test/"),
            ("header", "header1.xml"),
            ("customXml", "../customXml/item1.xml"),
            ("glossaryDocument", "glossary/document.xml"),
            (f"{_MS}/2006/relationships/vbaProject", "vbaProject.bin"),
            (f"{_MS}/2007/relationships/hdphoto", "media/hdphoto1.wdp"),
            (f"{_MS}/2018/08/relationships/commentsExtensible", "commentsExtensible.xml"),
            ("image", "media/orpheline.jpeg"),
        ),
        "word/settings.xml": reglages,
        "word/_rels/settings.xml.rels": _relations(("attachedTemplate", FICHIER)),
        "word/comments.xml": f'<w:comments {racine}><w:comment {suivi} w:initials="{TEXTE}" w:id="0">'
        f"<w:p><w:r><w:t>Un commentaire</w:t></w:r></w:p></w:comment></w:comments>".replace('w:id="1" ', ""),
        "word/people.xml": f'<w15:people {racine}><w15:person w15:author="{TEXTE}"/></w15:people>',
        "word/commentsExtended.xml": f"<w15:commentsEx {racine}/>",
        "word/commentsExtensible.xml": f'<w16cex:commentsExtensible xmlns:w16cex="urn:x" w16cex:par="{TEXTE}"/>',
        "word/header1.xml": entete.encode("utf-16"),
        "word/media/image1.jpeg": jpeg(),
        "word/media/image2.png": png(),
        "word/media/orpheline.jpeg": jpeg(),
        "word/media/hdphoto1.wdp": b"II\xbc\1" + SECRET,
        "word/embeddings/Microsoft_Excel_Sheet1.xlsx": archive(parties_xlsx()),
        "word/embeddings/oleObject1.bin": OLE + TEXTE.encode("utf-16-le") + SECRET,
        "word/glossary/document.xml": f"<w:glossaryDocument {racine}><w:t>{TEXTE}</w:t></w:glossaryDocument>",
        "word/vbaProject.bin": OLE + SECRET,
        "customXml/item1.xml": f"<auteur>{TEXTE}</auteur>",
    }


def parties_xlsx() -> Parties:
    classeur = (
        f'<workbook xmlns="{X}" xmlns:r="{_R}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        f'xmlns:xr="{_MS}/spreadsheetml/2014/revision" mc:Ignorable="xr"><fileVersion appName="xl"/>'
        f'<fileSharing userName="{TEXTE}"/><mc:AlternateContent><mc:Choice Requires="x15" xmlns:x15="urn:x15">'
        f'<x15ac:absPath url="C:\\Users\\{TEXTE}\\" xmlns:x15ac="urn:ac"/></mc:Choice></mc:AlternateContent>'
        f'<xr:revisionPtr documentId="{TEXTE}"/><bookViews><workbookView xr:uid="{ID}"/></bookViews>'
        '<sheets><sheet name="Faits" sheetId="1" r:id="rId1"/></sheets>'
        '<externalReferences><externalReference r:id="rId2"/></externalReferences>'
        f'<definedNames><definedName name="zone" comment="Créée par {TEXTE}" description="{TEXTE}" help="{TEXTE}" '
        f'statusBar="{TEXTE}">Faits!$A$1</definedName><definedName name="ailleurs">{CHEMIN}!a</definedName>'
        "</definedNames>"
        f'<customWorkbookViews><customWorkbookView name="{TEXTE}" guid="{ID}"/></customWorkbookViews></workbook>'
    )
    feuille = (
        f'<worksheet xmlns="{X}" xmlns:r="{_R}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c>'
        f'<c r="B1"><f>[1]Feuil1!A1</f><v>12</v></c></row></sheetData><protectedRanges><protectedRange name="a" '
        f'securityDescriptor="{TEXTE}" sqref="A1"/></protectedRanges><scenarios><scenario name="a" user="{TEXTE}" '
        f'comment="Créé par {TEXTE}"><inputCells r="A1" val="1"/></scenario></scenarios><customSheetViews>'
        f'<customSheetView guid="{ID}"><pageSetup r:id="rId2"/></customSheetView></customSheetViews>'
        f'<pageSetup orientation="portrait" r:id="rId2"/><customProperties><customPr name="{TEXTE}" r:id="rId7"/>'
        f'</customProperties><drawing r:id="rId3"/><legacyDrawing r:id="rId4"/>'
        '<tableParts count="1"><tablePart r:id="rId8"/></tableParts></worksheet>'
    )
    dessin = (
        '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
        f'xmlns:a="{A}" xmlns:r="{_R}"><xdr:oneCellAnchor><xdr:from><xdr:col>3</xdr:col><xdr:colOff>0</xdr:colOff>'
        '<xdr:row>3</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="900000" cy="600000"/><xdr:pic>'
        "<xdr:nvPicPr>"
        f'<xdr:cNvPr id="2" name="{TEXTE}.jpg" descr="{CHEMIN}"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill>'
        '<a:blip r:embed="rId1"/><a:stretch/></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/>'
        '<a:ext cx="900000" cy="600000"/></a:xfrm><a:prstGeom prst="rect"/></xdr:spPr></xdr:pic><xdr:clientData/>'
        "</xdr:oneCellAnchor></xdr:wsDr>"
    )
    fil = f'xmlns="{_MS}/spreadsheetml/2018/threadedcomments"'
    return {
        "[Content_Types].xml": _types(
            xl__workbook="spreadsheetml.sheet.main",
            xl__worksheets__sheet1="spreadsheetml.worksheet",
            xl__sharedStrings="spreadsheetml.sharedStrings",
            xl__comments1="spreadsheetml.comments",
            xl__drawings__drawing1="drawing",
            xl__externalLinks__externalLink1="spreadsheetml.externalLink",
            xl__connections="spreadsheetml.connections",
            xl__tables__table1="spreadsheetml.table",
            xl__queryTables__queryTable1="spreadsheetml.queryTable",
            xl__persons__person="application/vnd.ms-excel.person+xml",
            xl__threadedComments__threadedComment1="application/vnd.ms-excel.threadedcomments+xml",
        ),
        **_proprietes("xl/workbook.xml"),
        "xl/workbook.xml": classeur,
        "xl/_rels/workbook.xml.rels": _relations(
            ("worksheet", "worksheets/sheet1.xml"),
            ("externalLink", "externalLinks/externalLink1.xml"),
            ("sharedStrings", "sharedStrings.xml"),
            ("connections", "connections.xml"),
            ("volatileDependencies", "volatileDependencies.xml"),
            (f"{_MS}/2017/10/relationships/person", "persons/person.xml"),
            ("revisionHeaders", "revisions/revisionHeaders.xml"),
            ("usernames", "revisions/userNames.xml"),
        ),
        "xl/worksheets/sheet1.xml": feuille,
        "xl/worksheets/_rels/sheet1.xml.rels": _relations(
            ("comments", "../comments1.xml"),
            ("printerSettings", "../printerSettings/printerSettings1.bin"),
            ("drawing", "../drawings/drawing1.xml"),
            ("vmlDrawing", "../drawings/vmlDrawing1.vml"),
            (f"{_MS}/2017/10/relationships/threadedComment", "../threadedComments/threadedComment1.xml"),
            (f"{_MS}/2019/04/relationships/namedSheetView", "../namedSheetViews/namedSheetView1.xml"),
            ("customProperty", "../customProperty1.bin"),
            ("table", "../tables/table1.xml"),
            ("queryTable", "../queryTables/queryTable1.xml"),
        ),
        "xl/tables/table1.xml": f'<table xmlns="{X}" id="1" name="Faits" displayName="Faits" ref="A1:B2" '
        f'tableType="queryTable" comment="{TEXTE}" totalsRowShown="0"><tableColumns count="2">'
        '<tableColumn id="1" name="Quoi" queryTableFieldId="1"/><tableColumn id="2" name="Combien" '
        'queryTableFieldId="2"/></tableColumns></table>',
        "xl/tables/_rels/table1.xml.rels": _relations(("queryTable", "../queryTables/queryTable1.xml")),
        "xl/queryTables/queryTable1.xml": f'<queryTable xmlns="{X}" name="{TEXTE}" connectionId="4"/>',
        "xl/volatileDependencies.xml": f'<volTypes xmlns="{X}"><volType type="olapFunctions"><main first="{TEXTE}"/>'
        "</volType></volTypes>",
        "xl/sharedStrings.xml": f'<sst xmlns="{X}" count="1"><si><t>{CORPS}</t></si></sst>',
        "xl/comments1.xml": f'<comments xmlns="{X}"><authors><author>{TEXTE}</author><author>tc={ID}</author></authors>'
        f'<commentList><comment ref="A1" authorId="0" xr:uid="{ID}" xmlns:xr="urn:xr"><text><r><t>{TEXTE}:</t></r>'
        "<r><t>\nUne note</t></r></text></comment></commentList></comments>",
        "xl/threadedComments/threadedComment1.xml": f'<ThreadedComments {fil}><threadedComment ref="A1" dT="{QUAND}" '
        f'personId="{ID}" id="{ID}"><text>Une réponse</text></threadedComment></ThreadedComments>',
        "xl/persons/person.xml": f'<personList {fil}><person displayName="{TEXTE}" id="{ID}" userId="S::{TEXTE}" '
        'providerId="AD"/></personList>',
        "xl/namedSheetViews/namedSheetView1.xml": f"<namedSheetViews name='{TEXTE}'/>",
        "xl/customProperty1.bin": TEXTE.encode("utf-16-le"),
        "xl/printerSettings/printerSettings1.bin": TEXTE.encode("utf-16-le"),
        "xl/drawings/drawing1.xml": dessin,
        "xl/drawings/_rels/drawing1.xml.rels": _relations(("image", "../media/image1.jpeg")),
        "xl/drawings/vmlDrawing1.vml": '<xml xmlns:v="urn:schemas-microsoft-com:vml"><v:shape id="a" '
        f'alt="{CHEMIN}"><v:textbox><div>a<br>b</div></v:textbox></v:shape></xml>',
        "xl/media/image1.jpeg": jpeg(),
        "xl/externalLinks/externalLink1.xml": f'<externalLink xmlns="{X}" xmlns:r="{_R}"><externalBook r:id="rId1">'
        '<sheetNames><sheetName val="Feuil1"/></sheetNames></externalBook></externalLink>',
        "xl/externalLinks/_rels/externalLink1.xml.rels": _relations(("externalLinkPath", FICHIER)),
        "xl/connections.xml": f'<connections xmlns="{X}"><connection id="1" name="srv_{TEXTE}" type="5" '
        f'odcFile="{CHEMIN}" description="{TEXTE}" singleSignOnId="{TEXTE}"><dbPr connection="User ID={TEXTE}" '
        f'command="select {TEXTE}"/><olapPr localConnection="Data Source={TEXTE}"/></connection>'
        f'<connection id="2" name="b" type="1"><dbPr connection="DSN={TEXTE}" serverCommand="{TEXTE}"/><parameters>'
        f'<parameter name="{TEXTE}" string="{TEXTE}"/></parameters></connection>'
        f'<connection id="4" name="web" type="4"><webPr url="https://{TEXTE}.test/" post="u={TEXTE}" '
        f'editPage="{TEXTE}"><tables><s v="{TEXTE}"/></tables></webPr></connection>'
        f'<connection id="5" name="texte" type="6"><textPr sourceFile="{CHEMIN}"/></connection>'
        f'<connection id="7" name="modele" type="100"><extLst><ext uri="a"><x15:connection id="{TEXTE}" '
        f'xmlns:x15="urn:x15"><x15:oledbPr connection="{TEXTE}"/></x15:connection></ext></extLst></connection>'
        "</connections>",
        "xl/revisions/revisionHeaders.xml": f'<headers><header userName="{TEXTE}" dateTime="{QUAND}"/></headers>',
        "xl/revisions/userNames.xml": f'<users><userInfo name="{TEXTE}"/></users>',
    }


def _forme(texte: str) -> str:
    return (
        '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="Titre 1" descr="{CHEMIN}"><a:extLst><a:ext '
        f'uri="{{FF2B5EF4-FFF2-40B4-BE49-F238E27FC236}}"><a16:creationId xmlns:a16="urn:a16" id="{TEXTE}"/>'
        f"</a:ext></a:extLst>"
        '</p:cNvPr><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="900000" y="900000"/>'
        '<a:ext cx="5000000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr><p:txBody><a:bodyPr/>'
        f"<a:p><a:r><a:t>{texte}</a:t></a:r></a:p></p:txBody></p:sp>"
        f'<p:pic><p:nvPicPr><p:cNvPr id="3" name="{TEXTE}.png"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill>'
        '<a:blip r:embed="rId2"/><a:stretch/></p:blipFill><p:spPr><a:xfrm><a:off x="900000" y="2900000"/>'
        '<a:ext cx="900000" cy="600000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr></p:pic></p:spTree>'
        f'<p:custDataLst><p:tags r:id="rId3"/></p:custDataLst></p:cSld>'
    )


def parties_pptx() -> Parties:
    racine = f'xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{_R}"'
    vide = '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    vide += "</p:spTree></p:cSld>"
    couleurs = "".join(
        f'<a:{n}><a:srgbClr val="112233"/></a:{n}>' for n in ("dk1", "lt1", "dk2", "lt2", "hlink", "folHlink")
    )
    couleurs += "".join(f'<a:accent{n}><a:srgbClr val="112233"/></a:accent{n}>' for n in range(1, 7))
    police = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>'
    plein = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    theme = (
        f'<a:theme xmlns:a="{A}" name="a"><a:themeElements><a:clrScheme name="a">{couleurs}</a:clrScheme>'
        f'<a:fontScheme name="a">'
        f'<a:majorFont>{police}</a:majorFont><a:minorFont>{police}</a:minorFont></a:fontScheme><a:fmtScheme name="a">'
        f"<a:fillStyleLst>{plein * 3}</a:fillStyleLst><a:lnStyleLst>{f'<a:ln>{plein}</a:ln>' * 3}</a:lnStyleLst>"
        f"<a:effectStyleLst>{'<a:effectStyle><a:effectLst/></a:effectStyle>' * 3}</a:effectStyleLst>"
        f"<a:bgFillStyleLst>{plein * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    )
    cles = 'bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" hlink="hlink" folHlink="folHlink" '
    cles += " ".join(f'accent{n}="accent{n}"' for n in range(1, 7))
    return {
        "[Content_Types].xml": _types(
            ppt__presentation="presentationml.presentation.main",
            ppt__slides__slide1="presentationml.slide",
            ppt__slideMasters__slideMaster1="presentationml.slideMaster",
            ppt__slideLayouts__slideLayout1="presentationml.slideLayout",
            ppt__theme__theme1="theme",
            ppt__commentAuthors="presentationml.commentAuthors",
            ppt__comments__comment1="presentationml.comments",
            ppt__authors="application/vnd.ms-powerpoint.authors+xml",
            ppt__comments__modern1="application/vnd.ms-powerpoint.comments+xml",
        ),
        **_proprietes("ppt/presentation.xml"),
        "ppt/presentation.xml": f'<p:presentation {racine}><p:sldMasterIdLst><p:sldMasterId id="2147483648" '
        f'r:id="rId1"/>'
        '</p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst><p:sldSz cx="9144000" '
        'cy="6858000"/>'
        '<p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": _relations(
            ("slideMaster", "slideMasters/slideMaster1.xml"),
            ("slide", "slides/slide1.xml"),
            ("theme", "theme/theme1.xml"),
            ("commentAuthors", "commentAuthors.xml"),
            (f"{_MS}/2018/10/relationships/authors", "authors.xml"),
            (f"{_MS}/2016/11/relationships/changesInfo", "changesInfos/changesInfo1.xml"),
            (f"{_MS}/2015/10/relationships/revisionInfo", "revisionInfo.xml"),
        ),
        "ppt/slides/slide1.xml": f"<p:sld {racine}>{_forme(CORPS)}</p:sld>",
        "ppt/slides/_rels/slide1.xml.rels": _relations(
            ("slideLayout", "../slideLayouts/slideLayout1.xml"),
            ("image", "../media/image1.png"),
            ("tags", "../tags/tag1.xml"),
            ("comments", "../comments/comment1.xml"),
            (f"{_MS}/2018/10/relationships/comments", "../comments/modern1.xml"),
        ),
        "ppt/slideMasters/slideMaster1.xml": f"<p:sldMaster {racine}>{vide}<p:clrMap {cles}/><p:sldLayoutIdLst>"
        '<p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>',
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            ("slideLayout", "../slideLayouts/slideLayout1.xml"), ("theme", "../theme/theme1.xml")
        ),
        "ppt/slideLayouts/slideLayout1.xml": f"<p:sldLayout {racine}>{vide}</p:sldLayout>",
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": _relations(("slideMaster", "../slideMasters/slideMaster1.xml")),
        "ppt/theme/theme1.xml": theme,
        "ppt/media/image1.png": png(),
        "ppt/tags/tag1.xml": f'<p:tagLst {racine}><p:tag name="A" val="{TEXTE}"/></p:tagLst>',
        "ppt/commentAuthors.xml": f'<p:cmAuthorLst {racine}><p:cmAuthor id="0" name="{TEXTE}" '
        f'initials="{TEXTE}" lastIdx="1" '
        f'clrIdx="0"><p:extLst><p:ext uri="{{19B8F6BF-5375-455C-9EA6-DF929625EA0E}}"><p15:presenceInfo '
        f'xmlns:p15="urn:p15" '
        f'userId="{TEXTE}" providerId="AD"/></p:ext></p:extLst></p:cmAuthor></p:cmAuthorLst>',
        "ppt/comments/comment1.xml": f'<p:cmLst {racine}><p:cm authorId="0" dt="{QUAND}" idx="1"><p:pos x="10" y="10"/>'
        "<p:text>Un commentaire</p:text></p:cm></p:cmLst>",
        "ppt/authors.xml": f'<p188:authorLst xmlns:p188="urn:p188"><p188:author id="{ID}" name="{TEXTE}" initials="A" '
        f'userId="S::{TEXTE}" providerId="AD"><p188:extLst/></p188:author></p188:authorLst>',
        "ppt/comments/modern1.xml": f'<p188:cmLst xmlns:p188="urn:p188"><p188:cm id="{ID}" authorId="{ID}" '
        f'created="{QUAND}">'
        "<p188:txBody/></p188:cm></p188:cmLst>",
        "ppt/changesInfos/changesInfo1.xml": f'<pc:chgInfo xmlns:pc="urn:pc"><pc:docChg chg="{TEXTE}"/></pc:chgInfo>',
        "ppt/revisionInfo.xml": f'<p1510:revInfo xmlns:p1510="urn:x" who="{TEXTE}"/>',
    }


ESPACES_ODF = " ".join(
    f'xmlns:{prefixe}="urn:oasis:names:tc:opendocument:xmlns:{uri}:1.0"'
    for prefixe, uri in {
        **{nom: nom for nom in ("office", "text", "table", "config", "meta", "manifest")},
        **{
            "style": "style",
            "draw": "drawing",
            "svg": "svg-compatible",
            "presentation": "presentation",
            "script": "script",
        },
        "fo": "xsl-fo-compatible",
    }.items()
)
ESPACES_ODF += ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
ESPACES_ODF += ' xmlns:officeooo="http://openoffice.org/2009/office" office:version="1.3"'
_QUI = f"<dc:creator>{TEXTE}</dc:creator><dc:date>{QUAND[:-1]}</dc:date>"
_NOTE = f'<office:annotation office:name="n">{_QUI}<meta:creator-initials>{TEXTE}</meta:creator-initials>'
_NOTE += f"<meta:date-string>{TEXTE}</meta:date-string><text:p>Un commentaire</text:p></office:annotation>"
_IMAGE = '<draw:frame draw:name="{}" svg:width="2cm" svg:height="1cm"{}><draw:image xlink:href="{}"/></draw:frame>'
_ANCRE = " text:anchor-type='as-char'"
_FORMULE = f"of:=['file:///home/{TEXTE}/a.ods'#$Feuille1.A1]"
_CORPS_ODF = {
    "text": "<text:tracked-changes><text:changed-region text:id='c1'><text:insertion><office:change-info>"
    f"{_QUI}</office:change-info></text:insertion></text:changed-region></text:tracked-changes>"
    f"<text:dde-connection-decls><text:dde-connection-decl office:name='d' office:dde-application='{TEXTE}' "
    f"office:dde-topic='{TEXTE}' office:dde-item='{TEXTE}'/></text:dde-connection-decls>"
    f"<text:section text:name='s'><text:section-source xlink:href='https://{TEXTE}.test/' text:filter-name='{TEXTE}'/>"
    f"<text:p><text:dde-connection text:connection-name='d'>{RESULTAT}</text:dde-connection></text:p></text:section>"
    f"<text:p text:style-name='P1'>{CORPS}{_NOTE}</text:p><text:p><text:change-start text:change-id='c1'/>Ajouté"
    f"<text:change-end text:change-id='c1'/></text:p><text:p><text:author-name>{RESULTAT}</text:author-name></text:p>"
    f"<text:p><text:title>{RESULTAT}</text:title></text:p><text:p><text:a "
    f"xlink:href='file:///home/{TEXTE}/a.odt'>un fichier"
    "</text:a> <text:a xlink:href='https://campus.test/'>une page</text:a></text:p>"
    f"<text:p>{_IMAGE.format(f'{TEXTE}.jpg', _ANCRE, 'Pictures/photo.jpeg')}"
    f"{_IMAGE.format('b', _ANCRE, f'../{TEXTE}/b.png')}"
    "<draw:frame draw:name='o' text:anchor-type='as-char' svg:width='3cm' svg:height='2cm'><draw:object "
    "xlink:href='./Object 1'/>"
    "<draw:image xlink:href='./ObjectReplacements/Object 1'/></draw:frame></text:p>",
    "spreadsheet": f"<table:tracked-changes><table:insertion table:id='c1' table:type='row' table:position='0'>"
    f"<office:change-info>{_QUI}</office:change-info></table:insertion></table:tracked-changes><table:table "
    f"table:name='Faits'>"
    f"<table:table-source xlink:href='../{TEXTE}/a.ods' table:table-name='Feuille1'/><table:table-row>"
    f"<table:table-cell "
    f"office:value-type='string'>{_NOTE}<text:p>{CORPS}</text:p></table:table-cell><table:table-cell "
    f'table:formula="{_FORMULE}" '
    f"office:value-type='float' office:value='12'><table:cell-range-source table:name='{TEXTE}' "
    f"xlink:href='https://{TEXTE}.test/'/><text:p>12</text:p></table:table-cell></table:table-row></table:table>"
    "<table:database-ranges><table:database-range table:name='zone' table:target-range-address='Faits.A1:Faits.B1'>"
    f"<table:database-source-sql table:database-name='{TEXTE}' table:sql-statement='select {TEXTE}'/>"
    "</table:database-range></table:database-ranges><table:dde-links><table:dde-link><office:dde-source "
    f"office:dde-application='soffice' office:dde-topic='{TEXTE}' office:dde-item='{TEXTE}'/><table:table>"
    f"<table:table-row><table:table-cell office:string-value='{TEXTE}'/></table:table-row></table:table>"
    "</table:dde-link></table:dde-links>",
    "presentation": f"<draw:page draw:name='p1' draw:master-page-name='m'>{_NOTE}<draw:frame svg:x='1cm' svg:y='1cm' "
    f"svg:width='9cm' svg:height='2cm'><draw:text-box><text:p>{CORPS}</text:p><text:p><text:file-name>{RESULTAT}"
    f"</text:file-name></text:p></draw:text-box></draw:frame>{_IMAGE.format(f'{TEXTE}.jpg', '', 'Pictures/photo.jpeg')}"
    "</draw:page>",
}


def parties_odf(genre: str, *, mime: str = "") -> Parties:
    macro = f"<office:scripts><office:script script:language='ooo'>{TEXTE}</office:script></office:scripts>"
    style = "<style:style style:name='P1' style:family='paragraph'><style:text-properties officeooo:rsid='001a2b3c' "
    style += "officeooo:paragraph-rsid='001a2b3c'/></style:style>"
    maitre = (
        "<office:automatic-styles><style:page-layout style:name='l'/></office:automatic-styles><office:master-styles>"
    )
    maitre += f"<style:master-page style:name='m' style:page-layout-name='l'/></office:master-styles><!-- {TEXTE} -->"
    reglages = "".join(
        f'<config:config-item config:name="{nom}" config:type="{sorte}">{TEXTE}</config:config-item>'
        for nom, sorte in {"PrinterName": "string", "PrinterSetup": "base64Binary", "Rsid": "int"}.items()
    )
    mime = mime or f"application/vnd.oasis.opendocument.{genre}"
    document = f"<office:document-content {ESPACES_ODF}>{{}}<office:automatic-styles>{style}</office:automatic-styles>"
    document += "<office:body><office:{0}>{1}</office:{0}></office:body></office:document-content>"
    meta = (
        f"<office:document-meta {ESPACES_ODF}><office:meta><meta:generator>{TEXTE}</meta:generator>"
        f"<meta:initial-creator>"
    )
    meta += (
        f"{TEXTE}</meta:initial-creator>{_QUI}<meta:editing-cycles>7</meta:editing-cycles><meta:user-defined>{TEXTE}"
    )
    meta += "</meta:user-defined></office:meta></office:document-meta>"
    contenu = TETE + document.replace("{}", macro).format(genre, _CORPS_ODF[genre])
    objet = TETE + document.replace("{}", "").format("spreadsheet", _CORPS_ODF["spreadsheet"])
    reste: Parties = {
        "content.xml": contenu,
        "styles.xml": f"{TETE}<office:document-styles {ESPACES_ODF}>{maitre}</office:document-styles>",
        "meta.xml": meta,
        "settings.xml": f"<office:document-settings {ESPACES_ODF}><office:settings><config:config-item-set "
        f"config:name='ooo:configuration-settings'>{reglages}<config:config-item config:name='AddParaTableSpacing' "
        "config:type='boolean'>true</config:config-item></config:config-item-set></office:settings>"
        "</office:document-settings>",
        "Pictures/photo.jpeg": jpeg(),
        "Pictures/orpheline.png": png(),
        "Object 1/content.xml": objet,
        "Object 1/meta.xml": meta,
        "ObjectReplacements/Object 1": png(),
        "Thumbnails/thumbnail.png": png(),
        "Configurations2/menubar/menubar.xml": f"<a>{TEXTE}</a>",
        "layout-cache": SECRET,
        "Basic/Standard/Module1.xml": f"<script>{TEXTE}</script>",
        "Versions/Version1": SECRET,
        "VersionList.xml": f"<VL:version-list xmlns:VL='urn:v' a='{TEXTE}'/>",
        "META-INF/documentsignatures.xml": f"<s>{TEXTE}</s>",
        "manifest.rdf": f"<rdf>{TEXTE}</rdf>",
    }
    entrees = "".join(
        f'<manifest:file-entry manifest:full-path="{nom}" manifest:media-type="text/xml"/>' for nom in reste
    )
    manifeste = f'<manifest:manifest {ESPACES_ODF.partition(" office:version")[0]} manifest:version="1.3">'
    manifeste += f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{mime}"/>'
    manifeste += '<manifest:file-entry manifest:full-path="Object 1/" manifest:media-type='
    manifeste += f'"application/vnd.oasis.opendocument.spreadsheet"/>{entrees}</manifest:manifest>'
    return {"mimetype": mime, **reste, "META-INF/manifest.xml": manifeste}


PARTIES = {
    "docx": parties_docx,
    "xlsx": parties_xlsx,
    "pptx": parties_pptx,
    "odt": lambda: parties_odf("text"),
    "ods": lambda: parties_odf("spreadsheet"),
    "odp": lambda: parties_odf("presentation"),
}


def document(genre: str) -> bytes:
    return archive(PARTIES[genre]())
