import pytest

from resources.noms import nom_sur

OCTETS = "application/octet-stream"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize(
    ("brut", "type_", "attendu"),
    [
        ("constat.txt", OCTETS, "constat.txt"),
        ("../../etc/passwd", OCTETS, "passwd"),
        ("C:\\Users\\awa\\photo.jpg", "image/jpeg", "photo.jpg"),
        ("  reçu  du\n3 mars.pdf ", "application/pdf", "reçu du3 mars.pdf"),
        ("photo\u202egpj.exe", OCTETS, "photogpj.exe"),
        ("a\x00b\x1b[31m.txt", OCTETS, "ab[31m.txt"),
        ("image.exe", "image/png", "image.exe.png"),
        ("IMG_1.JPEG", "image/jpeg", "IMG_1.JPEG"),
        ("sans extension", "image/webp", "sans extension.webp"),
        ("IMG_1.HEIC", "image/jpeg", "IMG_1.jpg"),
        ("IMG_1.heic.png", "image/jpeg", "IMG_1.heic.png.jpg"),
        ("IMG_1.heic", "image/png", "IMG_1.heic.png"),
        ("rapport.docm", DOCX, "rapport.docx"),
        ("rapport.DOCX", DOCX, "rapport.DOCX"),
        ("modèle.dotx", DOCX, "modèle.dotx"),
        ("modèle.dotm", DOCX, "modèle.dotx"),
        ("rapport.pdf", DOCX, "rapport.pdf.docx"),
        ("rapport", "application/vnd.oasis.opendocument.text", "rapport.odt"),
        ("....", OCTETS, "fichier"),
        ("", "image/png", "fichier.png"),
        (".htaccess", OCTETS, "htaccess"),
        ("CON.txt", OCTETS, "_CON.txt"),
        ('a"b;c<d>|?.txt', OCTETS, "a_b;c_d_.txt"),
        ("é" * 1000 + ".docx", OCTETS, "é" * 145 + ".docx"),
        ("e\u0301te\u0301.txt", OCTETS, "été.txt"),
        ("\u3164\u2800.jpg", "image/jpeg", "fichier.jpg"),
        ("\u200b.pdf", "application/pdf", "fichier.pdf"),
        ("\u200b.txt", OCTETS, "fichier.txt"),
        ("\u2800.txt", OCTETS, "fichier.txt"),
        ("\u2060. \u00adPDF", "application/pdf", "fichier.PDF"),
        ("\u200b.xyz", OCTETS, "fichier.xyz"),
        ("\u200b", "application/pdf", "fichier.pdf"),
        (".pdf", "application/pdf", "fichier.pdf"),
        (" ..pdf", "application/pdf", "fichier.pdf"),
        ("dossier/.docx", DOCX, "fichier.docx"),
        (".HEIC", "image/jpeg", "fichier.jpg"),
        (".pdf", "image/png", "fichier.pdf.png"),
        (".env", OCTETS, "env"),
        ("pdf", "application/pdf", "pdf.pdf"),
        (f"Z{chr(0x335) * 40}.txt", OCTETS, f"Z{chr(0x335) * 5}.txt"),
    ],
)
@pytest.mark.django_db
def test_un_nom_est_sans_danger(brut, type_, attendu):
    assert nom_sur(brut, type_) == attendu


@pytest.mark.django_db
def test_un_document_garde_comme_il_est_garde_son_extension():
    assert nom_sur("rapport.docm", DOCX, nettoye=False) == "rapport.docm"
    assert nom_sur("photo.exe", "image/png", nettoye=False) == "photo.exe.png"
