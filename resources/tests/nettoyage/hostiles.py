"""What people send to break a service, by name: the bytes, and what must become of them."""

import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import NamedTuple

from PIL import Image

from resources.tests.nettoyage.documents import W, archive, parties_odf
from resources.tests.nettoyage.fichiers import bloc_png, dessin, exif, heic, jpeg, pdf, png, segment, webp
from resources.tests.nettoyage.films import Piste, boite, film, pleine

CHARGE = b"<script>alert('charge')</script>"
PHP = b"<?php system($_GET['charge']); ?>"
ZIP = b"PK\3\4" + bytes(26) + b"charge.class" + b"PK\5\6" + bytes(18)
TEL_QUEL, NETTOYE, REFUSE = "tel quel", "nettoyé", "refusé"
GRAND = 30_000


class Hostile(NamedTuple):
    faire: Callable[[], bytes]
    issue: str
    motif: str = "illisible"


def _dessin_png(largeur: int, hauteur: int, *blocs: bytes, profondeur: int = 8, couleur: int = 0) -> bytes:
    tete = struct.pack(">IIBBBBB", largeur, hauteur, profondeur, couleur, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + bloc_png(b"IHDR", tete) + b"".join(blocs) + bloc_png(b"IEND", b"")


@cache
def bombe(taille: int, tete: bytes = b"") -> bytes:
    """That many zeros behind a head, compressed a thousand times."""
    compresseur, bloc = zlib.compressobj(6), bytes(1 << 20)
    morceaux = [compresseur.compress(tete), *(compresseur.compress(bloc) for _ in range(taille >> 20))]
    return b"".join([*morceaux, compresseur.flush()])


RANGEES = zlib.compress(bytes(11 * 10))


def _jpeg_nu() -> bytes:
    tampon = BytesIO()
    dessin().save(tampon, "JPEG")
    return tampon.getvalue()


def _jpeg_avec(*segments: bytes) -> bytes:
    nu = _jpeg_nu()
    return nu[:2] + b"".join(segments) + nu[2:]


def _jpeg_taille(largeur: int, hauteur: int) -> bytes:
    nu = bytearray(_jpeg_nu())
    place = nu.index(b"\xff\xc0") + 5
    nu[place : place + 4] = struct.pack(">HH", hauteur, largeur)
    return bytes(nu)


def _jpeg_aux_passes(nombre: int, *, vides: bool = False) -> bytes:
    """The last scan of a large progressive picture, so many times, with or without what it draws."""
    tampon = BytesIO()
    Image.new("L", (6000, 6000)).save(tampon, "JPEG", progressive=True)
    octets = tampon.getvalue()
    debut = octets.rindex(b"\xff\xda")
    fin = debut + 2 + int.from_bytes(octets[debut + 2 : debut + 4]) if vides else -2
    return octets[:debut] + octets[debut:fin] * nombre + b"\xff\xd9"


def _apng(nombre: int, taille: int) -> bytes:
    rangees = bombe(taille * (taille + 1) + (1 << 20))
    images = [bloc_png(b"acTL", struct.pack(">II", nombre, 0))]
    for rang in range(nombre):
        controle = struct.pack(">IIIIIHHBB", 2 * rang, taille, taille, 0, 0, 1, 10, 0, 0)
        donnees = bloc_png(b"fdAT", struct.pack(">I", 2 * rang + 1) + rangees) if rang else bloc_png(b"IDAT", rangees)
        images += [bloc_png(b"fcTL", controle), donnees]
    return _dessin_png(taille, taille, *images)


def _webp(*blocs: bytes) -> bytes:
    corps = b"WEBP" + b"".join(blocs)
    return b"RIFF" + struct.pack("<I", len(corps)) + corps


def _bloc_webp(genre: bytes, contenu: bytes) -> bytes:
    return genre + struct.pack("<I", len(contenu)) + contenu + bytes(len(contenu) % 2)


def _pdf(*objets: bytes, racine: int = 1) -> bytes:
    """Objects numbered from 1, with their table."""
    morceaux, places, place = [b"%PDF-1.7\n"], [], 9
    for numero, objet in enumerate(objets, 1):
        places.append(place)
        morceaux.append(b"%d 0 obj\n%b\nendobj\n" % (numero, objet))
        place += len(morceaux[-1])
    octets = b"".join(morceaux)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    fin = b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objets) + 1, racine, len(octets))
    return octets + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objets) + 1) + table + fin


CATALOGUE, PAGES = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"


def _flux(contenu: bytes, cles: bytes) -> bytes:
    return b"<<%b/Length %d>>stream\n" % (cles, len(contenu)) + contenu + b"\nendstream"


def _pdf_bombe(couches: int, filtre: bytes = b"") -> bytes:
    contenu = bombe(1 << 27)
    for _ in range(couches - 1):
        contenu = zlib.compress(contenu, 9)
    filtres = b"/Filter[%b%b]/Subtype/Image" % (b"/FlateDecode" * couches, filtre)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>"
    return _pdf(CATALOGUE, PAGES, page, _flux(contenu, filtres))


def _pdf_objets_comprimes(taille: int) -> bytes:
    """The pages in an object stream, and zeros behind them."""
    tete, pages = b"2 0 3 60 ", PAGES.ljust(60) + PAGE
    flux = _flux(bombe(taille, tete + pages), b"/Type/ObjStm/N 2/First %d/Filter/FlateDecode" % len(tete))
    debut = b"%PDF-1.7\n1 0 obj\n" + CATALOGUE + b"\nendobj\n"
    milieu = debut + b"4 0 obj\n" + flux + b"\nendobj\n"
    entrees = ((0, 0, 0), (1, 9, 0), (2, 4, 0), (2, 4, 1), (1, len(debut), 0), (1, len(milieu), 0))
    table = b"".join(struct.pack(">BIH", *entree) for entree in entrees)
    return (
        milieu
        + b"5 0 obj\n"
        + _flux(table, b"/Type/XRef/Size 6/W[1 4 2]/Root 1 0 R")
        + (b"\nendobj\nstartxref\n%d\n%%%%EOF" % len(milieu))
    )


def _pdf_profond(profondeur: int) -> bytes:
    noeuds = [b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % (n + 3) for n in range(profondeur)]
    return _pdf(CATALOGUE, *noeuds, b"<</Type/Page/MediaBox[0 0 9 9]>>")


def _pdf_de_nombreux_objets(nombre: int) -> bytes:
    return _pdf(CATALOGUE, PAGES, PAGE, *[b"<</B[1 2]/C<</D(e)>>>>"] * nombre)


def _emboites(genres: list[bytes], profondeur: int) -> bytes:
    octets = b""
    for rang in range(profondeur):
        octets = boite(genres[rang % len(genres)], octets)
    return boite(b"ftyp", b"isom", bytes(4)) + octets


def _film_avec(avant: bytes, decalage: int, valeur: bytes) -> bytes:
    """The film, with bytes of one of its boxes replaced."""
    octets = bytearray(film())
    place = octets.index(avant) + decalage
    octets[place : place + len(valeur)] = valeur
    return bytes(octets)


def _film_aux_mille_morceaux() -> bytes:
    """A million chunks that all say the same ten megabytes."""
    donnees = bytes(10_000_000)
    octets = film(parties=[Piste(1, b"vide", b"avc1", [donnees])])
    place, nombre = octets.index(b"mdat") + 4, 1_000_000
    table = pleine(b"stco", struct.pack(">I", nombre), struct.pack(">I", place) * nombre)
    tailles = pleine(b"stsz", struct.pack(">II", 1, 1))
    for genre, neuf in ((b"stco", table), (b"stsz", tailles)):
        debut = octets.index(genre) - 4
        fin = debut + int.from_bytes(octets[debut : debut + 4])
        octets = octets[:debut] + neuf + octets[fin:]
        octets = _agrandir(octets, len(neuf) - (fin - debut))
    place = octets.index(b"stsc") + 16
    return octets[:place] + struct.pack(">I", 9_999_000) + octets[place + 4 :]


def _agrandir(octets: bytes, nombre: int) -> bytes:
    tampon = bytearray(octets)
    for genre in (b"moov", b"trak", b"mdia", b"minf", b"stbl"):
        place = tampon.index(genre) - 4
        taille = int.from_bytes(tampon[place : place + 4]) + nombre
        tampon[place : place + 4] = struct.pack(">I", taille)
    return bytes(tampon)


def _docx(neuves: dict[str, bytes | str] | None = None) -> bytes:
    """A small document, some parts of which are these."""
    parties: dict[str, bytes | str] = {
        "[Content_Types].xml": f'<Types xmlns="{_PAQUET}content-types"/>',
        "_rels/.rels": _relations("word/document.xml", sorte="officeDocument"),
        DOCUMENT: f'<w:document xmlns:w="{W}"><w:body/></w:document>',
    }
    return archive(parties | (neuves or {}))


DOCUMENT, RELATIONS = "word/document.xml", "word/_rels/document.xml.rels"
_PAQUET = "http://schemas.openxmlformats.org/package/2006/"
_DTD = '<!DOCTYPE a [<!ENTITY a "charge"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>'


def _zip_aux_noms(*noms: str) -> bytes:
    with warnings.catch_warnings(), BytesIO() as tampon:
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(tampon, "w") as zip_:
            zip_.writestr("word/document.xml", "<a/>")
            for nom in noms:
                zip_.writestr(nom, "charge")
        return tampon.getvalue()


def _zip_qui_ment(octets: bytes, taille: int) -> bytes:
    """Every entry announces that many bytes."""
    tampon = bytearray(octets)
    for signature, place in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        position = -1
        while (position := octets.find(signature, position + 1)) != -1:
            tampon[position + place : position + place + 4] = taille.to_bytes(4, "little")
    return bytes(tampon)


def _relations(*cibles: str, sorte: str = "header") -> str:
    lignes = "".join(f'<Relationship Id="r{n}" Type="a/{sorte}" Target="{cible}"/>' for n, cible in enumerate(cibles))
    return f'<Relationships xmlns="{_PAQUET}relationships">{lignes}</Relationships>'


def _document_qui_nomme(nombre: int) -> str:
    return f'<w:d xmlns:w="{W}" xmlns:r="r">' + "".join(f'<w:h r:id="r{n}"/>' for n in range(nombre)) + "</w:d>"


FTYP = boite(b"ftyp", b"isom", bytes(4))
HOSTILES = {
    # --- what is not what its name says: stored under its true type, which no browser runs
    "une page": Hostile(lambda: b"<!DOCTYPE html><html>" + CHARGE, TEL_QUEL),
    "un dessin svg qui agit": Hostile(
        lambda: b"<svg xmlns='http://www.w3.org/2000/svg'>" + CHARGE + b"</svg>", TEL_QUEL
    ),
    "un svg derrière un prologue": Hostile(lambda: b"<?xml version='1.0'?><!-- x --><svg>" + CHARGE, TEL_QUEL),
    "un script php": Hostile(lambda: PHP, TEL_QUEL),
    "un script shell": Hostile(lambda: b"#!/bin/sh\nrm -rf /\n", TEL_QUEL),
    "un programme linux": Hostile(lambda: b"\x7fELF\2\1\1" + bytes(200), TEL_QUEL),
    "un programme windows": Hostile(lambda: b"MZ\x90\0" + bytes(200), TEL_QUEL),
    "une archive java": Hostile(lambda: ZIP, TEL_QUEL),
    "un gif qui est un script": Hostile(lambda: b"GIF89a/*" + bytes(30) + b"*/=1;alert(1)", TEL_QUEL),
    "rien": Hostile(lambda: b"", TEL_QUEL),
    "un octet": Hostile(lambda: b"\xff", TEL_QUEL),
    # --- the first bytes of a kind that is cleaned, and something else behind
    "une page sous trois octets de jpeg": Hostile(lambda: b"\xff\xd8\xff" + CHARGE, REFUSE),
    "une page sous la signature de png": Hostile(lambda: b"\x89PNG\r\n\x1a\n" + CHARGE, REFUSE),
    "une page sous la signature de webp": Hostile(lambda: b"RIFF\x30\0\0\0WEBP" + CHARGE, REFUSE),
    "une page sous une marque de mp4": Hostile(lambda: FTYP + CHARGE, REFUSE),
    "une page qui dit être un pdf": Hostile(lambda: b"<html>%PDF-1.7\n" + CHARGE, REFUSE),
    # --- two files in one
    "un jpeg et une page dans son commentaire": Hostile(lambda: _jpeg_avec(segment(0xFE, CHARGE)), NETTOYE),
    "un jpeg et une archive": Hostile(lambda: jpeg() + ZIP, NETTOYE),
    "un jpeg et un pdf dans son commentaire": Hostile(
        lambda: _jpeg_avec(segment(0xFE, _pdf(CATALOGUE, PAGES, PAGE) + CHARGE)), NETTOYE
    ),
    "un jpeg et du php dans son exif": Hostile(lambda: _jpeg_avec(segment(0xE1, b"Exif\0\0MM\0*" + PHP)), NETTOYE),
    "un jpeg et du texte entre ses segments": Hostile(lambda: _jpeg_avec(CHARGE), NETTOYE),
    "un png et une archive": Hostile(lambda: png() + ZIP, NETTOYE),
    "un png et du php dans un texte": Hostile(
        lambda: _dessin_png(10, 10, bloc_png(b"tEXt", b"a\0" + PHP), bloc_png(b"IDAT", RANGEES)), NETTOYE
    ),
    "un png à la palette bancale": Hostile(
        lambda: _dessin_png(10, 10, bloc_png(b"PLTE", PHP + b"x"), bloc_png(b"IDAT", RANGEES), couleur=3), REFUSE
    ),
    "un webp et une page": Hostile(lambda: webp() + CHARGE, NETTOYE),
    "un mp4 et une archive": Hostile(lambda: film() + ZIP, NETTOYE),
    "un mp4 et une page dans une boîte": Hostile(lambda: film() + boite(b"free", CHARGE), NETTOYE),
    "un pdf et une archive": Hostile(lambda: pdf() + ZIP, NETTOYE),
    "un pdf et une page devant": Hostile(lambda: b"<!-- charge -->\n" + pdf(), NETTOYE),
    # --- pictures that are too large, or grow
    "un png de 30 000 sur 30 000": Hostile(
        lambda: _dessin_png(GRAND, GRAND, bloc_png(b"IDAT", bombe(GRAND * 3751)), profondeur=1),
        REFUSE,
        "trop_de_pixels",
    ),
    "un jpeg de 30 000 sur 30 000": Hostile(lambda: _jpeg_taille(GRAND, GRAND), REFUSE, "trop_de_pixels"),
    "un webp de 16 384 sur 16 384": Hostile(
        lambda: _webp(_bloc_webp(b"VP8X", bytes(4) + b"\xff\x3f\0" * 2)), REFUSE, "trop_de_pixels"
    ),
    "un webp qui ment sur sa toile": Hostile(
        lambda: _webp(_bloc_webp(b"VP8X", bytes(10)), _bloc_webp(b"VP8L", b"/\xff\xff\xff\x0f")),
        REFUSE,
        "trop_de_pixels",
    ),
    "un webp de 300 images": Hostile(
        lambda: webp(
            dessin(taille=(8, 8)),
            save_all=True,
            lossless=True,
            append_images=[Image.new("RGB", (8, 8), (n % 256, n // 256, 99)) for n in range(1, 300)],
        ),
        REFUSE,
        "trop_d_images",
    ),
    "un png de 300 images": Hostile(lambda: _apng(300, 8), REFUSE, "trop_d_images"),
    "un png de 100 grandes images": Hostile(lambda: _apng(100, 3000), REFUSE, "trop_de_pixels"),
    "un png de 40 images qui gonflent": Hostile(lambda: _apng(40, 1000), NETTOYE),
    "un png sans surface": Hostile(lambda: _dessin_png(0, 10, bloc_png(b"IDAT", RANGEES)), REFUSE),
    "un png qui gonfle après sa dernière rangée": Hostile(
        lambda: _dessin_png(10, 10, bloc_png(b"IDAT", bombe(1 << 27))), NETTOYE
    ),
    "un png au texte qui gonfle": Hostile(
        lambda: _dessin_png(
            10,
            10,
            bloc_png(b"zTXt", b"a\0\0" + bombe(1 << 27)),
            bloc_png(b"iTXt", b"a\0\1\0\0\0" + bombe(1 << 27)),
            bloc_png(b"IDAT", RANGEES),
        ),
        NETTOYE,
    ),
    "un png au profil qui gonfle": Hostile(
        lambda: _dessin_png(10, 10, bloc_png(b"iCCP", b"a\0\0" + bombe(1 << 27)), bloc_png(b"IDAT", RANGEES)), NETTOYE
    ),
    "un png de 200 000 blocs": Hostile(
        lambda: _dessin_png(10, 10, *[bloc_png(b"tEXt", b"a\0b")] * 200_000, bloc_png(b"IDAT", RANGEES)), NETTOYE
    ),
    "un png en 100 000 morceaux vides": Hostile(
        lambda: _dessin_png(10, 10, bloc_png(b"IDAT", RANGEES), *[bloc_png(b"IDAT", b"")] * 100_000), NETTOYE
    ),
    "un png au bloc trop long": Hostile(lambda: b"\x89PNG\r\n\x1a\n\xff\xff\xff\xffIHDR" + bytes(40), REFUSE),
    "un png à la somme fausse": Hostile(lambda: _dessin_png(10, 10, bloc_png(b"IDAT", RANGEES)[:-1] + b"?"), NETTOYE),
    "un png au filtre inconnu": Hostile(
        lambda: _dessin_png(10, 10, bloc_png(b"IDAT", zlib.compress(b"\5" * 110))), REFUSE
    ),
    "un png aux deux entêtes": Hostile(
        lambda: _dessin_png(10, 10, bloc_png(b"IHDR", bytes(13)), bloc_png(b"IDAT", RANGEES)), REFUSE
    ),
    "un jpeg de 65 000 segments": Hostile(lambda: _jpeg_avec(*[segment(0xFE, b"x")] * 65_000), NETTOYE),
    "un jpeg de 3 000 passes": Hostile(lambda: _jpeg_aux_passes(3000), REFUSE, "trop_d_objets"),
    "un jpeg de 6 000 passes vides": Hostile(lambda: _jpeg_aux_passes(6000, vides=True), REFUSE, "trop_d_objets"),
    "un jpeg de 80 grandes passes": Hostile(lambda: _jpeg_aux_passes(80), REFUSE, "trop_long"),
    "un jpeg de dix millions de marqueurs vides": Hostile(lambda: b"\xff\xd8" + b"\xff" * 10_000_000, REFUSE),
    "un jpeg de dix millions d'octets bourrés": Hostile(
        lambda: _jpeg_nu()[:-2] + b"\xff\0" * 5_000_000 + b"\xff\xd9", NETTOYE
    ),
    "un jpeg de dix millions de reprises": Hostile(lambda: b"\xff\xd8" + b"\xff\xd0" * 5_000_000, REFUSE),
    "un jpeg aux deux trames": Hostile(lambda: _jpeg_avec(segment(0xC0, b"\x08\0\x10\0\x10\1\1\x11\0")), REFUSE),
    "un jpeg au segment trop long": Hostile(lambda: b"\xff\xd8\xff\xe0\xff\xff" + bytes(100), REFUSE),
    "un jpeg au segment sans longueur": Hostile(lambda: b"\xff\xd8\xff\xe0\0\0" + bytes(100), REFUSE),
    "un jpeg au répertoire qui boucle": Hostile(
        lambda: _jpeg_avec(
            segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\xff\xff" + b"\x87\x69\0\4\0\0\0\1\0\0\0\x08" * 5000)
        ),
        NETTOYE,
    ),
    "un jpeg à l'orientation folle": Hostile(
        lambda: jpeg(orientation=1).replace(exif(1)[10:30], b"\xff" * 20), NETTOYE
    ),
    "un jpeg aux 255 morceaux de profil": Hostile(
        lambda: _jpeg_avec(*[segment(0xE2, b"ICC_PROFILE\0\1\xff" + bytes(65_000))] * 255), NETTOYE
    ),
    "un webp au bloc trop long": Hostile(lambda: _webp(b"VP8 \xff\xff\xff\xff" + bytes(20)), REFUSE),
    "un webp d'un million de blocs vides": Hostile(
        lambda: _webp(_bloc_webp(b"VP8X", bytes(10)), *[_bloc_webp(b"ABCD", b"")] * 1_000_000), REFUSE
    ),
    "un webp aux images dans les images": Hostile(
        lambda: _webp(
            _bloc_webp(b"VP8X", b"\2" + bytes(9)), _bloc_webp(b"ANMF", bytes(16) + _bloc_webp(b"ANMF", bytes(16)) * 100)
        ),
        REFUSE,
    ),
    # --- documents
    "un pdf qui gonfle": Hostile(lambda: _pdf_bombe(1), NETTOYE),
    "un pdf qui gonfle trois fois": Hostile(lambda: _pdf_bombe(3), NETTOYE),
    "un pdf dont la photo gonfle": Hostile(lambda: _pdf_bombe(3, b"/DCTDecode"), REFUSE),
    "un pdf aux mille filtres": Hostile(
        lambda: _pdf(CATALOGUE, PAGES, PAGE, _flux(b"x", b"/Filter[%b/DCTDecode]" % (b"/FlateDecode" * 1000))), REFUSE
    ),
    "un pdf dont les objets gonflent": Hostile(lambda: _pdf_objets_comprimes(1 << 27), REFUSE),
    "un pdf aux objets comprimés": Hostile(lambda: _pdf_objets_comprimes(1 << 20), NETTOYE),
    "un pdf de 100 000 objets": Hostile(lambda: _pdf_de_nombreux_objets(100_000), NETTOYE),
    "un pdf de 400 000 objets": Hostile(lambda: _pdf_de_nombreux_objets(400_000), REFUSE, "trop_d_objets"),
    "un pdf dont les pages bouclent": Hostile(lambda: _pdf(CATALOGUE, b"<</Type/Pages/Kids[2 0 R]/Count 1>>"), REFUSE),
    "un pdf dont la page est sa mère": Hostile(
        lambda: _pdf(CATALOGUE, b"<</Type/Pages/Kids[3 0 R 2 0 R]/Count 2>>", PAGE), REFUSE
    ),
    "un pdf de pages profondes": Hostile(lambda: _pdf_profond(20_000), REFUSE),
    "un pdf de listes dans des listes": Hostile(
        lambda: _pdf(CATALOGUE, PAGES, PAGE[:-2] + b"/X" + b"[" * 100_000 + b"]" * 100_000 + b">>"), REFUSE
    ),
    "un pdf aux tables qui bouclent": Hostile(
        lambda: _pdf(CATALOGUE, PAGES, PAGE).replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev 9"), NETTOYE
    ),
    "un pdf à la racine qui manque": Hostile(lambda: _pdf(CATALOGUE, PAGES, PAGE, racine=7), REFUSE),
    "un pdf vide": Hostile(lambda: b"%PDF-1.7", REFUSE),
    # --- films
    "un mp4 de boîtes dans des boîtes": Hostile(lambda: _emboites([b"moov"], 5000), REFUSE),
    "un mp4 de pistes profondes": Hostile(
        lambda: _emboites([b"stbl", b"minf", b"mdia", b"trak", b"moov"], 5000), REFUSE
    ),
    "un mp4 d'un million de boîtes": Hostile(lambda: FTYP + boite(b"free") * 1_000_000, REFUSE),
    "un mp4 à la boîte sans fin": Hostile(lambda: FTYP + b"\0\0\0\0moov" + film()[40:], REFUSE),
    "un mp4 à la boîte de sept octets": Hostile(lambda: FTYP + b"\0\0\0\7moov" + bytes(50), REFUSE),
    "un mp4 à la boîte négative": Hostile(lambda: FTYP + b"\xff\xff\xff\xffmoov" + bytes(50), REFUSE),
    "un mp4 à la boîte de 64 bits négative": Hostile(lambda: FTYP + b"\0\0\0\1moov" + b"\xff" * 8 + bytes(50), REFUSE),
    "un mp4 à la boîte de 64 bits nulle": Hostile(lambda: FTYP + b"\0\0\0\1moov" + bytes(58), REFUSE),
    "un mp4 aux quatre milliards d'échantillons": Hostile(lambda: _film_avec(b"stsz", 12, b"\xff\xff\xff\xff"), REFUSE),
    "un mp4 aux échantillons de quatre gigaoctets": Hostile(
        lambda: _film_avec(b"stsz", 8, b"\xff\xff\xff\xff"), REFUSE
    ),
    "un mp4 aux morceaux de quatre milliards": Hostile(lambda: _film_avec(b"stsc", 16, b"\xff\xff\xff\xff"), NETTOYE),
    "un mp4 aux quatre milliards de morceaux": Hostile(lambda: _film_avec(b"stco", 8, b"\xff\xff\xff\xff"), REFUSE),
    "un mp4 aux deux films": Hostile(lambda: film() + film(), REFUSE),
    "un mp4 sans film": Hostile(lambda: FTYP + boite(b"mdat", CHARGE), REFUSE),
    "un mp4 qui relit sans fin les mêmes données": Hostile(_film_aux_mille_morceaux, REFUSE, "trop_long"),
    # --- office documents
    "un docx qui gonfle": Hostile(lambda: _docx({DOCUMENT: b"<a>" + b" " * (60 << 20) + b"</a>"}), REFUSE, "trop_gros"),
    "un docx dont chaque partie gonfle": Hostile(
        lambda: _docx(
            {
                DOCUMENT: _document_qui_nomme(5),
                RELATIONS: _relations(*(f"{n}.xml" for n in range(5))),
                **{f"word/{n}.xml": b"<a>" + b" " * (24 << 20) + b"</a>" for n in range(5)},
            }
        ),
        REFUSE,
        "trop_gros",
    ),
    "un docx qui annonce quatre gigaoctets": Hostile(lambda: _zip_qui_ment(_docx(), 0xFFFFFFF0), REFUSE, "trop_gros"),
    "un docx qui annonce trop peu": Hostile(lambda: _zip_qui_ment(_docx(), 3), REFUSE),
    "un docx de 6 000 entrées": Hostile(
        lambda: _zip_aux_noms(*(f"word/{n}.xml" for n in range(6000))), REFUSE, "trop_d_objets"
    ),
    "un docx aux deux documents": Hostile(lambda: _zip_aux_noms(DOCUMENT), REFUSE),
    "un docx aux noms qui ne diffèrent que par la casse": Hostile(lambda: _zip_aux_noms("word/Document.xml"), REFUSE),
    "un docx sans relations": Hostile(lambda: _zip_aux_noms("[Content_Types].xml"), REFUSE),
    "un docx qui sort de son dossier": Hostile(
        lambda: _docx({"_rels/.rels": _relations("../../../etc/passwd", sorte="officeDocument")}), REFUSE
    ),
    "un docx aux entités qui gonflent": Hostile(lambda: _docx({DOCUMENT: _DTD}), REFUSE),
    "un docx aux entités en UTF-16": Hostile(
        lambda: _docx({DOCUMENT: f"<?xml version='1.0' encoding='UTF-16'?>{_DTD}".encode("utf-16")}), REFUSE
    ),
    "un docx aux types qui gonflent": Hostile(lambda: _docx({"[Content_Types].xml": _DTD}), REFUSE),
    "un docx mal fermé": Hostile(lambda: _docx({DOCUMENT: "<w:d xmlns:w='w'><w:p></w:d>"}), REFUSE),
    "un docx de balises dans des balises": Hostile(
        lambda: _docx({DOCUMENT: b"<a>" * 500_000 + b"</a>" * 500_000}), NETTOYE
    ),
    "un docx d'un million de balises à lire": Hostile(
        lambda: _docx({DOCUMENT: b"<a>" + b'<b author="charge"/>' * 1_000_000 + b"</a>"}), REFUSE, "trop_long"
    ),
    "un docx de guillemets sans fin": Hostile(
        lambda: _docx(
            {
                DOCUMENT: _document_qui_nomme(1),
                RELATIONS: _relations("a.vml", sorte="vmlDrawing"),
                "word/a.vml": b"<xml " + b'<a b="' * 1_000_001,
            }
        ),
        REFUSE,
        "trop_long",
    ),
    "un docx qui mène à lui-même": Hostile(
        lambda: _docx({DOCUMENT: _document_qui_nomme(1), RELATIONS: _relations("document.xml")}), NETTOYE
    ),
    "un docx à la fin de travers": Hostile(lambda: _docx()[:-60] + CHARGE + _docx()[-60:], REFUSE),
    "un odt sans manifeste": Hostile(
        lambda: archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<a/>"}), REFUSE
    ),
    "un odt qui est un docx": Hostile(
        lambda: archive({"mimetype": "application/vnd.oasis.opendocument.text", "word/document.xml": "<a/>"}), REFUSE
    ),
    "un odt aux entités": Hostile(lambda: archive({**parties_odf("text"), "content.xml": _DTD}), REFUSE),
    "un xlsx binaire": Hostile(lambda: archive({"xl/workbook.bin": CHARGE}), TEL_QUEL),
    "un heic sans image": Hostile(lambda: b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + CHARGE, REFUSE),
    "un heic de 8 000 sur 8 000": Hostile(lambda: heic(taille=(8000, 8000), ment=True), REFUSE),
    "un heic de 20 000 sur 20 000": Hostile(lambda: heic(taille=(20_000, 20_000), ment=True), REFUSE, "trop_de_pixels"),
}
