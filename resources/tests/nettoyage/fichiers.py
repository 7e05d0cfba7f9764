"""Files as phones, cameras and people make them; each hides `SECRET` in every place that its format has for it."""

import struct
import zlib
from io import BytesIO
from typing import Any

import pikepdf
import pillow_heif
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

SECRET = b"LIEU-48.8584N-2.2945E"
TEXTE = SECRET.decode()
TRACE = b"q 96 0 0 64 20 20 cm /Im0 Do Q"  # what a page draws
XMP = b'<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/">' + SECRET + b"</x:xmpmeta><?xpacket end='w'?>"


def dessin(mode: str = "RGB", taille: tuple[int, int] = (96, 64)) -> Image.Image:
    """A picture that no turn leaves as it is."""
    degrade = Image.linear_gradient("L").resize(taille)
    croise = Image.linear_gradient("L").rotate(90).resize(taille)
    image = Image.merge("RGB", (degrade, croise, Image.effect_mandelbrot(taille, (-3, -2.5, 2, 2.5), 30)))
    if mode in ("RGBA", "LA"):
        image.putalpha(croise)
    return image.convert(mode) if image.mode != mode else image


def exif(orientation: int = 1) -> bytes:
    """Device, author, thumbnail, and a place under the tower."""
    donnees = Image.Exif()
    donnees[0x0112] = orientation
    donnees[0x010F] = donnees[0x0110] = donnees[0x013B] = donnees[0x9286] = TEXTE
    donnees.get_ifd(0x8825).update({1: "N", 2: (48.0, 51.0, 30.0), 3: "E", 4: (2.0, 17.0, 40.0), 29: TEXTE})
    return donnees.tobytes()


def icc_inconnu() -> bytes:
    """A profile with a device name, that of no space we know."""
    profil = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    position = profil.find(b"XYZ \0\0\0\0", 128)
    profil[position + 8 : position + 12] = struct.pack(">i", 50_000)
    return bytes(profil) + SECRET


def segment(marqueur: int, contenu: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marqueur, len(contenu) + 2) + contenu


def jpeg(image: Image.Image | None = None, orientation: int = 1, **options: Any) -> bytes:
    """A phone's photo: every block that may hold something, a second picture and a film behind it."""
    nu = BytesIO()
    (image or dessin()).save(nu, "JPEG", **{"quality": 85, **options})
    octets = nu.getvalue()
    blocs = [
        segment(0xE1, b"Exif\0\0" + exif(orientation).removeprefix(b"Exif\0\0")),
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP),
        segment(0xE0, b"JFXX\0\x10" + SECRET),
        segment(0xE2, b"ICC_PROFILE\0\1\1" + icc_inconnu()),
        segment(0xE2, b"MPF\0" + SECRET),
        segment(0xED, b"Photoshop 3.0\0" + b"8BIM\x04\x04\0\0\0\0\0" + bytes([len(SECRET)]) + SECRET),
        segment(0xEB, b"JP\0\0" + SECRET),
        segment(0xFE, SECRET),
    ]
    fin = segment(0xE5, SECRET).join([b"\xff\xd8", b"\xff\xd9"]) + b"ftypmp42" + SECRET
    return octets[:2] + b"".join(blocs) + octets[2:] + fin


def bloc_png(genre: bytes, contenu: bytes) -> bytes:
    return struct.pack(">I", len(contenu)) + genre + contenu + struct.pack(">I", zlib.crc32(genre + contenu))


def png(image: Image.Image | None = None, orientation: int = 1, **options: Any) -> bytes:
    infos = PngInfo()
    infos.add_text("Author", TEXTE)
    infos.add_text("Comment", TEXTE, zip=True)
    infos.add_itxt("XML:com.adobe.xmp", XMP.decode())
    infos.add(b"tIME", struct.pack(">HBBBBB", 2026, 11, 21, 9, 30, 0))
    infos.add(b"prVt", SECRET)
    tampon = BytesIO()
    options = {"icc_profile": icc_inconnu(), "exif": exif(orientation), "dpi": (300, 300), **options}
    (image or dessin()).save(tampon, "PNG", pnginfo=infos, **options)
    return tampon.getvalue() + SECRET


def webp(image: Image.Image | None = None, orientation: int = 1, **options: Any) -> bytes:
    tampon = BytesIO()
    options = {"exif": exif(orientation), "xmp": XMP, "icc_profile": icc_inconnu(), **options}
    (image or dessin()).save(tampon, "WEBP", **options)
    octets = tampon.getvalue() + b"SECR" + struct.pack("<I", len(SECRET) + 1) + SECRET + b"\0"
    return octets[:4] + struct.pack("<I", len(octets) - 8) + octets[8:] + SECRET


def heic(
    image: Image.Image | None = None, orientation: int = 1, *, taille: tuple[int, int] = (96, 64), ment: bool = False
) -> bytes:
    """A phone's photo; `ment`: small, it says that it has this size."""
    tampon = BytesIO()
    photo = image or dessin(taille=(96, 64) if ment else taille)
    photo.info["icc_profile"] = icc_inconnu()
    pillow_heif.from_pillow(photo).save(tampon, quality=80, exif=exif(orientation), xmp=XMP)
    octets = tampon.getvalue()
    return octets.replace(
        b"ispe" + bytes(4) + struct.pack(">II", 96, 64), b"ispe" + bytes(4) + struct.pack(">II", *taille)
    )


def images_animees(nombre: int = 3) -> list[Image.Image]:
    return [dessin().rotate(30 * rang) for rang in range(nombre)]


# --- PDF -------------------------------------------------------------------------------------------------------------


def pdf(**options: Any) -> bytes:
    """Two pages with a photo, and whatever a document can hide."""
    document = pikepdf.new()
    nom, action = pikepdf.Name, pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=f"app.alert('{TEXTE}')")
    photo = pikepdf.Stream(document, jpeg(), Filter=nom.DCTDecode, Type=nom.XObject, Subtype=nom.Image, Width=96)
    photo.update(pikepdf.Dictionary(Height=64, ColorSpace=nom.DeviceRGB, BitsPerComponent=8))
    photo.Metadata = pikepdf.Stream(document, XMP)
    for _ in range(2):
        page = document.add_blank_page(page_size=(200, 200))
        page.Contents = pikepdf.Stream(document, TRACE)
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im0=document.make_indirect(photo)))
        page.obj.update(pikepdf.Dictionary(Metadata=pikepdf.Stream(document, XMP), AA=pikepdf.Dictionary(O=action)))
        page.obj.update(pikepdf.Dictionary(PieceInfo=pikepdf.Dictionary(App=TEXTE), LastModified=TEXTE, VP=[TEXTE]))
    joint = pikepdf.Dictionary(Type=nom.Filespec, F=TEXTE, EF=pikepdf.Dictionary(F=pikepdf.Stream(document, SECRET)))
    cadre = pikepdf.Array([0, 0, 10, 10])
    document.pages[0].Annots = pikepdf.Array(
        [
            pikepdf.Dictionary(
                Subtype=nom.Link, Rect=cadre, A=pikepdf.Dictionary(S=nom.URI, URI="https://campus.test/")
            ),
            pikepdf.Dictionary(Subtype=nom.Link, Rect=cadre, A=pikepdf.Dictionary(S=nom.Launch, F=TEXTE)),
            pikepdf.Dictionary(
                Subtype=nom.Link, Rect=cadre, A=pikepdf.Dictionary(S=nom.URI, URI=f"javascript:{TEXTE}")
            ),
            pikepdf.Dictionary(Subtype=nom.FileAttachment, Rect=cadre, FS=joint),
            pikepdf.Dictionary(Subtype=nom.Text, Rect=cadre, Contents="Ici", T=TEXTE, M=TEXTE, NM=TEXTE),
        ]
    )
    champ = document.make_indirect(pikepdf.Dictionary(FT=nom.Tx, T="nom", V="Diop", AA=pikepdf.Dictionary(K=action)))
    signe = pikepdf.Dictionary(Type=nom.Sig, ByteRange=[0, 1], Contents=SECRET, Name=TEXTE, Location=TEXTE)
    signature = pikepdf.Dictionary(FT=nom.Sig, T="signature", V=document.make_indirect(signe))
    document.Root.update(
        pikepdf.Dictionary(
            AcroForm=pikepdf.Dictionary(Fields=[champ, document.make_indirect(signature)], XFA=TEXTE),
            Names=pikepdf.Dictionary(
                Dests=pikepdf.Dictionary(Names=["fin", pikepdf.Array([document.pages[1].obj, nom.Fit])]),
                JavaScript=pikepdf.Dictionary(Names=[TEXTE, action]),
                EmbeddedFiles=pikepdf.Dictionary(Names=[TEXTE, joint]),
            ),
            OpenAction=action,
            AF=[joint],
            Metadata=pikepdf.Stream(document, XMP, Type=nom.Metadata, Subtype=nom.XML),
            Extra=TEXTE,
        )
    )
    document.docinfo["/Author"] = TEXTE
    document.trailer.DocChecksum = TEXTE
    tampon = BytesIO()
    document.save(tampon, fix_metadata_version=False, **options)
    return tampon.getvalue()
