"""What is taken, by content first and by name second: everything that the box offers, neither programs nor links."""

import json
import plistlib
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from resources.models import Fichier
from resources.nettoyage.medias import objet_vide
from resources.stockage import ouvrir
from resources.tests import fabriques
from resources.tests.nettoyage.documents import archive, document, parties_docx, parties_odf
from resources.tests.nettoyage.fichiers import SECRET, heic, jpeg, pdf, png, webp
from resources.tests.nettoyage.films import film, pistes
from resources.vocabulaire import OFFERTS

pytestmark = [
    pytest.mark.longue,
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO"),
]
URL = "/api/v1/fichiers/upload"
PE, ELF, MACH_O = (
    b"MZ\x90\0\3\0\0\0" + bytes(200),
    b"\x7fELF\2\1\1" + bytes(60),
    b"\xcf\xfa\xed\xfe\7\0\0\1" + bytes(60),
)
LNK = b"L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0F" + bytes(60)
SON = [piste for piste in pistes() if piste.genre == b"soun"]


def _msi() -> bytes:
    octets = bytearray(objet_vide())
    debut = (int.from_bytes(octets[48:52], "little") + 1) * 512
    octets[debut + 80 : debut + 96] = b"\x84\x10\x0c\0\0\0\0\0\xc0\0\0\0\0\0\0F"
    return bytes(octets)


def _octets() -> bytes:
    with ouvrir(Fichier.objects.get()) as contenu:
        return contenu.read()


def envoyer(client, nom, contenu):
    return client.post(URL, {"file": SimpleUploadedFile(nom, contenu)})


PROGRAMMES = {
    "pilote.exe": PE,
    "photo.jpg": PE,
    "notes.txt": ELF,
    "outil": MACH_O,
    "universel": b"\xca\xfe\xba\xbe\0\0\0\2" + bytes(60),
    "jeu.zip": archive({"META-INF/MANIFEST.MF": "Manifest-Version: 1.0", "a/B.class": "x"}),
    "jeu.apk": archive({"AndroidManifest.xml": "x", "classes.dex": "x"}),
    "photos.zip": archive({"AndroidManifest.xml": "x"}),
    "jeu.jar": archive({"a.class": "x"}),
    "installer.doc": _msi(),
    "lancer": b"#!/bin/sh\nrm -rf /\n",
    "LANCER.BAT": b"@echo off\r\ndel *.*\r\n",
    "lancer.cmd": b"\xff\xfe@\0e\0",
    "recit.pdf.js": b"alert(1)",
    "lancer.ps1": b"Get-Process",
    "lancer.vbs. ": b"MsgBox 1",
    "lancer.sh": b"echo bonjour",
    "lancer.hta": b"<html><script>alert(1)</script>",
    "vieux.com": b"\xe9\0\1\0" + bytes(60),
    "appli.dmg": b"\0koly" + bytes(60),
    "facture.bat\u200b": b"@echo off",
    "facture.bat\u00a0": b"@echo off",
    "facture.exe\u00ad": b"\0\1\2" * 20,
    "facture.bat\u3164": b"@echo off",
    "a．ps1": b"Get-Process",
    "a.bat::$DATA": b"@echo off",
    "note.py": b"print(1)",
    "aide.chm": b"ITSF\3\0\0\0" + bytes(60),
}
LIENS = {
    "Récit.gdoc": json.dumps({"url": "https://docs.google.com/open?id=1", "doc_id": "1", "email": "a@b.c"}).encode(),
    "sans_nom.txt": b'{"":"","doc_id":"1","resource_key":"","url":"https://docs.google.com/open?id=1"}',
    "Tableau.gsheet": b"{}",
    "Page.webloc": plistlib.dumps({"URL": "https://campus.test/"}),
    "Page2.webloc": plistlib.dumps({"URL": "https://campus.test/"}, fmt=plistlib.FMT_BINARY),
    "Page.url": b"[InternetShortcut]\r\nURL=https://campus.test/\r\n",
    "page.txt": b"\xef\xbb\xbf[InternetShortcut]\r\nURL=https://campus.test/\r\n",
    "sans_nom.url.txt": b"[{000214A0-0000-0000-C000-000000000046}]\r\nProp3=19,2\r\n",
    "nouveau.json": b'{"":"WARNING! DO NOT EDIT","doc_id":"1","resource_key":"","email":"a@b.c"}',
    "page.desktop": b"[Desktop Entry]\nType=Link\nURL=https://campus.test/\n",
    "recit.docx.lnk": LNK,
    "recit.docx": LNK,
    "alias": b"book\0\0\0\0mark\0\0\0\0" + bytes(60),
    ".recit.pdf.icloud": plistlib.dumps({"NSURLNameKey": "recit.pdf"}, fmt=plistlib.FMT_BINARY),
}


@pytest.mark.parametrize("nom", PROGRAMMES)
def test_un_programme_est_refuse_ou_qu_il_se_cache(api, etudiante, magasin, nom):
    refus = envoyer(api(etudiante), nom, PROGRAMMES[nom])

    assert (refus.status_code, refus.json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert [(d["field"], d["code"]) for d in refus.json()["details"]] == [("file", "program")]
    assert (Fichier.objects.count(), fabriques.stockes(magasin)) == (0, [])


@pytest.mark.parametrize("nom", LIENS)
def test_un_lien_dit_qu_il_n_est_pas_le_document(api, etudiante, magasin, nom):
    refus = envoyer(api(etudiante), nom, LIENS[nom])

    assert refus.status_code == 422
    (detail,) = refus.json()["details"]
    assert (detail["field"], detail["code"]) == ("file", "link")
    assert "lien vers un document" in detail["message"]
    assert (Fichier.objects.count(), fabriques.stockes(magasin)) == (0, [])


@pytest.mark.parametrize(
    ("nom", "contenu", "garde"),
    [
        ("outils.zip", archive({"pilote.exe": PE, "lancer.bat": "del"}), "outils.zip"),
        ("photo.exe", jpeg(), "photo.exe.jpg"),
        ("recit.js.txt", b"alert(1)", "recit.js.txt"),
        ("mots.txt", "MZ est le début de mon récit.".encode(), "mots.txt"),
        ("mots2.txt", b"#! titre", "mots2.txt"),
        ("exemple.com", b"<html><body>une page</body></html>", "exemple.com"),
        ("donnees.json", b'{"url": "https://campus.test/", "doc_id": 3}', "donnees.json"),
        ("messages.json", b'{"url": "https://mail.google.com/x", "doc_id": "3", "messages": ["x"]}', "messages.json"),
        ("note.txt", b"[InternetShortcut] est ce que j'ai vu a l'ecran.", "note.txt"),
        ("export exemple.com", archive({"a.txt": "a"}), "export exemple.com"),
        ("notes vocales.app", b"\0\1\2" * 20, "notes vocales.app"),
        ("reglages.plist", plistlib.dumps({"Titre": "a"}), "reglages.plist"),
        ("vieux.doc", objet_vide(), "vieux.doc"),
        ("lien.gdoc", pdf(), "lien.gdoc.pdf"),
        ("lettre.eml", b"From: a@campus.test\r\nSubject: [Desktop Entry]\r\n\r\nBonjour", "lettre.eml"),
    ],
)
def test_ce_qui_n_en_a_que_l_air_est_pris(api, etudiante, nom, contenu, garde):
    pris = envoyer(api(etudiante), nom, contenu)

    assert (pris.status_code, pris.json()["data"]["fileName"]) == (201, garde)


def test_la_bibliotheque_non_plus_ne_recoit_ni_programme_ni_lien(api, etudiante, settings):
    settings.RESOURCE_MIME_TYPES = ["text/plain"]
    url = "/api/v1/ressources/upload"

    programme = api(etudiante).post(url, {"file": SimpleUploadedFile("lancer.js", b"alert(1)")})
    lien = api(etudiante).post(url, {"file": SimpleUploadedFile("a.gdoc", LIENS["sans_nom.txt"])})

    assert (programme.status_code, programme.json()["details"][0]["code"]) == (415, "program")
    assert (lien.status_code, lien.json()["details"][0]["code"]) == (422, "link")


@pytest.mark.parametrize("marque", [b"mp42", b"isom", b"M4A "])
@pytest.mark.parametrize("devant", [True, False])
def test_un_son_de_telephone_est_un_son_quelle_que_soit_sa_marque(api, etudiante, marque, devant):
    pris = envoyer(api(etudiante), "memo.m4a", film(marque, moov_devant=devant, parties=SON))

    donnees = pris.json()["data"]
    assert (donnees["fileName"], donnees["mimeType"], donnees["metadonneesRetirees"]) == ("memo.m4a", "audio/mp4", True)
    assert SECRET not in _octets()


def test_un_film_de_la_meme_marque_reste_un_film(api, etudiante):
    assert envoyer(api(etudiante), "film.mp4", film(b"mp42")).json()["data"]["mimeType"] == "video/mp4"


@pytest.mark.parametrize(("debut", "genre"), [(b"#!AMR\n", "audio/amr"), (b"#!AMR-WB\n", "audio/amr-wb")])
def test_un_son_amr_est_garde_comme_il_est_et_c_est_dit(api, etudiante, debut, genre):
    contenu = debut + b"\x3c\x08" * 40

    donnees = envoyer(api(etudiante), "memo.amr", contenu).json()["data"]

    assert (donnees["fileName"], donnees["mimeType"], donnees["metadonneesRetirees"]) == ("memo.amr", genre, False)
    assert _octets() == contenu


# --- What the box offers --------------------------------------------------------------------------------------------

ODF = "application/vnd.oasis.opendocument."
FABRIQUES = {
    **dict.fromkeys(("image/jpeg", ".jpg", ".jpeg"), jpeg),
    **dict.fromkeys(("image/png", ".png"), png),
    **dict.fromkeys(("image/webp", ".webp"), webp),
    **dict.fromkeys(("image/heic", "image/heif", ".heic", ".heif", ".hif"), heic),
    **dict.fromkeys(("application/pdf", ".pdf"), pdf),
    **dict.fromkeys(("video/*", ".mp4", ".m4v"), film),
    ".mov": partial(film, b"qt  "),
    ".3gp": partial(film, b"3gp4"),
    **dict.fromkeys((".m4a", ".m4b"), partial(film, b"mp42", parties=SON)),
    **dict.fromkeys((".docx", ".dotx"), partial(document, "docx")),
    **dict.fromkeys((".docm", ".dotm"), lambda: archive(parties_docx(macros=True))),
    **dict.fromkeys((".xlsx", ".xltx", ".xlsm", ".xltm", ".xlam"), partial(document, "xlsx")),
    **dict.fromkeys((".pptx", ".potx", ".ppsx", ".pptm", ".potm", ".ppsm", ".ppam"), partial(document, "pptx")),
    **{f".{genre}": partial(document, genre) for genre in ("odt", "ods", "odp")},
    ".odg": lambda: archive(parties_odf("presentation", mime=f"{ODF}graphics")),
    ".zip": lambda: archive({"a.txt": "bonjour"}),
    **dict.fromkeys((".doc", ".xls", ".ppt", ".msg"), objet_vide),
    **dict.fromkeys((".csv", ".txt", ".md", ".log"), lambda: b"un;deux\n"),
    ".rtf": lambda: b"{\\rtf1 a}",
    ".eml": lambda: b"From: a@campus.test\r\n\r\nBonjour",
    ".html": lambda: b"<html></html>",
    ".svg": lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    ".ics": lambda: b"BEGIN:VCALENDAR\r\n",
    ".vcf": lambda: b"BEGIN:VCARD\r\n",
    ".json": lambda: b"{}",
    ".xml": lambda: b"<?xml version='1.0'?><a/>",
    ".7z": lambda: b"7z\xbc\xaf\x27\x1c" + bytes(40),
    ".rar": lambda: b"Rar!\x1a\x07" + bytes(40),
    **dict.fromkeys(("image/gif", ".gif"), lambda: b"GIF89a\2\0\2\0\0\0\0;"),
    ".bmp": lambda: b"BM" + bytes(60),
    **dict.fromkeys(("audio/*", ".mp3"), lambda: b"ID3" + bytes(60)),
    ".amr": lambda: b"#!AMR\n" + bytes(60),
    ".wav": lambda: b"RIFF\x20\0\0\0WAVE" + bytes(60),
    **dict.fromkeys((".ogg", ".opus"), lambda: b"OggS" + bytes(60)),
    ".flac": lambda: b"fLaC" + bytes(60),
    ".aac": lambda: b"\xff\xf1" + bytes(60),
    ".avi": lambda: b"RIFF\x20\0\0\0AVI " + bytes(60),
    **dict.fromkeys((".mkv", ".webm"), lambda: b"\x1aE\xdf\xa3" + bytes(60)),
    ".mpeg": lambda: b"\0\0\1\xba" + bytes(60),
    **dict.fromkeys((".wma", ".wmv"), lambda: b"0&\xb2u\x8ef\xcf\x11" + bytes(60)),
}


def test_tout_ce_que_la_boite_offre_est_connu_ici():
    assert set(OFFERTS) == set(FABRIQUES)


@pytest.mark.parametrize("offert", OFFERTS)
def test_tout_ce_que_la_boite_offre_est_pris(api, invite, offert):
    nom = f"piece{offert}" if offert.startswith(".") else "piece"

    pris = envoyer(api(invite), nom, FABRIQUES[offert]())

    assert pris.status_code == 201, pris.json()
