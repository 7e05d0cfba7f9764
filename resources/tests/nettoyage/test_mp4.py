"""Films: the same samples at the same places, and nothing that says where they were taken."""

import struct

import pytest

from resources.nettoyage.genres import reconnaitre
from resources.nettoyage.processus import Motif
from resources.nettoyage.sei import _remplissage
from resources.tests.nettoyage.fichiers import SECRET
from resources.tests.nettoyage.films import HEVC, IMAGE, IMAGES, SONS, Piste, boite, film, film_fragmente, sei, unite

TRACES = (SECRET, b"freeGPS", b"GPS0", b"xpacket", b"\xa9xyz", b"udta", b"meta", b"uuid", b"emsg", b"gpmd", b"tx3g")


def verifier_sans_trace(recu: bytes, propre: bytes) -> None:
    assert reconnaitre(propre) == reconnaitre(recu)
    assert len(propre) == len(recu)
    for trace in (*TRACES, b"appl", b"CAEP", struct.pack(">I", 3_900_000_000)):
        assert trace not in propre
    assert propre.count(boite(b"moov")[4:8]) == 1


@pytest.mark.parametrize("marque", [b"isom", b"qt  ", b"3gp4", b"M4V "])
@pytest.mark.parametrize("moov_devant", [False, True])
def test_un_film_garde_ses_images_et_ses_sons_a_leur_place(nettoye, marque, moov_devant):
    recu = film(marque, moov_devant=moov_devant)

    propre = nettoye(recu)

    verifier_sans_trace(recu, propre)
    for morceau in (*IMAGES[1:], *SONS):
        assert propre.count(morceau) == recu.count(morceau)
        assert propre.index(morceau) == recu.index(morceau)
    assert propre.count(b"trak") == 2
    assert nettoye(propre) == propre


def test_un_film_fragmente_garde_ses_images_et_ses_sons(nettoye):
    recu = film_fragmente()

    propre = nettoye(recu)

    verifier_sans_trace(recu, propre)
    for morceau in (*IMAGES[1:], *SONS):
        assert propre.count(morceau) == recu.count(morceau)
    assert (propre.count(b"trak"), propre.count(b"traf")) == (2, 4)


@pytest.mark.parametrize("genre", [4, 5])
@pytest.mark.parametrize("longueur", [1, 20, 200, 238])
def test_un_message_libre_devient_du_remplissage(nettoye, genre, longueur):
    message = sei((SECRET * 20)[:longueur], genre)
    recu = film(parties=[Piste(1, b"vide", b"avc1", [message + IMAGE])])

    propre = nettoye(recu)

    debut = recu.index(message)
    assert propre[debut : debut + 5] == message[:5]
    assert propre[debut + 5 : debut + len(message)] == _remplissage(len(message) - 5)
    assert propre[debut + len(message) :].startswith(IMAGE)


def test_les_autres_messages_restent(nettoye):
    message = unite(b"\6\1\4abcd\x80")
    recu = film(parties=[Piste(1, b"vide", b"avc1", [message + IMAGE])])

    assert message + IMAGE in nettoye(recu)


def test_un_message_libre_de_hevc_devient_du_remplissage(nettoye):
    corps = bytes([5, 16 + len(SECRET)]) + b"U" * 16 + SECRET + b"\x80"
    image = unite(b"\x26\1" + b"i" * 50)
    recu = film(parties=[Piste(1, b"vide", b"hvc1", [unite(bytes([39 << 1, 1]) + corps) + image])])
    assert HEVC in recu

    propre = nettoye(recu)

    assert image in propre
    assert b"\x4e\1" + _remplissage(len(corps)) in propre
    assert SECRET not in propre


def test_le_remplissage_est_fait_de_messages_entiers():
    for longueur in (*range(3, 1100), 65_535, 65_536):
        octets = _remplissage(longueur)

        assert len(octets) == longueur
        position = 0
        while octets[position] != 0x80:
            assert octets[position] == 3
            position, taille = position + 1, 0
            while octets[position] == 255:
                position, taille = position + 1, taille + 255
            position, taille = position + 1, taille + octets[position]
            assert octets[position : position + taille] == b"\xff" * taille
            position += taille
        assert position == longueur - 1


@pytest.mark.parametrize(
    "parties",
    [
        [],
        [Piste(1, b"meta", b"gpmd", [SECRET])],
        [Piste(1, b"vide", b"gpmd", [SECRET])],
        [Piste(1, b"vide", b"jpeg", [SECRET])],
        [Piste(1, b"vide", b"encv", [SECRET])],
    ],
)
def test_un_film_sans_image_ni_son_connus_est_refuse(passer, parties):
    assert passer(film(parties=parties))[0].motif == Motif.ILLISIBLE


def test_ce_qui_est_colle_derriere_un_film_est_coupe(nettoye):
    recu = film()

    propre = nettoye(recu + b"PK\3\4" + b"<script>alert(1)</script>")

    assert propre == nettoye(recu)


def test_un_film_dont_les_echantillons_sont_ailleurs_est_refuse(passer):
    recu = bytearray(film())
    place = recu.index(b"stco") + 12
    for debut in (0, 8, 40, len(recu), 2**32 - 1):
        recu[place : place + 4] = struct.pack(">I", debut)
        assert passer(bytes(recu))[0].motif == Motif.ILLISIBLE


def test_un_son_ancien_compte_en_octets_garde_toutes_ses_donnees(nettoye):
    recu = bytearray(film(b"qt  ", parties=[Piste(1, b"soun", b"mp4a", [b"ABCDEFGH"])]))
    place = recu.index(b"stsz") + 8
    recu[place : place + 8] = struct.pack(">II", 1, 2)  # two samples of "one byte": 16 bits on two channels
    place = recu.index(b"stsc") + 8
    recu[place + 8 : place + 12] = struct.pack(">I", 2)

    assert b"ABCDEFGH" in nettoye(bytes(recu))
