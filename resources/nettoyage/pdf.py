"""PDF: a document written again from its pages, without actions, hidden content or traces of its author.

Only objects that can be reached from the pages are written: earlier versions of an edited document are gone too.
"""

import re
import zlib
from contextlib import suppress
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, ObjectStreamMode, Stream, StreamDecodeLevel

from resources.nettoyage import anonymes, jpeg, traces
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.refus import CHIFFRE, TROP_D_OBJETS, Refuse

_RACINE = {"/Type", "/Pages", "/Outlines", "/PageLabels", "/Lang", "/AcroForm", "/MarkInfo", "/StructTreeRoot"}
_RACINE |= {"/Dests", "/OCProperties", "/Names"}
_PAGE = {"/Type", "/Parent", "/Resources", "/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox", "/Contents"}
_PAGE |= {"/Rotate", "/Group", "/Annots", "/StructParents", "/Tabs", "/UserUnit"}
_FORMULAIRE = {"/Fields", "/DR", "/DA", "/Q", "/NeedAppearances"}
_ANNOTATIONS = {"/Link", "/Text", "/FreeText", "/Line", "/Square", "/Circle", "/Polygon", "/PolyLine", "/Highlight"}
_ANNOTATIONS |= {"/Underline", "/Squiggly", "/StrikeOut", "/Stamp", "/Caret", "/Ink", "/Popup", "/Widget", "/Redact"}
# Wherever they are: descriptions, private data of programs, scripts, attached files, media, places on a map.
_PARTOUT = {"/Metadata", "/PieceInfo", "/LastModified", "/Thumb", "/CreatorInfo", "/OPI", "/SpiderInfo", "/PA"}
_PARTOUT |= {"/AA", "/OpenAction", "/JS", "/JavaScript", "/XFA", "/AF", "/EF", "/RF", "/EmbeddedFiles"}
_PARTOUT |= {"/RichMediaContent", "/RichMediaSettings", "/3DD", "/3DV", "/Sound", "/Movie"}
_PARTOUT |= {"/Measure", "/VP", "/PtData", "/LGIDict", "/UserProperties", "/PronunciationLexicon", "/ExData"}
# Of a layer: how it is shown, and not for whom, nor by which program it was made.
_USAGE = {"/Language", "/Export", "/Zoom", "/Print", "/View", "/PageElement"}
_SIGNATURE = {"/ByteRange", "/Contents", "/Cert", "/Name", "/Location", "/Reason", "/ContactInfo", "/M", "/Reference"}
_SIGNATURE |= {"/Prop_Build", "/Changes"}
_AUTEUR = {"/T", "/M", "/CreationDate", "/NM", "/RC"}
_ACTIONS = {"/URI", "/GoTo", "/Named"}
_VISITEES = {"ByteRange", "A", "Next", "Rect", "V", "Usage", "Creator", "Alt", "CharProcs", "ToUnicode"}
_LIENS = (b"http://", b"https://", b"mailto:", b"tel:")
# Data of a stream that lie in another file; a page of another file in place of a form, another picture in place of one.
_EXTERNE = {"/F", "/FFilter", "/FDecodeParms", "/Ref", "/Alternates"}
# Keys of what draws without being a page, and of a table of letters.
_DESSINS = {"/BBox", "/CMapName"}
_MARQUES = (b"Exif\0\0", b"http://ns.adobe.com/xap/", b"Photoshop 3.0\0")
_FLUX_MAX = 64 << 20
# Whether an object is worth a visit: one search in its text, where keys are spelt one way only.
_CLES = re.compile(rb"/(?:%b)(?![A-Za-z0-9])" % "|".join({*(cle[1:] for cle in _PARTOUT), *_VISITEES}).encode())


def nettoyer(octets: bytes, bornes: Bornes) -> bytes:
    pikepdf.settings.set_qpdf_limits(
        flate_max_memory=_FLUX_MAX,
        png_max_memory=_FLUX_MAX,
        tiff_max_memory=_FLUX_MAX,
        run_length_max_memory=_FLUX_MAX,
        max_stream_filters=8,
        doc_max_warnings=1000,
    )
    try:
        with pikepdf.open(BytesIO(octets)) as pdf:
            propre, pages = _recrire(pdf, bornes)
    except pikepdf.PasswordError as erreur:
        raise Refuse(CHIFFRE) from erreur
    _verifier(propre, pages)
    return propre


def _verifier(propre: bytes, pages: int) -> None:
    """Open what was written: it has as many pages as what was read, or it is no cleaned document."""
    with pikepdf.open(BytesIO(propre)) as pdf:
        if len(pdf.pages) != pages:
            raise Refuse


def _recrire(pdf: pikepdf.Pdf, bornes: Bornes) -> tuple[bytes, int]:
    """Write it again in clear, and say how many pages it has.

    A password that only its owner had, to forbid printing or copying, closes nothing.
    """
    # The declared number first: to count them is to read them all.
    if int(pdf.trailer.get("/Size", 0)) > bornes.objets or len(objets := list(pdf.objects)) > bornes.objets:
        raise Refuse(TROP_D_OBJETS)
    if "/Size" not in pdf.trailer:
        _completer(pdf, objets)
    _catalogue(pdf)
    for objet in objets:
        if isinstance(objet, Stream) or (isinstance(objet, (Array, Dictionary)) and _nomme_une_cle(objet)):
            _visiter(pdf, objet)
    sortie, pages = BytesIO(), len(pdf.pages)
    pdf.save(
        sortie,
        deterministic_id=True,
        compress_streams=False,
        stream_decode_level=StreamDecodeLevel.none,
        object_stream_mode=ObjectStreamMode.generate,
        fix_metadata_version=False,
    )
    return sortie.getvalue(), pages


def _nomme_une_cle(objet: Any) -> bool:
    return _CLES.search(objet.unparse(resolved=True)) is not None


def _completer(pdf: pikepdf.Pdf, objets: list[Any]) -> None:
    """The trailer of a document without its end, rebuilt with a root alone: qpdf writes no root where there is no size.

    Refuse one that lost an object with its end, or how it was encrypted.
    """
    pdf.trailer["/Size"] = len(objets) + 1
    if any(objet is None or _est_un_chiffrement(objet) for objet in objets):
        raise Refuse
    contenus = [contenu for page in pdf.pages for contenu in _liste(page.obj.get("/Contents"))]
    comprimes = [contenu for contenu in contenus if isinstance(contenu, Stream) and "/Filter" in contenu]
    if comprimes and all(_lire(contenu) is None for contenu in comprimes):
        raise Refuse


def _est_un_chiffrement(objet: Any) -> bool:
    return isinstance(objet, Dictionary) and objet.get("/Filter") == Name.Standard and {"/O", "/U"} <= set(objet.keys())


def _lire(flux: Stream) -> bytes | None:
    """Its data in clear; None where nobody can read them."""
    with suppress(pikepdf.PdfError, pikepdf.DataDecodingError):
        return flux.read_bytes()
    return None


def _catalogue(pdf: pikepdf.Pdf) -> None:
    _garder(pdf.trailer, {"/Root", "/Size"})
    _garder(pdf.Root, _RACINE)
    for cle, gardees in (("/Names", {"/Dests"}), ("/AcroForm", _FORMULAIRE)):
        if isinstance(pdf.Root.get(cle), Dictionary):
            _garder(pdf.Root[cle], gardees)
        elif cle in pdf.Root:
            del pdf.Root[cle]
    if not pdf.pages:
        raise Refuse
    for page in pdf.pages:
        _page(page.obj)
        for contenu in _liste(page.obj.get("/Contents")):
            _sans_commentaires(contenu)


def _garder(dictionnaire: Any, cles: set[str]) -> None:
    _oter(dictionnaire, set(dictionnaire.keys()) - cles)


def _oter(dictionnaire: Any, cles: set[str]) -> None:
    for cle in cles:
        del dictionnaire[cle]


def _page(page: Any) -> None:
    _garder(page, _PAGE)
    annotations = page.get("/Annots")
    if annotations is not None:
        listees = list(annotations) if isinstance(annotations, Array) else []
        page.Annots = Array(
            [a for a in listees if isinstance(a, Dictionary) and str(a.get("/Subtype")) in _ANNOTATIONS]
        )


def _visiter(pdf: pikepdf.Pdf, objet: Object) -> None:
    """One object and what is written inside it; those it points at have their own turn."""
    pile: list[Any] = [objet]
    while pile:
        noeud = pile.pop()
        if isinstance(noeud, Array):
            valeurs = list(noeud)
        elif isinstance(noeud, (Dictionary, Stream)):
            _dictionnaire(noeud, set(noeud.keys()))
            if isinstance(noeud, Stream):
                _flux(pdf, noeud)
                noeud = noeud.stream_dict
            valeurs = list(noeud.values())
        else:
            continue
        pile += [v for v in valeurs if isinstance(v, (Array, Dictionary)) and not v.is_indirect]


def _dictionnaire(noeud: Any, cles: set[str]) -> None:
    _oter(noeud, cles & _PARTOUT)
    if "/ByteRange" in cles:
        _oter(noeud, (cles - _PARTOUT) & _SIGNATURE)
        return
    if "/A" in cles and _est_interdite(noeud["/A"]):
        del noeud["/A"]
    if "/S" in cles and "/Next" in cles:
        del noeud["/Next"]  # an action that follows another
    if cles >= {"/Rect", "/Subtype"} and str(noeud["/Subtype"]) in _ANNOTATIONS:
        _oter(noeud, cles & (_AUTEUR - {"/T"} if str(noeud["/Subtype"]) == "/Widget" else _AUTEUR))
    if noeud.get("/FT") == Name.Sig:
        _oter(noeud, cles & {"/V", "/SV", "/Lock"})
    _dire_moins(noeud, cles)
    _police(noeud)


def _dire_moins(noeud: Any, cles: set[str]) -> None:
    """Take away what a layer or a structure says beside what it shows."""
    if "/Usage" in cles and isinstance(noeud["/Usage"], Dictionary):
        _garder(noeud["/Usage"], _USAGE)
    if "/Creator" in cles and isinstance(noeud["/Creator"], pikepdf.String):
        del noeud["/Creator"]  # of a set of layers
    if noeud.get("/O") == Name.UserProperties:
        _oter(noeud, cles & {"/O", "/P"})
    if "/Alt" in cles and isinstance(noeud["/Alt"], pikepdf.String):
        dit = str(noeud["/Alt"]).encode()
        if anonymes.Anonymes().nom_de_fichier(dit) != dit:
            del noeud["/Alt"]  # the file that a picture came from


def _police(noeud: Any) -> None:
    if isinstance(noeud.get("/CharProcs"), Dictionary):
        for glyphe in noeud["/CharProcs"].values():
            _sans_commentaires(glyphe)
    _sans_commentaires(noeud.get("/ToUnicode"))


def _sans_commentaires(flux: Any) -> None:
    if not isinstance(flux, Stream):
        return
    dit = _lire(flux)  # what nobody can read, nobody is told
    if dit is not None and (propre := traces.sans_commentaires(dit)) is not dit:
        flux.write(zlib.compress(propre), filter=Name.FlateDecode)


def _est_interdite(action: Any) -> bool:
    """True for an action that does more than go to a page or to an address of the web."""
    if not isinstance(action, Dictionary) or "/S" not in action:
        return False
    if str(action["/S"]) == "/URI":
        return not bytes(action.get("/URI", pikepdf.String(""))).lower().startswith(_LIENS)
    return str(action["/S"]) not in _ACTIONS


def _flux(pdf: pikepdf.Pdf, flux: Stream) -> None:
    """The data of an embedded photo go through the cleaner of photos; the data of another file are not read."""
    cles = set(flux.keys())
    _oter(flux, cles & _EXTERNE)
    if cles & _DESSINS or flux.get("/FunctionType") == 4:
        _sans_commentaires(flux)
    if flux.get("/Subtype") == Name.PS:
        flux.write(b"")  # a program for printers, which no screen runs
    filtres = _liste(flux.get("/Filter"))
    if not filtres or str(filtres[-1]) not in ("/DCTDecode", "/DCT", "/JPXDecode"):
        return
    parametres = _liste(flux.get("/DecodeParms"))
    brut = flux.read_raw_bytes()
    if len(filtres) > 1:
        brut = Stream(pdf, brut, Filter=Array(filtres[:-1]), DecodeParms=Array(parametres[:-1])).read_bytes()
    propre = jpeg.epurer(brut) if str(filtres[-1]) != "/JPXDecode" else None
    if propre is None and any(marque in brut for marque in _MARQUES):
        raise Refuse
    if propre is not None and propre != brut:
        dernier = parametres[-1] if len(parametres) == len(filtres) else None
        flux.write(propre, filter=Name.DCTDecode, decode_parms=dernier)


def _liste(valeur: Any) -> list[Any]:
    if valeur is None:
        return []
    return list(valeur) if isinstance(valeur, Array) else [valeur]
