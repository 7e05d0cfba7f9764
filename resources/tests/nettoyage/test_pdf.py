"""Documents: what the pages show comes out, and nothing else."""

import zlib
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from PIL import Image

from resources.nettoyage.genres import reconnaitre
from resources.nettoyage.processus import Motif
from resources.tests.nettoyage.fichiers import SECRET, TEXTE, TRACE, XMP, jpeg, pdf, segment

pytestmark = pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO")
INTERDITES = {
    *("/Metadata", "/PieceInfo", "/JS", "/JavaScript", "/EmbeddedFiles", "/EF", "/AF", "/AA", "/OpenAction", "/XFA"),
    *("/LastModified", "/VP", "/Extra", "/Info", "/DocChecksum", "/Launch", "/FileAttachment"),
}


def contenus(octets: bytes) -> bytes:
    """All that a document holds, decompressed where it can be."""
    with pikepdf.open(BytesIO(octets)) as document:
        morceaux = [octets, document.trailer.unparse()]
        for objet in document.objects:
            morceaux.append(objet.unparse(resolved=True))
            if isinstance(objet, pikepdf.Stream):
                morceaux += [objet.stream_dict.unparse(), objet.read_raw_bytes()]
                if str(objet.get("/Filter")) == "/FlateDecode":
                    morceaux.append(objet.read_bytes())
    return b"\n".join(morceaux)


def verifier_sans_trace(octets: bytes) -> None:
    assert reconnaitre(octets) == "application/pdf"
    tout = contenus(octets)
    for trace in (SECRET, TEXTE.encode("utf-16-be"), SECRET.hex().encode(), b"xpacket", b"Exif\0\0", b"ns.adobe.com"):
        assert trace not in tout
    for cle in INTERDITES:
        assert f"{cle} ".encode() not in tout


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"linearize": True},
        {"object_stream_mode": pikepdf.ObjectStreamMode.generate},
        {"object_stream_mode": pikepdf.ObjectStreamMode.disable, "compress_streams": False},
    ],
)
def test_un_document_garde_ses_pages_et_rien_d_autre(nettoye, options):
    recu = pdf(**options)
    assert SECRET in contenus(recu)

    propre = nettoye(recu)

    verifier_sans_trace(propre)
    with pikepdf.open(BytesIO(propre)) as document:
        premiere = document.pages[0]
        assert [str(a.Subtype) for a in premiere.Annots] == ["/Link", "/Link", "/Link", "/Text"]
        assert ["/A" in a for a in premiere.Annots] == [True, False, False, False]
        assert str(premiere.Annots[0].A.URI) == "https://campus.test/"
        assert str(premiere.Annots[3].Contents) == "Ici"
        assert {page.Contents.read_bytes() for page in document.pages} == {TRACE}
        assert [str(champ.T) for champ in document.Root.AcroForm.Fields] == ["nom", "signature"]
        assert str(document.Root.AcroForm.Fields[0].V) == "Diop"
        assert str(document.Root.Names.Dests.Names[0]) == "fin"
        photo = Image.open(BytesIO(premiere.Resources.XObject.Im0.read_raw_bytes()))
        assert photo.tobytes() == Image.open(BytesIO(jpeg())).tobytes()
    assert nettoye(propre) == propre


def avec_photo(octets: bytes, **cles: Any) -> bytes:
    document = pikepdf.new()
    page = document.add_blank_page()
    photo = pikepdf.Stream(document, octets, Subtype=pikepdf.Name.Image, **cles)
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im0=photo))
    tampon = BytesIO()
    document.save(tampon, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return tampon.getvalue()


@pytest.mark.parametrize("couches", [["FlateDecode"], ["FlateDecode", "FlateDecode"], ["ASCIIHexDecode"]])
def test_une_photo_deux_fois_comprimee_est_nettoyee(nettoye, couches):
    octets = jpeg()
    for couche in couches:
        octets = zlib.compress(octets) if couche == "FlateDecode" else octets.hex().encode() + b">"
    filtres = pikepdf.Array([pikepdf.Name(f"/{nom}") for nom in [*couches, "DCTDecode"]])

    propre = nettoye(avec_photo(octets, Filter=filtres))

    verifier_sans_trace(propre)


def test_une_photo_dont_la_fin_manque_est_nettoyee(nettoye):
    octets = jpeg().partition(b"\xff\xd9")[0]

    verifier_sans_trace(nettoye(avec_photo(octets, Filter=pikepdf.Name.DCTDecode)))


@pytest.mark.parametrize(
    "octets", [b"bruit" + segment(0xE1, b"Exif\0\0" + SECRET), b"\xff\xd8" + XMP + b"http://ns.adobe.com/xap/1.0/"]
)
@pytest.mark.parametrize("filtre", ["DCTDecode", "JPXDecode"])
def test_une_photo_qu_on_ne_sait_pas_lire_et_qui_dit_un_lieu_est_refusee(passer, octets, filtre):
    resultat, _ = passer(avec_photo(octets, Filter=pikepdf.Name(f"/{filtre}")))

    assert resultat.motif == Motif.ILLISIBLE


def test_ce_qu_une_version_precedente_disait_a_disparu(nettoye):
    premiere = pdf()
    debut = premiere.rindex(b"startxref")
    place = int(premiere[debut:].split()[1])
    suite = b"\n900 0 obj\n(" + SECRET + b")\nendobj\nxref\n900 1\n" + b"%010d 00000 n \n" % (len(premiere) + 1)
    with pikepdf.open(BytesIO(premiere)) as document:
        racine = document.Root.objgen[0]
    fin = b"trailer\n<</Size 901/Root %d 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF" % (
        racine,
        place,
        len(premiere) + suite.index(b"xref"),
    )

    verifier_sans_trace(nettoye(premiere + suite + fin))


@pytest.mark.parametrize("utilisateur", ["", "ouvrir"])
def test_un_document_chiffre_est_refuse(passer, utilisateur):
    resultat, _ = passer(pdf(encryption=pikepdf.Encryption(owner="maitre", user=utilisateur)))

    assert resultat.motif == Motif.CHIFFRE


def test_un_document_sans_page_est_refuse(passer):
    tampon = BytesIO()
    pikepdf.new().save(tampon)

    assert passer(tampon.getvalue())[0].motif == Motif.ILLISIBLE
