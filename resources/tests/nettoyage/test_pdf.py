"""Documents: what the pages show comes out, and nothing else."""

import zlib
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from PIL import Image

from resources.nettoyage.bornes import Bornes
from resources.nettoyage.genres import reconnaitre
from resources.nettoyage.pdf import nettoyer
from resources.nettoyage.processus import Motif
from resources.nettoyage.refus import Refuse
from resources.nettoyage.traces import sans_commentaires
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


@pytest.mark.parametrize("valeur", [12, 1.5, True, pikepdf.Name.Ici, "ici", pikepdf.Array([1, 2])], ids=repr)
def test_une_valeur_a_part_dans_le_document_le_laisse_entier(nettoye, valeur):
    """Of a length, a number, a name that many programs write as an object of its own."""
    with pikepdf.open(BytesIO(pdf())) as document:
        document.pages[0].Resources.Essai = document.make_indirect(pikepdf.Dictionary(V=document.make_indirect(valeur)))
        sortie = BytesIO()
        document.save(sortie)

    propre = nettoye(sortie.getvalue())

    with pikepdf.open(BytesIO(propre)) as document:
        assert len(document.pages) == 2


def test_la_longueur_d_un_flux_peut_etre_un_objet(nettoye):
    """As LibreOffice writes it."""
    trace = b"BT /F1 12 Tf 72 720 Td (Bonjour) Tj ET"
    objets = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 6 0 R>>>>>>",
        b"<</Length 5 0 R>>stream\n%b\nendstream" % trace,
        b"%d" % len(trace),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    recu = bytearray(b"%PDF-1.7\n")
    places = []
    for rang, objet in enumerate(objets, 1):
        places.append(len(recu))
        recu += b"%d 0 obj\n%b\nendobj\n" % (rang, objet)
    table = len(recu)
    recu += b"xref\n0 7\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    recu += b"trailer\n<</Size 7/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % table

    propre = nettoye(bytes(recu))

    with pikepdf.open(BytesIO(propre)) as document:
        assert document.pages[0].Contents.read_bytes() == trace


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


def test_un_document_qu_un_mot_de_passe_ouvre_est_refuse(passer):
    resultat, _ = passer(pdf(encryption=pikepdf.Encryption(owner="maitre", user="ouvrir")))

    assert (resultat.motif, resultat.metadonnees_retirees) == (Motif.CHIFFRE, False)


@pytest.mark.parametrize("force", [2, 3, 4, 6])
def test_un_document_que_seul_son_proprietaire_bride_est_nettoye_et_ouvert(nettoye, force):
    defense = pikepdf.Permissions(extract=False, print_highres=False, modify_other=False)
    forme = {"R": force, "aes": force > 3, "metadata": force > 3}

    propre = nettoye(pdf(encryption=pikepdf.Encryption(owner="maitre", user="", allow=defense, **forme)))

    verifier_sans_trace(propre)
    with pikepdf.open(BytesIO(propre)) as document:
        assert not document.is_encrypted
        assert document.allow.extract
        assert {page.Contents.read_bytes() for page in document.pages} == {TRACE}
        assert str(document.Root.AcroForm.Fields[0].V) == "Diop"
        photo = Image.open(BytesIO(document.pages[0].Resources.XObject.Im0.read_raw_bytes()))
        assert photo.tobytes() == Image.open(BytesIO(jpeg())).tobytes()


def test_un_document_sans_page_est_refuse(passer):
    tampon = BytesIO()
    pikepdf.new().save(tampon)

    assert passer(tampon.getvalue())[0].motif == Motif.ILLISIBLE


def imprime(pages: int = 20, **options: Any) -> bytes:
    document = pikepdf.new()
    for rang in range(pages):
        document.add_blank_page().Contents = pikepdf.Stream(document, b"BT (page %d) Tj ET " % rang * 40)
    document.docinfo["/Author"] = TEXTE
    tampon = BytesIO()
    document.save(tampon, **{"object_stream_mode": pikepdf.ObjectStreamMode.disable, **options})
    return tampon.getvalue()


def coupe(octets: bytes, avant: bytes, *, zeros: bool = False) -> bytes:
    """Without what comes from there on, or with zeros in its place."""
    garde = octets[: octets.rindex(avant)]
    return garde.ljust(len(octets), b"\0") if zeros else garde


@pytest.mark.longue
@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("avant", [b"%%EOF", b"startxref", b"trailer", b"0000000000 65535"])
@pytest.mark.parametrize("options", [{"compress_streams": False}, {}, {"linearize": True}])
def test_un_document_sans_sa_fin_garde_ses_pages(nettoye, options, avant, zeros):
    propre = nettoye(coupe(imprime(**options), avant, zeros=zeros))

    verifier_sans_trace(propre)
    with pikepdf.open(BytesIO(propre)) as document:
        assert [page.Contents.read_bytes()[:12].split(b")")[0] for page in document.pages] == [
            b"BT (page %d" % rang for rang in range(20)
        ]


@pytest.mark.parametrize("options", [{"compress_streams": False}, {}])
@pytest.mark.parametrize(("usager", "avant"), [("", b"trailer"), ("ouvrir", b"trailer"), ("", b"0000000000 65535")])
def test_un_document_chiffre_sans_sa_fin_est_refuse(passer, options, usager, avant):
    recu = coupe(imprime(encryption=pikepdf.Encryption(owner="maitre", user=usager), **options), avant)
    with pikepdf.open(BytesIO(recu)) as document:
        assert len(document.pages) == 20

    assert passer(recu)[0].motif == Motif.ILLISIBLE


def test_un_document_qui_a_perdu_un_objet_avec_sa_fin_est_refuse(passer):
    assert passer(coupe(imprime(compress_streams=False), b"BT"))[0].motif == Motif.ILLISIBLE


def test_un_document_ecrit_qui_n_a_pas_ses_pages_n_est_pas_nettoye(monkeypatch):
    ecrire = pikepdf.Pdf.save

    def perdre(document: pikepdf.Pdf, *args: Any, **options: Any) -> None:
        del document.pages[0]
        ecrire(document, *args, **options)

    assert nettoyer(imprime(), Bornes(1, 1, 1000))
    monkeypatch.setattr(pikepdf.Pdf, "save", perdre)
    with pytest.raises(Refuse):
        nettoyer(imprime(), Bornes(1, 1, 1000))


# --- What producers note beside what is shown -----------------------------------------------------------------------

MONTRE = b"(50% (% ici) \\) %) Tj BI /W 1 /H 1 /BPC 8 /CS /G ID \n%\nEI Q"
COMMENTE = b"%% Creator: " + SECRET + b"\nq BT % " + SECRET + b"\r" + MONTRE + b"\n%" + SECRET
LETTRES = b"/CIDInit /ProcSet findresource begin\n/Registry (Adobe) def endcmap"


def bavard(**options: Any) -> bytes:
    """A page whose every part says who made it, and where."""
    document, nom = pikepdf.new(), pikepdf.Name
    page, dico = document.add_blank_page(page_size=(200, 200)), pikepdf.Dictionary
    ailleurs = dico(Type=nom.Filespec, F=TEXTE)
    forme = pikepdf.Stream(document, COMMENTE, Subtype=nom.Form, BBox=[0, 0, 9, 9], Ref=dico(F=ailleurs, Page=1))
    motif = pikepdf.Stream(document, COMMENTE, PatternType=1, BBox=[0, 0, 9, 9])
    cache = pikepdf.Stream(document, jpeg(), Subtype=nom.Image, Filter=nom.DCTDecode, F=ailleurs)
    autre = dico(Image=document.make_indirect(cache), DefaultForPrinting=True, OC=dico(Type=nom.OCG, Name=TEXTE))
    photo = pikepdf.Stream(document, jpeg(), Subtype=nom.Image, Filter=nom.DCTDecode, Alternates=[autre])
    police = dico(
        Type=nom.Font, Subtype=nom.Type3, ToUnicode=pikepdf.Stream(document, b"%!PS " + SECRET + b"\n" + LETTRES)
    )
    police.CharProcs = dico(a=pikepdf.Stream(document, COMMENTE))
    calque = document.make_indirect(
        dico(
            Type=nom.OCG,
            Name="Plan",
            Usage=dico(
                CreatorInfo=dico(Creator=TEXTE, Subtype=nom.Technical),
                User=dico(Type=nom.Ind, Name=TEXTE),
                View=dico(ViewState=nom.ON),
            ),
        )
    )
    page.Contents = pikepdf.Array([pikepdf.Stream(document, COMMENTE), pikepdf.Stream(document, TRACE)])
    page.Resources = dico(
        XObject=dico(Im0=photo, Fm0=forme, Ps0=pikepdf.Stream(document, COMMENTE, Subtype=nom.PS)),
        Pattern=dico(P0=motif),
        Font=dico(User=document.make_indirect(police)),
        Properties=dico(Ref=calque),
    )
    page.Annots = [dico(Subtype=nom.Stamp, Rect=[0, 0, 9, 9], AP=dico(N=forme))]
    proprietes = dico(O=nom.UserProperties, P=[dico(N="Relu par", V=TEXTE, F=TEXTE, H=True)])
    element = dico(Type=nom.StructElem, S=nom.Figure, A=[proprietes, 0], Alt=f"C:\\Users\\{TEXTE}\\photo.jpg")
    decrit = dico(Type=nom.StructElem, S=nom.Figure, Alt="Une porte ouverte")
    document.Root.update(
        dico(
            OCProperties=dico(OCGs=[calque], D=dico(Creator=TEXTE, Name="Vue", Order=[calque])),
            MarkInfo=dico(Marked=True, UserProperties=True),
            StructTreeRoot=dico(K=[document.make_indirect(element), document.make_indirect(decrit)]),
        )
    )
    tampon = BytesIO()
    document.save(tampon, **options)
    return tampon.getvalue()


@pytest.mark.parametrize("options", [{}, {"compress_streams": False}, {"encryption": pikepdf.Encryption(owner="m")}])
def test_ce_que_notent_les_producteurs_s_en_va_et_ce_qui_se_voit_reste(nettoye, options):
    propre = nettoye(bavard(**options))

    verifier_sans_trace(propre)
    tout = contenus(propre)
    for cle in ("/Alternates", "/Ref <<", "/UserProperties", "/CreatorInfo", "/User <<", "/Creator", "/Filespec"):
        assert cle.encode() not in tout
    with pikepdf.open(BytesIO(propre)) as document:
        page = document.pages[0]
        calque = document.Root.OCProperties.OCGs[0]
        assert (str(calque.Name), calque.Usage.keys()) == ("Plan", {"/View"})
        assert page.Resources.Properties.Ref.objgen == calque.objgen
        dessins = [page.Contents[0], page.Resources.XObject.Fm0, page.Resources.Pattern.P0, page.Annots[0].AP.N]
        dessins.append(page.Resources.Font.User.CharProcs.a)
        assert {b" ".join(dessin.read_bytes().split()) for dessin in dessins} == {b"q BT " + b" ".join(MONTRE.split())}
        assert page.Resources.Font.User.ToUnicode.read_bytes().strip() == LETTRES
        assert page.Contents[1].read_bytes() == TRACE
        assert [element.get("/Alt") for element in document.Root.StructTreeRoot.K] == [None, "Une porte ouverte"]
    assert nettoye(propre) == propre


@pytest.mark.parametrize(
    ("dit", "reste"),
    [
        (b"q % moi\nQ", b"q  \nQ"),
        (b"(a % b) Tj", b"(a % b) Tj"),
        (b"((%) \\) %) Tj %x", b"((%) \\) %) Tj  "),
        (b"[(50 %)-3(%)] TJ\r\n%x\r\nET", b"[(50 %)-3(%)] TJ\r\n \r\nET"),
        (b"(sans fin % x", b"(sans fin % x"),
        (b"/ID % x\n<< /ID 3 >> % y", b"/ID  \n<< /ID 3 >>  "),
        (b"BI /W 4 ID \xff%\x01 EI\x00\xff%a\nEI Q % x", b"BI /W 4 ID \xff%\x01 EI\x00\xff%a\nEI Q  "),
        (b"BI % x\n/W 4 ID %%%%\nEI", b"BI  \n/W 4 ID %%%%\nEI"),
    ],
)
def test_un_commentaire_se_distingue_de_ce_qui_s_ecrit_et_se_dessine(dit, reste):
    assert sans_commentaires(dit) == reste
