import pytest
from rest_framework import serializers

from socle.api.champs import Courriel, MotDePasse, Texte, TexteLong, Vocabulaire

VALEURS = [
    "un texte",
    "  un texte \r\n",
    "",
    "   ",
    "\n",
    "a" * 10,
    "a" * 11,
    " " + "a" * 10,
    "ß" * 50,
    "\x07",
    "\ud800",
]
AUTRES = ["\ud800", None, 3, True, ["a"], {"a": "b"}, serializers.empty]


def refuser(valeur):
    raise serializers.ValidationError("jamais")


def lu(valider, champ, valeur):
    try:
        return valider(champ, valeur)
    except serializers.SkipField:
        return "passé"
    except serializers.ValidationError as refus:
        return [(str(un), un.code) for un in refus.detail]


@pytest.mark.parametrize("valeur", [*VALEURS, *AUTRES])
@pytest.mark.parametrize(
    "champ",
    [
        Texte(max_length=10),
        Texte(max_length=10, allow_blank=True, required=False),
        TexteLong(allow_null=True),
        MotDePasse(),
        Vocabulaire("type"),
        Courriel(),
        Texte(validators=[refuser]),
    ],
)
def test_un_texte_est_lu_comme_drf_le_lirait(champ, valeur):
    assert lu(type(champ).run_validation, champ, valeur) == lu(serializers.CharField.run_validation, champ, valeur)
