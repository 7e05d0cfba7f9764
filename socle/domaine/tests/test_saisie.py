"""What is typed: what shows, what stays on its line, what reverses or covers nothing beside it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socle.domaine.saisie import MARQUES, en_chiffres, en_paragraphes, lire_code, montre, sans_invisibles, sur_une_ligne

GESTES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
TEXTES = st.text(st.one_of(st.characters(), st.sampled_from(f"aé \n\u0301\u200d{GESTES}")))


@pytest.mark.parametrize(
    "texte",
    [
        *("", " ", "\u200b", "\u3164", "\u2800", "\u00ad", "\u115f\u1160", "\u17b4", "\ufe0f\ufe0e", "\U000e0100"),
        *("\u0301", "\U000e0001\U000e0041", "\u2066\u2069", "\u202e", "\u200c\u200d", "\u00a0\u3000\u2028"),
        *("\ufeff", "\u0e31", "\uffff"),
    ],
)
def test_un_texte_dont_rien_ne_se_voit(texte):
    assert not montre(texte)
    assert montre(f"{texte}a")
    assert montre(f"{texte}ا")


@pytest.mark.parametrize(
    "texte", ["a", ".", "é", "e\u0301", "中", "👍🏽", "\u0600", "ก", "①", "\U0001fae9", "\ue000", "…", "\u0640"]
)
def test_un_texte_qui_montre_quelque_chose(texte):
    assert montre(texte)


@pytest.mark.parametrize(
    "texte",
    [
        "👩\u200d👩\u200d👧 au 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم",
        "क्\u200dष",
        "❤\ufe0f 1\ufe0f\u20e3",
        "Trần Văn Đức",
        "Tra\u0302\u0300n",
        "שָׁלוֹם",
        "བསྐྱོད་",
        "ကျွန်ုပ်",
        "ใหม่ที่สุด",
        "l'amphi – « B »",
        "شركة \u200fABC\u200e",
        "\u2068Awa\u2069 et \u2067ליאה\u2069",
    ],
)
def test_ce_qui_s_ecrit_reste_comme_il_est_ecrit(texte):
    assert sur_une_ligne(texte) == en_paragraphes(texte) == texte


@pytest.mark.parametrize(
    ("tape", "garde"),
    [
        (" Vol\nà l'amphi ", "Vol à l'amphi"),
        ("Vol\r\n\tici", "Vol ici"),
        ("Vol\u2028ici\u2029", "Vol ici"),
        ("a\nb", "a b"),
        ("photo\u202egpj.exe", "photogpj.exe"),
        ("\u202a+33 6\u202c", "+33 6"),
        ("\u2067ouvert", "\u2067ouvert\u2069"),
        ("ferme\u2069", "ferme"),
        ("\u2066a\u2069\u2069b", "\u2066a\u2069b"),
        ("é\u2066a\u2067b\u2069c", "é\u2066a\u2067b\u2069c\u2069"),
        ("\u2066a\u2067b\u2069", "\u2066a\u2067b\u2069\u2069"),
        (f"Z{chr(0x301) * 40}algo", f"Z{chr(0x301) * MARQUES}algo"),
        (f"Z{(chr(0x301) + chr(0x200B)) * 40}a", f"Z{(chr(0x301) + chr(0x200B)) * MARQUES}a"),
    ],
)
def test_un_titre_tient_sur_sa_ligne_et_n_en_deborde_pas(tape, garde):
    assert sur_une_ligne(tape) == garde


@pytest.mark.parametrize(
    ("tape", "garde"),
    [
        (" un\r\ndeux\r\ttrois\n", "un\ndeux\n\ttrois"),
        ("\u202eun\ndeux", "\u202eun\ndeux"),
        (f"a{chr(0x301) * 50}", f"a{chr(0x301) * 50}"),
    ],
)
def test_un_recit_reste_tel_qu_il_fut_ecrit(tape, garde):
    assert en_paragraphes(tape) == garde


@given(TEXTES)
def test_rien_ne_reste_ouvert_ni_ne_s_empile(texte):
    garde = sur_une_ligne(texte)
    assert sur_une_ligne(garde) == garde
    assert sum(garde.count(c) for c in "\u2066\u2067\u2068") == garde.count("\u2069")
    marques = "".join("m" if unicodedata.category(c)[0] == "M" else " " for c in sans_invisibles(garde))
    assert "m" * (MARQUES + 1) not in marques
    assert montre(garde) == montre(texte) or not montre(sans_invisibles(texte))
    assert not set(garde) & {"\n", "\t", "\r", "\u2028", "\u2029", *GESTES[:5]}


@pytest.mark.parametrize("tape", ["1234", "١٢٣٤", "۱۲۳۴", "１２３４", "𝟏𝟐𝟑𝟒", "1\u200b2\u00ad34"])
def test_des_chiffres_se_lisent_dans_toutes_les_ecritures(tape):
    assert en_chiffres(tape) == "1234"
    assert lire_code(f" {tape} – AB ") == "1234ab"
