import pytest

from socle.domaine.ressemblance import mots_d_un_nom, mots_d_une_adresse, ressemble

NOMS = mots_d_un_nom("Jean-Pierre", "Ilunga N’Diaye", "jp.ilunga92")


def test_les_mots_d_un_nom():
    assert mots_d_un_nom("Jean-Pierre", "N’Diaye") == {"jean", "pierre", "jeanpierre", "n", "diaye", "ndiaye"}
    assert mots_d_une_adresse("jp.ilunga92@campus.test") == {"jp", "ilunga", "jpilunga", "jpilunga92"}
    assert mots_d_une_adresse("1234567@campus.test") == {"1234567"}


@pytest.mark.parametrize(
    ("noms", "adresse", "questions"),
    [
        (("Awa", "N'Diaye"), "a@x.test", ("ndia", "ndi", "nd")),
        (("Yann", "Le Goff"), "y@x.test", ("leg", "lego", "legof", "Legoff")),
        (("Marie", "D'Almeida"), "m@x.test", ("dalm",)),
        (("Anne-Marie", "Mbuyi"), "a@x.test", ("nema", "nemar", "annemarie")),
        (("Chloé", "Roche-Blanc"), "c@x.test", ("hebl", "rocheblanc")),
        (("J", "K"), "jean.kabila92@campus.test", ("92@campus.test", "a92", "92", "kabila92")),
        (("J", "K"), "k1234567@campus.test", ("k1234567", "1234567", "234")),
        (("Jean", "Ilunga"), "j@x.test", ('"i. infirmier"', '"I infirmier"')),
    ],
)
def test_un_nom_colle_une_adresse_chiffree_une_initiale_se_reconnaissent(noms, adresse, questions):
    siens = mots_d_un_nom(*noms) | mots_d_une_adresse(adresse)

    assert [une for une in questions if not ressemble(une, siens)] == []


def test_une_civilite_et_un_nombre_ne_sont_de_personne():
    siens = mots_d_un_nom("Michel", "Mbuyi") | mots_d_une_adresse("michel.mbuyi92@campus.test")

    assert [une for une in ('"M. Kalala"', "M.Kalala", "salle 12", "2026", "l'entrée") if ressemble(une, siens)] == []


@pytest.mark.parametrize(
    "question",
    [
        "Ilunga",
        "ILUNGA",
        "ilung",
        "lung",
        "il",
        "unga",
        "ilnga",
        "iulnga",
        "Illunga",
        "ilounga",
        "ounga",
        "i.l.u.n.g.a",
        "i l u n g a",
        '"i lunga"',
        "il\u00adun\u200bga",
        "Łilunga",
        "xilungax",
        '"monsieur ilunga"',
        '"monsieur ilu"',
        '"m. i"',
        "M. I.",
        "j.-p.",
        '"ul il"',
        "pierre",
        "N'Diaye",
        "ndiaye",
        "serrure diay",
        "il un ga",
    ],
)
def test_un_nom_se_reconnait_a_ses_morceaux(question):
    assert ressemble(question, NOMS)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "serrure",
        "La serrure du local est cassée",
        "Moreau à la cafétéria",
        "de la Cour",
        "Kalala",
        "gardien",
        "l'infirmier",
        "d’Arc",
        "N'Guessan",
        '"professeur Mbuyi"',
        "plonger",
        "2026",
        "SIG-2026-7KF39WS7",
        "salle P12",
    ],
)
def test_autre_chose_n_y_ressemble_pas(question):
    assert not ressemble(question, NOMS)


def test_un_nom_court_est_un_nom():
    noms = mots_d_un_nom("Awa", "Bâ", "awa")

    assert ressemble("Ba", noms)
    assert ressemble('"m. bâ"', noms)
    assert not ressemble("à la porte", noms)
    assert not ressemble("Bah", noms)
    assert ressemble("la", mots_d_un_nom("Lê", "La"))  # « la » as the whole name
