"""Office documents: what they show comes out, each part in its place, and nothing of who made them."""

import re
import zipfile
from io import BytesIO

import pytest
from PIL import Image

from resources.nettoyage.anonymes import Anonymes
from resources.nettoyage.genres import DEBUT, DOCX, ODF, PPTX, reconnaitre
from resources.nettoyage.medias import objet_vide
from resources.nettoyage.processus import Motif
from resources.tests.nettoyage.documents import (
    CORPS,
    PARTIES,
    RELATION,
    RESULTAT,
    X,
    archive,
    complexe,
    document,
    parties,
    parties_docx,
    parties_odf,
    traces,
)
from resources.tests.nettoyage.fichiers import SECRET, TEXTE, dessin, jpeg, pdf, png, webp
from resources.tests.nettoyage.films import film

pytestmark = [pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO"), pytest.mark.longue]
# What a program adds of its own accord, by the words that it has for it.
HISTOIRE = re.compile(rb"rsid|2026-11-21|lastModifiedBy|CAMPUS|docVar|absPath|changesInfo|PrinterSetup|editing-cycles")
MACROS = "application/vnd.ms-word.document.macroEnabled.main+xml"


@pytest.mark.parametrize("genre", PARTIES)
def test_un_document_ne_dit_plus_personne(nettoye, genre):
    recu = document(genre)
    assert len(traces(recu)) > 10

    propre = nettoye(recu)

    assert reconnaitre(propre[:DEBUT], propre[-DEBUT:]) == reconnaitre(recu[:DEBUT]) != "application/zip"
    assert traces(propre) == []
    ecrites = b"".join(parties(propre).values())
    assert CORPS.encode() in ecrites
    assert HISTOIRE.findall(ecrites) == []
    assert traces(propre, "48.8584N") == []
    assert nettoye(propre) == propre


@pytest.mark.parametrize("genre", PARTIES)
def test_ce_qui_ne_dit_rien_reste_octet_pour_octet_et_dans_l_ordre(nettoye, genre):
    recu = parties(document(genre))

    propre = parties(nettoye(document(genre)))

    assert [nom for nom in recu if nom in propre] == list(propre)
    muettes = [nom for nom in propre if "theme" in nom or "commentsExtended" in nom or nom == "mimetype"]
    assert genre == "xlsx" or muettes
    assert [nom for nom in muettes if propre[nom] != recu[nom]] == []


def test_aucune_date_ni_marque_de_systeme_ne_reste_dans_l_archive(nettoye):
    with zipfile.ZipFile(BytesIO(nettoye(document("docx")))) as zip_:
        assert zip_.comment == b""
        assert {i.date_time for i in zip_.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {(i.comment, i.extra, i.create_system) for i in zip_.infolist()} == {(b"", b"", 0)}


def test_ce_qui_decrit_est_parti_et_ce_qui_se_voit_est_reste(nettoye):
    propre = parties(nettoye(document("docx")))

    texte = propre["word/document.xml"].decode()
    assert set(propre) == {
        *(
            "[Content_Types].xml",
            "_rels/.rels",
            "docProps/app.xml",
            "word/document.xml",
            "word/_rels/document.xml.rels",
        ),
        *("word/settings.xml", "word/comments.xml", "word/commentsExtended.xml", "word/header1.xml"),
        *("word/media/image1.jpeg", "word/media/image2.png", "word/embeddings/Microsoft_Excel_Sheet1.xlsx"),
        "word/embeddings/oleObject1.bin",
    }
    assert texte.count(RESULTAT) == 4
    assert "https://campus.test/" in texte
    assert "HYPERLINK &quot;https://campus.test/&quot;" in texte
    assert "AUT" not in texte
    assert "INCLUDEPICTURE" not in texte
    assert "dataBinding" not in texte
    assert 'w:author="Auteur 1"' in texte
    assert 'w:author="Auteur 1"' in propre["word/comments.xml"].decode()
    assert propre["word/embeddings/oleObject1.bin"] == objet_vide()
    relations = propre["word/_rels/document.xml.rels"].decode()
    assert 'Target="about:blank" TargetMode="External"' in relations
    assert 'Target="https://campus.test/" TargetMode="External"' in relations
    assert "En-tête" in propre["word/header1.xml"].decode()


def test_plusieurs_personnes_restent_plusieurs(nettoye):
    recu = parties_docx()
    autre = '<w:ins w:id="9" w:author="Quelqu&apos;un" w:date="2026-11-21T09:30:00Z"><w:r><w:t>x</w:t></w:r></w:ins>'
    recu["word/document.xml"] = recu["word/document.xml"].replace("<w:body>", f"<w:body><w:p>{autre}</w:p>")

    texte = parties(nettoye(archive(recu)))["word/document.xml"].decode()

    assert re.findall(r'w:author="([^"]*)"', texte) == ["Auteur 1", "Auteur 2", "Auteur 2"]


def test_un_classeur_garde_son_fil_et_ses_liens_sans_personne(nettoye):
    propre = parties(nettoye(document("xlsx")))

    assert b"<author>Auteur 1</author><author>tc={92EF8706" in propre["xl/comments1.xml"]
    assert b"<t>Auteur 1:</t>" in propre["xl/comments1.xml"]
    assert b'displayName="Auteur 1"' in propre["xl/persons/person.xml"]
    assert b'Target="source.xlsx"' in propre["xl/externalLinks/_rels/externalLink1.xml.rels"]
    assert b"<f>[1]Feuil1!A1</f><v>12</v>" in propre["xl/worksheets/sheet1.xml"]
    assert b'<pageSetup orientation="portrait"/>' in propre["xl/worksheets/sheet1.xml"]
    assert b"<br>" in propre["xl/drawings/vmlDrawing1.vml"]


def test_un_classeur_ne_dit_plus_d_ou_viennent_ses_donnees(nettoye):
    propre = parties(nettoye(document("xlsx")))

    assert set(re.findall(rb'<connection id="(\d)" name="([^"]*)" type="(\d)"', propre["xl/connections.xml"])) == {
        *((b"1", b"Connexion 1", b"5"), (b"2", b"Connexion 2", b"1"), (b"4", b"Connexion 3", b"4")),
        *((b"5", b"Connexion 4", b"6"), (b"7", b"Connexion 5", b"5")),
    }
    assert not [nom for nom in propre if "queryTable" in nom or "volatile" in nom]
    assert b"queryTable" not in b"".join(propre.values())
    assert b'name="Quoi"/>' in propre["xl/tables/table1.xml"]
    assert b'<definedName name="zone">Faits!$A$1</definedName>' in propre["xl/workbook.xml"]


def test_un_tableau_croise_garde_sa_connexion_sans_ce_qu_elle_disait(nettoye):
    recu = PARTIES["xlsx"]()
    recu["xl/_rels/workbook.xml.rels"] = recu["xl/_rels/workbook.xml.rels"].replace(
        "</Relationships>",
        f'<Relationship Id="rId99" Type="{RELATION}/pivotCacheDefinition" Target="pivotCache/p.xml"/></Relationships>',
    )
    recu["xl/workbook.xml"] = recu["xl/workbook.xml"].replace(
        "</workbook>",
        '<extLst><ext uri="{FCE2AD5D-F65C-4FA6-A056-5C36A1767C68}"><x15:dataModel xmlns:x15="urn:x15"><x15:modelTables>'
        f'<x15:modelTable id="a" name="b" connection="{TEXTE}"/></x15:modelTables></x15:dataModel></ext></extLst>'
        "</workbook>",
    )
    recu["xl/pivotCache/p.xml"] = (
        f'<pivotCacheDefinition xmlns="{X}" refreshedBy="{TEXTE}" refreshedDate="1"><cacheSource type="external" '
        'connectionId="1"/><cacheFields count="0"/><extLst><ext uri="{F057638F-6D5F-4e77-A914-E7F072B9BCA8}">'
        f'<x14:sourceConnection xmlns:x14="urn:x14" name="srv_{TEXTE}"/></ext></extLst></pivotCacheDefinition>'
    )

    propre = nettoye(archive(recu))

    assert traces(propre) == []
    assert b'<cacheSource type="external" connectionId="1"/>' in parties(propre)["xl/pivotCache/p.xml"]
    assert b'<connection id="1"' in parties(propre)["xl/connections.xml"]


def test_un_lien_dde_ne_nomme_plus_de_programme(nettoye):
    recu = PARTIES["xlsx"]()
    recu["xl/externalLinks/externalLink1.xml"] = (
        f'<externalLink xmlns="{X}"><ddeLink ddeService="{TEXTE}" ddeTopic="{TEXTE}"><ddeItems><ddeItem name="A0"/>'
        "</ddeItems></ddeLink></externalLink>"
    )

    propre = nettoye(archive(recu))

    assert traces(propre) == []
    assert b'ddeService="" ddeTopic=""' in parties(propre)["xl/externalLinks/externalLink1.xml"]


LIEN_DDE = f'<ddeLink ddeService="{TEXTE}" ddeTopic="a"><ddeItems><ddeItem name="StdDocumentName"/>'
LIEN_DDE += f'<ddeItem name="{TEXTE}"/></ddeItems></ddeLink>'
LIEN_OLE = f'<oleLink r:id="rId1" progId="Word.Document.12"><oleItems><oleItem name="!{TEXTE}"/>'
LIEN_OLE += f'<mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice Requires="x14"><x14:oleItem name="{TEXTE}" icon="1" '
LIEN_OLE += 'xmlns:x14="urn:x14"/></mc:Choice></mc:AlternateContent></oleItems></oleLink>'


@pytest.mark.parametrize(
    ("lien", "noms"), [(LIEN_DDE, [b"StdDocumentName", b"lien2"]), (LIEN_OLE, [b"lien2", b"lien3"])]
)
def test_ce_qu_un_programme_envoie_n_a_plus_de_nom_mais_sa_valeur(nettoye, lien, noms):
    recu = PARTIES["xlsx"]()
    recu["xl/externalLinks/externalLink1.xml"] = f'<externalLink xmlns="{X}" xmlns:r="{RELATION}">{lien}</externalLink>'
    recu["xl/worksheets/sheet1.xml"] = recu["xl/worksheets/sheet1.xml"].replace(
        "<f>[1]Feuil1!A1</f>", f"<f>[1]!'{TEXTE}'</f>"
    )

    propre = nettoye(archive(recu))

    assert traces(propre) == []
    assert re.findall(rb'Item name="([^"]*)"', parties(propre)["xl/externalLinks/externalLink1.xml"]) == noms
    assert b'<c r="B1"><v>12</v></c>' in parties(propre)["xl/worksheets/sheet1.xml"]
    assert nettoye(propre) == propre


def classeur_avec(cellules: str, noms: str = "", suite: str = "") -> bytes:
    """A workbook with these cells, names and rules."""
    recu = PARTIES["xlsx"]()
    recu["xl/worksheets/sheet1.xml"] = (
        recu["xl/worksheets/sheet1.xml"]
        .replace("</row>", f'</row><row r="5">{cellules}</row>')
        .replace("<drawing ", f"{suite}<drawing ", 1)
    )
    recu["xl/workbook.xml"] = recu["xl/workbook.xml"].replace("</definedNames>", f"{noms}</definedNames>")
    return archive(recu)


@pytest.mark.parametrize(
    "formule",
    [
        *(f'WEBSERVICE("https://{TEXTE}.test/")', f'_xlfn.WEBSERVICE("https://{TEXTE}.test/")&amp;"a"'),
        *(f'1+webservice ("{TEXTE}")', f'WEB&#83;ERVICE("{TEXTE}")', f'<![CDATA[WEBSERVICE("{TEXTE}")]]>'),
        *(f'WEB<!-- -->SERVICE("{TEXTE}")', f'_xlfn.IMAGE("https://{TEXTE}.test/a.png")'),
        *(f'RTD("{TEXTE}",,"a")', f'CUBEVALUE("{TEXTE}","[a].[b]")', f'_xlfn.CUBEMEMBER("{TEXTE}","[a]")'),
        *(f'IF(A1=1,CUBESET("{TEXTE}","a"),"")', f'CUBERANKEDMEMBER("{TEXTE}",A1,1)', f"{TEXTE}|'/c a'!A0"),
        *(f'_xlfn.MAP("{TEXTE}",_xleta.WEBSERVICE)', f"T['#a]&amp;WEBSERVICE(\"{TEXTE}\")&amp;T['#b]"),
        *(f'Appel+"{TEXTE}"', f'par_appel&amp;"{TEXTE}"'),
    ],
)
def test_une_formule_qui_mene_ailleurs_devient_sa_valeur(nettoye, formule):
    noms = f'<definedName name="par_appel">APPEL&amp;""</definedName><definedName name="appel">RTD("{TEXTE}")'
    cellules = (
        f'<c r="A5" t="str" cm="1"><f t="array" ref="A5:B5" ca="1">{formule}</f><v>vu</v></c><c r="B5"><v>2</v></c>'
    )
    cellules += f'<c r="C5"><f t="shared" ref="C5:D5" si="7">{formule}</f><v>3</v></c>'
    cellules += '<c r="D5"><f t="shared" si="7"/><v>4</v></c><c r="E5"><f t="shared" si="8"/><v>5</v></c>'

    propre = nettoye(classeur_avec(cellules, f"{noms}</definedName>"))

    assert traces(propre) == []
    feuille = parties(propre)["xl/worksheets/sheet1.xml"].decode()
    assert (
        '<c r="A5" t="str"><v>vu</v></c><c r="B5"><v>2</v></c><c r="C5"><v>3</v></c><c r="D5"><v>4</v></c>' in feuille
    )
    assert '<c r="E5"><f t="shared" si="8"/><v>5</v></c>' in feuille
    assert re.findall(rb'name="(?:par_)?appel">([^<]*)<', parties(propre)["xl/workbook.xml"]) == [b"#REF!"] * 2
    assert nettoye(propre) == propre


@pytest.mark.parametrize(
    "formule",
    [
        *("SUM(A1:B1)*2", '"WEBSERVICE(1)"&amp;A1', "CUBE(3)", "MON.RTD(1)", "RTD_1+1", "zone+1", "[1]!taux"),
        *('IF(A1="a|b",1,2)', "'a|b'!A1", "T[[#All],[it''s | x]]", "'[1]a | b'!A1", "appele"),
        *('HYPERLINK("https://campus.test/")', "_xlfn.XLOOKUP(1,A1:A2,B1:B2)"),
    ],
)
def test_une_formule_qui_ne_mene_pas_ailleurs_reste(nettoye, formule):
    cellule = f'<c r="A5" cm="1"><f t="array" ref="A5">{formule}</f><v>1</v></c><c r="B5"><f>RTD(1)</f><v>2</v></c>'

    propre = nettoye(classeur_avec(cellule, '<definedName name="appel">RTD("a")</definedName>'))

    assert cellule.replace("<f>RTD(1)</f>", "") in parties(propre)["xl/worksheets/sheet1.xml"].decode()
    assert b'<definedName name="zone">Faits!$A$1</definedName>' in parties(propre)["xl/workbook.xml"]


def test_une_regle_ou_un_tableau_ne_menent_plus_ailleurs(nettoye):
    appel = f'WEBSERVICE("https://{TEXTE}.test/")'
    regles = f'<conditionalFormatting sqref="A1"><cfRule type="expression"><formula>{appel}</formula></cfRule>'
    regles += '<cfRule type="expression"><formula>A1=1</formula></cfRule></conditionalFormatting><dataValidations>'
    regles += f"<dataValidation><formula1>{appel}</formula1><formula2>3</formula2></dataValidation></dataValidations>"
    recu = parties(classeur_avec("", suite=regles))
    recu["xl/tables/table1.xml"] = recu["xl/tables/table1.xml"].replace(
        b'queryTableFieldId="2"/>',
        f"><calculatedColumnFormula>{appel}</calculatedColumnFormula></tableColumn>".encode(),
    )

    propre = nettoye(archive(recu))

    assert traces(propre) == []
    feuille = parties(propre)["xl/worksheets/sheet1.xml"]
    assert re.findall(rb"<formula[12]?>([^<]*)<", feuille) == [b"#REF!", b"A1=1", b"#REF!", b"3"]
    assert b'name="Combien" ></tableColumn>' in parties(propre)["xl/tables/table1.xml"]


def test_l_ordre_des_calculs_ne_nomme_pas_de_cellule_figee(nettoye):
    recu = PARTIES["xlsx"]()
    recu["xl/_rels/workbook.xml.rels"] = recu["xl/_rels/workbook.xml.rels"].replace(
        "</Relationships>",
        f'<Relationship Id="rId98" Type="{RELATION}/calcChain" Target="calcChain.xml"/></Relationships>',
    )
    recu["xl/calcChain.xml"] = f'<calcChain xmlns="{X}"><c r="B1" i="1"/></calcChain>'

    propre = parties(nettoye(archive(recu)))

    assert "xl/calcChain.xml" not in propre
    assert b"calcChain" not in propre["xl/_rels/workbook.xml.rels"]


def test_une_signature_s_en_va_entiere(nettoye):
    propre = parties(nettoye(document("docx")))

    assert not [nom for nom in propre if "signature" in nom.lower()]
    assert b"signature" not in propre["_rels/.rels"] + propre["[Content_Types].xml"]


def test_un_document_a_macros_devient_celui_qui_n_en_a_pas(nettoye):
    recu = archive(parties_docx(macros=True))
    assert MACROS.encode() in parties(recu)["[Content_Types].xml"]

    propre = parties(nettoye(recu))

    assert "word/vbaProject.bin" not in propre
    assert MACROS.encode() not in propre["[Content_Types].xml"]
    assert f'{DOCX}.main+xml"'.encode() in propre["[Content_Types].xml"]


@pytest.mark.parametrize("genre", ["text", "spreadsheet", "presentation"])
def test_un_document_libre_garde_ses_pages(nettoye, genre):
    propre = parties(nettoye(archive(parties_odf(genre))))

    contenu = propre["content.xml"].decode()
    assert contenu.count("<dc:creator>Auteur 1</dc:creator>") == contenu.count("<dc:creator>")
    assert set(propre) <= {
        *("mimetype", "content.xml", "styles.xml", "settings.xml", "META-INF/manifest.xml", "Pictures/photo.jpeg"),
        *("Object 1/content.xml", "ObjectReplacements/Object 1"),
    }
    assert b"AddParaTableSpacing" in propre["settings.xml"]
    manifeste = propre["META-INF/manifest.xml"].decode()
    assert set(re.findall(r'full-path="([^"]*)"', manifeste)) - {"/", "Object 1/"} == set(propre) - {
        *("mimetype", "META-INF/manifest.xml"),
    }


def test_un_champ_d_un_document_libre_devient_son_texte(nettoye):
    contenu = parties(nettoye(document("odt")))["content.xml"].decode()

    assert contenu.count(f"<text:p>{RESULTAT}</text:p>") == 3
    assert "<text:section text:name='s'><text:p>" in contenu
    assert "https://campus.test/" in contenu
    assert 'xlink:href="Pictures/photo.jpeg"' in contenu


def test_un_modele_est_nettoye_comme_un_document(nettoye):
    mime = "application/vnd.oasis.opendocument.text-template"
    propre = nettoye(archive(parties_odf("text", mime=mime)))

    assert mime in ODF
    assert parties(propre)["mimetype"].decode() == mime
    assert traces(propre) == []


# --- Fields of Word ---------------------------------------------------------------------------------------------


DE_LA_BASE = f"C:\\\\Users\\\\{TEXTE}\\\\photo.jpg"


def avec_un_champ(champ: str) -> bytes:
    recu = parties_docx()
    recu["word/document.xml"] = recu["word/document.xml"].replace("<w:body>", f"<w:body><w:p>{champ}</w:p>")
    return archive(recu)


def _en_morceaux(mots: str) -> list[str]:
    """Cut wherever, entities left whole."""
    return re.findall(r"(?:&\w+;|.){1,4}", mots.replace('"', "&quot;"))


PARLANTS = (
    f' DDEAUTO Excel "{DE_LA_BASE}" "Feuil1!L1C1" \\a \\r ',
    f" DDE {TEXTE} classeur ",
    f' ddeauto c:\\\\windows\\\\system32\\\\cmd.exe "/k {TEXTE}" ',
    f' INCLUDEPICTURE "https://{TEXTE}.test/photo.png" \\d \\* MERGEFORMAT ',
    f' INCLUDETEXT "https://{TEXTE}.test/recit.docx" ',
    f" INCLUDETEXT {TEXTE}.docx ",
    f' LINK Excel.Sheet.12 "{TEXTE}.xlsx" "Feuil1!L1C1" \\a \\f 0 ',
    f' RD "{TEXTE}.docx" ',
    f" IMPORT {TEXTE}.png ",
    f' HYPERLINK "{DE_LA_BASE}" ',
    f' HYPERLINK "file:///{TEXTE}/photo.jpg" \\t "_blank" ',
    f' HYPERLINK "../{TEXTE}/photo.jpg" ',
    f" HYPERLINK {TEXTE}.docx ",
    f' HYPERLINK "\\\\\\\\serveur\\\\{TEXTE}\\\\a.docx" ',
)


@pytest.mark.parametrize("mots", PARLANTS)
@pytest.mark.parametrize("ecrit", ["en morceaux", "en un", "simple"])
def test_un_champ_qui_mene_ailleurs_devient_ce_qu_il_montrait(nettoye, mots, ecrit):
    if ecrit == "simple":
        dit = mots.replace('"', "&quot;")
        champ = f'<w:fldSimple w:instr="{dit}"><w:r><w:t>{RESULTAT}</w:t></w:r></w:fldSimple>'
    else:
        champ = complexe(_en_morceaux(mots) if ecrit == "en morceaux" else [mots.replace('"', "&quot;")], RESULTAT)

    propre = nettoye(avec_un_champ(champ))

    assert traces(propre) == []
    texte = parties(propre)["word/document.xml"].decode()
    assert texte.count(RESULTAT) == 5


@pytest.mark.parametrize(
    "mots",
    [
        *(' HYPERLINK "https://campus.test/a%20b" ', " HYPERLINK mailto:aide@campus.test ", ' HYPERLINK \\l "suite" '),
        *(' HYPERLINK "" \\l "suite" ', ' HYPERLINK "#suite" ', ' TOC \\o "1-3" \\h ', " PAGE ", " REF suite \\h "),
        *(" LINKEDTOC ", " SEQ Figure \\* ARABIC ", ' IF 1 = 1 "oui" "non" '),
    ],
)
def test_un_champ_qui_ne_mene_pas_ailleurs_reste(nettoye, mots):
    champ = complexe(_en_morceaux(mots), RESULTAT)

    texte = parties(nettoye(avec_un_champ(champ)))["word/document.xml"].decode()

    ecrits = "".join(re.findall(r"<w:instrText[^>]*>([^<]*)", texte)).replace("&quot;", '"')
    assert ecrits.startswith(mots)


def test_un_champ_dans_les_mots_d_un_autre_ne_se_montre_pas(nettoye):
    dedans = complexe([" FILENAME \\p "], f"{TEXTE}.jpg")
    dehors = complexe([" INCLUDEPICTURE &quot;", "&quot; \\d "], RESULTAT).replace(
        "&quot;</w:instrText></w:r>", f"&quot;</w:instrText></w:r>{dedans}", 1
    )

    propre = nettoye(avec_un_champ(dehors))

    assert traces(propre) == []
    assert parties(propre)["word/document.xml"].decode().count(RESULTAT) == 5


def _dans(*morceaux: str) -> str:
    """A field whose words are these, fields among them."""
    borne = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    mots = "".join(
        m if m.startswith("<") else f"<w:r><w:instrText>{m.replace(chr(34), '&quot;')}</w:instrText></w:r>"
        for m in morceaux
    )
    return f"{borne('begin')}{mots}{borne('separate')}<w:r><w:t>{RESULTAT}</w:t></w:r>{borne('end')}"


def _cache(mots: str) -> str:
    return complexe([mots.replace('"', "&quot;")], "DDE")


_SIMPLE = '<w:fldSimple w:instr=" QUOTE 68 68 69 "><w:r><w:t>DDE</w:t></w:r></w:fldSimple>'


@pytest.mark.parametrize(
    "morceaux",
    [
        (_cache(" QUOTE 68 68 69 "), f' "{TEXTE}" "x" '),
        (" D", _cache(" QUOTE 68 69 "), f' "{TEXTE}" "x" '),
        (_SIMPLE, f' "{TEXTE}" "x" '),
        (f"&#68;D&#x45; {TEXTE} x ",),
        (f"<w:r><w:t> DDE {TEXTE} x </w:t></w:r>",),
        (f"<w:r><w:instrText><![CDATA[DDE]]> {TEXTE} x </w:instrText></w:r>",),
        (" INCLUDEPICTURE ", _cache(f' QUOTE "https://{TEXTE}.test/" ')),
        (" INCLUDEPICTURE ", _dans(" QUOTE ", _cache(f" REF {TEXTE} "))),
        (" INCLUDEPICTURE ", _SIMPLE.replace("68 68 69", f"&quot;https://{TEXTE}.test/&quot;")),
        (' HYPERLINK "', _cache(f' QUOTE "../{TEXTE}/a.docx" '), '" '),
        (" IF ", complexe([" AUTHOR "], TEXTE), f' = "{TEXTE}" "oui" "non" '),
    ],
)
def test_un_champ_que_fait_un_autre_devient_ce_qu_il_montrait(nettoye, morceaux):
    propre = nettoye(avec_un_champ(_dans(*morceaux)))

    assert traces(propre) == []
    assert parties(propre)["word/document.xml"].decode().count(RESULTAT) == 5
    assert b"QUOTE" not in parties(propre)["word/document.xml"]


@pytest.mark.parametrize(
    "morceaux",
    [
        *((" IF ", _cache(" PAGE "), ' = 1 "a" "b" '), (" IF", _cache(" PAGE "), ' = 1 "a" "b" ')),
        *((" =", _cache(" NUMPAGES "), "-1 "), (' HYPERLINK \\l "', _cache(" REF suite "), '" ')),
        *((" PAGEREF ", _cache(" REF suite "), " \\h "), (" QUOTE ", _SIMPLE)),
        (" TC &quot;", _cache(" SEQ Figure "), "&quot; "),
    ],
)
def test_un_champ_ordinaire_en_garde_un_autre_dans_ses_mots(nettoye, morceaux):
    champ = _dans(*morceaux).replace(' w:rsidR="00AB12CD"', "")

    assert champ in parties(nettoye(avec_un_champ(champ)))["word/document.xml"].decode()


def test_un_champ_ote_emporte_l_image_que_cachent_ses_mots(nettoye):
    image = '<w:r><w:drawing><a:blip xmlns:a="urn:a" r:embed="rId17"/></w:drawing></w:r>'
    cachee = _dans(f' INCLUDEPICTURE "https://{TEXTE}.test/" ').replace("</w:t></w:r>", f"</w:t></w:r>{image}")

    propre = parties(nettoye(avec_un_champ(_dans(" IF 1 = 1 ", cachee))))

    assert b'r:embed="rId17"' not in propre["word/document.xml"]
    assert "word/media/orpheline.jpeg" not in propre


@pytest.mark.parametrize(
    ("morceaux", "restent"),
    [
        ((f' ASK nom "Quel nom ?" \\d "{TEXTE}" ',), ' ASK nom "Quel nom ?" '),
        ((f' FILLIN "Quel \\d nom ?" \\d {TEXTE} \\o ',), ' FILLIN "Quel \\d nom ?" \\o '),
        ((' fillin "a" \\', f'D "{TEXTE[:4]}', f'{TEXTE[4:]} \\" b"', " \\o "), ' fillin "a" \\o '),
        ((' ASK nom "a" \\d "', _cache(f" QUOTE {TEXTE} "), '" \\o '), ' ASK nom "a" \\o '),
        ((' ASK nom "Quel nom ?" ',), ' ASK nom "Quel nom ?" '),
    ],
)
def test_une_question_garde_ce_qu_elle_demande_sans_sa_reponse_d_avance(nettoye, morceaux, restent):
    propre = nettoye(avec_un_champ(_dans(*morceaux)))

    assert traces(propre) == []
    texte = parties(propre)["word/document.xml"].decode()
    paragraphe = texte.partition("</w:p>")[0]
    assert "".join(re.findall(r"<w:instrText[^>]*>([^<]*)", paragraphe)).replace("&quot;", '"') == restent
    assert paragraphe.count(RESULTAT) == 1
    simple = "".join(morceaux).replace('"', "&quot;")
    if "<" not in simple:
        champ = f'<w:fldSimple w:instr="{simple}"><w:r><w:t>{RESULTAT}</w:t></w:r></w:fldSimple>'
        assert traces(nettoye(avec_un_champ(champ))) == []


def test_une_question_qui_nomme_un_dossier_ne_montre_pas_sa_reponse(nettoye):
    propre = nettoye(avec_un_champ(_dans(f' ASK nom "{DE_LA_BASE}" ')))

    assert traces(propre) == []
    assert RESULTAT not in parties(propre)["word/document.xml"].decode().partition("</w:p>")[0]


def test_un_champ_qui_commence_et_ne_finit_pas_n_emporte_pas_la_suite(nettoye):
    seul = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'

    texte = parties(nettoye(avec_un_champ(seul + complexe([" PAGE "], RESULTAT))))["word/document.xml"].decode()

    assert CORPS in texte
    assert texte.count(RESULTAT) == 5
    assert " PAGE " in texte


def test_un_champ_jamais_fini_ne_dit_rien_non_plus(nettoye):
    commence = complexe([f" DDEAUTO {TEXTE} a "], RESULTAT).rpartition("<w:r><w:fldChar")[0]

    assert traces(nettoye(avec_un_champ(commence))) == []


def test_ce_qu_un_programme_note_dans_un_champ_ou_autour_d_un_mot_s_en_va(nettoye):
    note = (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:fldData xml:space="preserve">{TEXTE}</w:fldData></w:fldChar></w:r>'
    )
    note += '<w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    note += f'<w:smartTag w:uri="urn:o" w:element="PersonName"><w:smartTagPr><w:attr w:name="a" w:val="{TEXTE}"/>'
    note += f'</w:smartTagPr><w:r><w:t>un mot</w:t></w:r></w:smartTag><w:customXml w:uri="urn:{TEXTE}" w:element="e">'
    note += f'<w:customXmlPr><w:attr w:name="a" w:val="{TEXTE}"/></w:customXmlPr><w:r><w:t>un autre</w:t></w:r>'
    note += "</w:customXml>"

    propre = nettoye(avec_un_champ(note))

    texte = parties(propre)["word/document.xml"].decode()
    assert traces(propre) == []
    assert "<w:instrText> PAGE </w:instrText>" in texte
    assert "<w:r><w:t>un mot</w:t></w:r><w:r><w:t>un autre</w:t></w:r>" in texte


def test_une_image_d_une_autre_adresse_n_est_plus_demandee(nettoye):
    recu = parties_docx()
    recu["word/_rels/document.xml.rels"] = recu["word/_rels/document.xml.rels"].replace(
        'Target="media/image2.png"', f'Target="https://{TEXTE}.test/a.png" TargetMode="External"'
    )

    propre = nettoye(archive(recu))

    assert traces(propre) == []
    assert 'Target="about:blank"' in parties(propre)["word/_rels/document.xml.rels"].decode()


# --- What lies inside -----------------------------------------------------------------------------------------------


def avec(nom: str, octets: bytes) -> bytes:
    """A document whose second picture is this file."""
    recu = parties_docx()
    recu["word/_rels/document.xml.rels"] = recu["word/_rels/document.xml.rels"].replace("media/image2.png", nom)
    recu[f"word/{nom}"] = octets
    return archive(recu)


GIF = b"GIF89a\2\0\2\0\x80\0\0\0\0\0\xff\xff\xff" + b"!\xff\x0bNETSCAPE2.0\3\1\0\0\0" + b"!\xfe\x15" + SECRET + b"\0"
GIF += b"!\xff\x0bXMP DataXMP" + b"\x15" + SECRET + b"\0" + b",\0\0\0\0\2\0\2\0\0\2\2\x84Q\0;" + SECRET
DESSIN = (
    f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:s="urn:s"><metadata>{TEXTE}</metadata><s:namedview a="{TEXTE}"/>'
)
DESSIN += f'<!-- {TEXTE} --><path s:docname="{TEXTE}" d="M0 0"/></svg>'


def emf() -> bytes:
    texte = TEXTE.encode("utf-16-le")
    tete = bytes(40) + b" EMF" + bytes(16) + len(TEXTE).to_bytes(4, "little") + (108).to_bytes(4, "little")
    return tete.ljust(108, b"\0") + texte + b"dessin"


def tiff() -> bytes:
    tampon = BytesIO()
    dessin().save(tampon, "TIFF", tiffinfo={315: TEXTE, 271: TEXTE})
    return tampon.getvalue()


@pytest.mark.parametrize(
    ("nom", "octets", "reste"),
    [
        ("media/a.gif", GIF, b"NETSCAPE2.0\3\1\0\0\0,"),
        ("media/a.svg", DESSIN.encode(), b'd="M0 0"'),
        ("media/a.emf", emf(), b"dessin"),
        ("media/a.tiff", tiff(), b"II*\0"),
        ("media/a.pdf", pdf(), b"%PDF-"),
        ("media/a.mp4", film(), b"ftyp"),
        ("media/a.bmp", b"BM" + bytes(60), b"BM"),
        ("embeddings/a.pptx", document("pptx"), b"ppt/slides/slide1.xml"),
        ("embeddings/a.odt", document("odt"), b"content.xml"),
    ],
    ids=lambda valeur: valeur if isinstance(valeur, str) else "",
)
def test_ce_qu_un_document_contient_est_nettoye_aussi(nettoye, nom, octets, reste):
    propre = nettoye(avec(nom, octets))

    assert traces(propre) == []
    assert reste in parties(propre)[f"word/{nom}"]


@pytest.mark.parametrize("faire", [jpeg, png, webp])
def test_une_photo_garde_ses_pixels_et_n_est_pas_tournee(nettoye, faire):
    recue = faire(orientation=6)

    posee = parties(nettoye(avec("media/a.bin", recue)))["word/media/a.bin"]

    assert Image.open(BytesIO(posee)).tobytes() == Image.open(BytesIO(recue)).tobytes()
    assert traces(posee) == []


def test_la_densite_d_une_photo_reste_car_un_motif_en_depend(nettoye):
    dense = BytesIO()
    dessin().save(dense, "JPEG", dpi=(300, 300))

    for octets in (png(dpi=(300, 300)), dense.getvalue()):
        posee = parties(nettoye(avec("media/a.bin", octets)))["word/media/a.bin"]
        assert [round(points) for points in Image.open(BytesIO(posee)).info["dpi"]] == [300, 300]


@pytest.mark.parametrize(
    "octets", [b"ID3" + SECRET, b"RIFF\x20\0\0\0WAVE" + SECRET, b"\xff\xfb\x90", b"\0\0\0\x18ftypheic" + bytes(40)]
)
def test_ce_que_rien_ne_nettoie_fait_refuser_le_document(passer, octets):
    assert passer(avec("media/a.bin", octets))[0].motif == Motif.TROP_DIVERS


def test_un_document_trop_profond_est_refuse(passer):
    octets = document("xlsx")
    for _ in range(3):
        octets = avec("embeddings/a.docx", octets)

    assert passer(octets)[0].accepte
    assert passer(avec("embeddings/a.docx", octets))[0].motif == Motif.TROP_DIVERS


def test_un_texte_d_un_autre_format_fait_refuser_le_document(passer):
    recu = parties_docx()
    recu["word/_rels/document.xml.rels"] = recu["word/_rels/document.xml.rels"].replace(
        '/image" Target="media/image2.png', '/aFChunk" Target="a.html'
    )
    recu["word/a.html"] = f"<html><meta name=author content={TEXTE}>"

    assert passer(archive(recu))[0].motif == Motif.TROP_DIVERS


@pytest.mark.parametrize(
    ("valeur", "reste"),
    [
        (f"C:\\Users\\{TEXTE}\\a.doc", "lien1"),
        (f"\\\\serveur\\{TEXTE}\\a.doc", "lien1"),
        (f"file:///home/{TEXTE}/a.ods", "lien1"),
        (f"/Users/{TEXTE}/a.doc", "lien1"),
        (f"'file:///home/{TEXTE}/a.ods'#Feuille1", "'lien1'#Feuille1"),
        ("https://campus.test/home/page", None),
        ("urn:schemas:profile:2.0", None),
        ("h:mm", None),
        ("de 8 h à 9 h : porte B", None),
    ],
)
def test_un_chemin_se_reconnait_et_une_adresse_reste(valeur, reste):
    assert Anonymes().chemins(valeur.encode()).decode() == (valeur if reste is None else reste)


@pytest.mark.parametrize("suffixe", ["bin", "xml"])
def test_une_partie_inconnue_que_rien_ne_nomme_est_laissee(nettoye, suffixe):
    recu = parties_docx()
    relation = f'<Relationship Id="rId99" Type="urn:inconnue" Target="inconnue.{suffixe}"/></Relationships>'
    recu["word/_rels/document.xml.rels"] = recu["word/_rels/document.xml.rels"].replace("</Relationships>", relation)
    recu[f"word/inconnue.{suffixe}"] = f"<a>{TEXTE}</a>"

    assert traces(nettoye(archive(recu))) == []


def test_un_document_vraiment_chiffre_le_dit(passer):
    """A password makes of a document an OLE file that wraps it."""
    nom = "EncryptedPackage".encode("utf-16-le").ljust(64, b"\0") + b"\x22\0"
    resultat, _ = passer(objet_vide() + nom + SECRET * 5000)
    ancien, ecrit = passer(objet_vide() + "EncryptedPackage".encode("utf-16-le") + SECRET)

    assert resultat.motif == Motif.CHIFFRE
    assert (ancien.motif, ancien.metadonnees_retirees) == (None, False)
    assert ecrit is not None


def test_un_document_libre_chiffre_le_dit(passer):
    recu = parties_odf("text")
    chiffre = '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
    recu["META-INF/manifest.xml"] = recu["META-INF/manifest.xml"].replace(
        "</manifest:manifest>", f"{chiffre}</manifest:manifest>"
    )

    assert passer(archive(recu))[0].motif == Motif.CHIFFRE


@pytest.mark.parametrize("genre", ["docx", "odt"])
def test_un_document_coupe_n_importe_ou_est_refuse(passer, genre):
    entier = document(genre)

    for longueur in range(100, len(entier), len(entier) // 7):
        resultat, _ = passer(entier[:longueur])
        # Cut before any name that says what it is, it is an archive, and is said to be kept as it came.
        connu = resultat.genre != "application/zip"
        assert (resultat.motif, resultat.metadonnees_retirees) == (Motif.ILLISIBLE if connu else None, False)


def test_la_place_des_noms_ne_trompe_pas_sur_le_genre():
    recu = parties_docx()
    loin = {
        "[Content_Types].xml": recu.pop("[Content_Types].xml"),
        "_rels/.rels": recu.pop("_rels/.rels"),
        "a.jpeg": bytes(70_000),
    }
    octets = archive({**loin, **recu})
    presentation = PARTIES["pptx"]()
    inclus = archive({"ppt/presentation.xml": presentation["ppt/presentation.xml"], "ppt/a.jpeg": document("docx")})
    binaire = archive({"xl/styles.bin": b"", "xl/workbook.bin": b""})

    assert reconnaitre(octets[:DEBUT]) == "application/zip"
    assert reconnaitre(octets[:DEBUT], octets[-DEBUT:]) == DOCX
    assert reconnaitre(inclus[:DEBUT], inclus[-DEBUT:]) == PPTX
    assert reconnaitre(binaire, binaire) == "application/vnd.ms-excel.sheet.binary.macroenabled.12"
