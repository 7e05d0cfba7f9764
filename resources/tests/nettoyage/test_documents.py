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
    RESULTAT,
    archive,
    document,
    parties,
    parties_docx,
    parties_odf,
    traces,
)
from resources.tests.nettoyage.fichiers import SECRET, TEXTE, dessin, jpeg, pdf, png, webp
from resources.tests.nettoyage.films import film

pytestmark = pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO")
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

    assert contenu.count(f"<text:p>{RESULTAT}</text:p>") == 2
    assert "https://campus.test/" in contenu
    assert 'xlink:href="Pictures/photo.jpeg"' in contenu


def test_un_modele_est_nettoye_comme_un_document(nettoye):
    mime = "application/vnd.oasis.opendocument.text-template"
    propre = nettoye(archive(parties_odf("text", mime=mime)))

    assert mime in ODF
    assert parties(propre)["mimetype"].decode() == mime
    assert traces(propre) == []


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
