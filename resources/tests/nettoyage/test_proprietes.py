"""Whatever is done to a file, it ends refused or clean: random damage, and a search for what slips through."""

from io import BytesIO

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from resources.nettoyage import balises, champs, mp4, png, regles_ooxml
from resources.nettoyage import jpeg as photos
from resources.nettoyage.anonymes import Anonymes
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.genres import DEBUT, NETTOYES, REFUSES, du_fichier, reconnaitre
from resources.nettoyage.refus import Refuse
from resources.tests.nettoyage import fichiers
from resources.tests.nettoyage.documents import PARTIES, document
from resources.tests.nettoyage.films import film, film_fragmente

pytestmark = pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO")
ENTIERS = [fichiers.jpeg(), fichiers.png(), fichiers.webp(), fichiers.heic(), fichiers.pdf(), film(), film_fragmente()]
DOCUMENTS = [document(genre) for genre in PARTIES]
BORNES = Bornes(1_000_000, 50, 1000)


@st.composite
def abimes(tirer: st.DrawFn, entiers: list[bytes]) -> bytes:
    """A file with a few bytes changed, a piece taken out, repeated or cut off."""
    octets = bytearray(tirer(st.sampled_from(entiers)))
    for _ in range(tirer(st.integers(1, 6))):
        place = tirer(st.integers(0, len(octets)))
        longueur = tirer(st.integers(1, 16))
        piece = octets[place : place + longueur]
        neuf = tirer(st.sampled_from([b"", piece * 2, b"\xff" * longueur, bytes(longueur), None]))
        octets[place : place + longueur] = tirer(st.binary(max_size=8)) if neuf is None else neuf
    return bytes(octets)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(abimes(ENTIERS) | abimes(DOCUMENTS))
@example(film_fragmente().replace(b"trak", b"Crak", 1).replace(b"hdlr", b"hddl", 1))  # which tells of sound alone
def test_un_fichier_abime_est_refuse_propre_ou_d_un_autre_genre(passer, octets):
    resultat, ecrit = passer(octets)

    if resultat.metadonnees_retirees:
        assert du_fichier(BytesIO(ecrit)) == resultat.genre
    elif ecrit is not None:
        assert resultat.genre not in NETTOYES | REFUSES
        assert ecrit == octets


@st.composite
def xml_abime(tirer: st.DrawFn) -> bytes:
    """A part of a document, damaged so that it is perhaps still well-formed."""
    parties = PARTIES[tirer(st.sampled_from(sorted(PARTIES)))]()
    texte = tirer(st.sampled_from([p for n, p in parties.items() if isinstance(p, str) and n.endswith("xml")]))
    for _ in range(tirer(st.integers(0, 3))):
        place = tirer(st.integers(0, len(texte)))
        neuf = tirer(
            st.sampled_from(["<a b='c>'/>", "<!-- <x> -->", "<![CDATA[ <w:ins> ]]>", "<?x > ?>", "a", "&gt;", " "])
        )
        texte = texte[:place] + neuf + texte[place + tirer(st.integers(0, 2)) :]
    return texte.encode()


@settings(max_examples=200, deadline=None)
@given(xml_abime())
def test_une_partie_bien_formee_le_reste_et_une_autre_est_refusee(octets):
    regles = regles_ooxml.regles(Anonymes())
    try:
        balises.verifier(octets)
    except Refuse:
        return
    propre = champs.delier(balises.recrire(octets, regles))
    balises.verifier(propre)
    assert champs.delier(balises.recrire(propre, regles)) == propre
    assert b"<!--" not in propre.split(b"<![CDATA[")[0]


@settings(max_examples=100, deadline=None)
@given(abimes([film(), film_fragmente()]))
def test_un_film_abime_ne_leve_qu_un_refus(octets):
    try:
        propre = mp4.nettoyer(octets, BORNES)
    except Refuse:
        return
    assert mp4.nettoyer(bytes(propre), BORNES) == propre


@settings(max_examples=60, deadline=None)
@given(abimes([fichiers.png(), fichiers.png(save_all=True, append_images=fichiers.images_animees())]))
def test_un_png_abime_ne_leve_qu_un_refus(octets):
    try:
        propre = png.nettoyer(octets, BORNES)
    except Refuse:
        return
    assert fichiers.SECRET not in propre
    assert png.nettoyer(propre, BORNES) == propre


@settings(max_examples=100, deadline=None)
@given(abimes([fichiers.jpeg()]))
def test_les_segments_d_un_jpeg_abime_ne_levent_qu_un_refus(octets):
    try:
        propre = photos.Jpeg(octets).ecrire()
    except Refuse:
        return
    assert photos.Jpeg(propre).ecrire() == propre


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200) | abimes([entier[:300] for entier in ENTIERS]))
def test_tout_debut_a_un_genre(octets):
    genre = reconnaitre(octets)

    assert genre.isascii()
    assert genre.partition("/")[0] in {"image", "video", "audio", "text", "application"}
    assert reconnaitre(octets[:DEBUT]) == genre
