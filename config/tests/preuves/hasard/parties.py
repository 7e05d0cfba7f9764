"""Multipart bodies: good ones, and those that a client would write wrongly."""

from random import Random

from resources.tests.fabriques import image

BORD = b"preuve-9f6b"
FICHIERS: list[tuple[bytes, bytes, bytes]] = [  # name, declared type, content
    (b"constat.txt", b"text/plain", b"Ce que j'ai vu mardi.\n"),
    (b"photo.png", b"image/png", image()),
    (b"photo.jpg", b"image/jpeg", image("JPEG")),
    (b"photo.webp", b"image/webp", image("WEBP")),
    (b"tronquee.png", b"image/png", image()[:40]),
    (b"tronquee.jpg", b"image/jpeg", image("JPEG")[:-30]),
    (b"faux.png", b"image/png", b"\x89PNG\r\n\x1a\n" + b"\x00" * 60),
    (b"geante.png", b"image/png", image()[:16] + b"\x7f\xff\xff\xff\x7f\xff\xff\xff" + image()[24:]),
    (b"a.pdf", b"application/pdf", b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"),
    (b"b.pdf", b"application/pdf", b"%PDF-1.4\n" + b"<<" * 5_000),
    (b"a.mp4", b"video/mp4", b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom\x00\x00\x00\x08mdat"),
    (b"b.mp4", b"video/mp4", b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom\xff\xff\xff\xffmoov"),
    (b"a.heic", b"image/heic", b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1"),
    (b"a.tiff", b"image/tiff", b"II*\x00\x08\x00\x00\x00\xff\xff"),
    (b"a.svg", b"image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg' onload='a()'/>"),
    (b"a.zip", b"application/zip", b"PK\x03\x04" + b"\xff" * 60),
    (b"a.docx", b"application/zip", b"PK\x05\x06" + b"\x00" * 18),
    (b"vide.txt", b"text/plain", b""),
    (b"a.gif", b"image/gif", b"GIF89a\xff\xff\xff\xff\x00\x00\x00;"),
    (b"a.bmp", b"image/bmp", b"BM" + b"\xff" * 60),
    (b"a.bin", b"application/octet-stream", bytes(range(256)) * 40),
]
NOMS = [
    b"",
    b".",
    b"../../etc/passwd",
    b"C:\\x\\y.txt",
    b'a\\"b.txt',
    b"\xff\xfe.txt",
    b"\xe2\x80\xaegnp.exe",
    b"a" * 300 + b".txt",
    b"a\x00b.txt",
    b"%00.txt",
    "é🙂.txt".encode(),
    b"con",
    b"a;b.txt",
]
CASSEES = (
    "nom",
    "nom",
    "contenu",
    "contenu",
    "contenu",
    "sans fin",
    "sans bord",
    "autre bord",
    "sans disposition",
    "sans nom",
    "pas un fichier",
    "deux fichiers",
    "base64",
    "encodage inconnu",
    "en-tete demesure",
    "beaucoup de champs",
    "imbrique",
    "vide",
    "lf",
    "latin-1",
)


def plusieurs_parties(hasard: Random, textes: dict[str, str], cassee: str) -> tuple[bytes, bytes]:
    """The content type and the body; `cassee` says what is wrong with it, "" nothing."""
    nom, type_, contenu = FICHIERS[0]
    if cassee == "contenu":
        nom, type_, contenu = hasard.choice(FICHIERS)
    if cassee == "nom":
        nom = hasard.choice(NOMS)
    disposition = b'Content-Disposition: form-data; name="file"; filename="' + nom + b'"\r\nContent-Type: ' + type_
    disposition = _disposition(cassee, disposition)
    parties = [_champ(cle, texte) for cle, texte in textes.items()]
    if cassee == "beaucoup de champs":
        parties += [_champ(f"c{rang}", "x") for rang in range(1_200)]
    if cassee != "vide":
        parties += [disposition + b"\r\n\r\n" + contenu] * (2 if cassee == "deux fichiers" else 1)
    corps = b"".join(b"--" + BORD + b"\r\n" + partie + b"\r\n" for partie in parties) + b"--" + BORD + b"--\r\n"
    return _finir(cassee, corps)


def _disposition(cassee: str, bonne: bytes) -> bytes:
    return {
        "sans disposition": b"Content-Type: text/plain",
        "sans nom": b'Content-Disposition: form-data; filename="a.txt"',
        "pas un fichier": b'Content-Disposition: form-data; name="file"',
        "base64": bonne + b"\r\nContent-Transfer-Encoding: base64",
        "encodage inconnu": bonne + b"\r\nContent-Transfer-Encoding: klingon",
        "en-tete demesure": bonne + b"\r\nX-Long: " + b"a" * 70_000,
        "imbrique": b'Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=x',
        "latin-1": bonne + b"; charset=klingon",
    }.get(cassee, bonne)


def _finir(cassee: str, corps: bytes) -> tuple[bytes, bytes]:
    type_ = b"multipart/form-data; boundary=" + BORD
    if cassee == "sans bord":
        return b"multipart/form-data", corps
    if cassee == "autre bord":
        return b"multipart/form-data; boundary=autre", corps
    if cassee == "sans fin":
        return type_, corps[: -len(BORD) - 6]
    return type_, corps.replace(b"\r\n", b"\n") if cassee == "lf" else corps


def _champ(nom: str, texte: str) -> bytes:
    valeur = texte.encode("utf-8", "surrogatepass")
    return b'Content-Disposition: form-data; name="' + nom.encode() + b'"\r\n\r\n' + valeur
