"""The forms of the API read a body as DRF would, field by field, on values that mean something and on any others."""

import random
from typing import Any

import pytest
from rest_framework import serializers
from rest_framework.fields import SkipField

from config.urls import urlpatterns
from socle.api.rendus import serialiseur
from socle.api.serializers import Regard
from socle.api.viewsets import ApiViewSet


def vues(classe: type = ApiViewSet) -> list[Any]:
    return [classe, *(une for sous in classe.__subclasses__() for une in vues(sous))]


assert urlpatterns, "the views are imported by their routes"
pytestmark = pytest.mark.django_db
FORMES = sorted(
    {operation.entree for vue in vues() for operation in vue.operations.values() if operation.entree},
    key=lambda forme: forme.__name__,
)
VALEURS: list[Any] = [
    None,
    "",
    " ",
    "un texte",
    "a" * 300,
    "\x00",
    "\ud800",
    "HARCELEMENT",
    "CRITICAL",
    "+243812345621",
    "quelqu.un@campus.example",
    "2026-03-01",
    "2026-03-01T14:30:00Z",
    "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f",
    "https://campus.example/page",
    True,
    0,
    12.5,
    10**12,
    [],
    ["5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f", 3],
    {},
]


def corps_de(forme: Any, hasard: random.Random) -> dict[str, Any]:
    noms = [*forme().fields, "inconnu"]
    return {nom: hasard.choice(VALEURS) for nom in noms if hasard.random() < 0.7}


def lire(methode: Any, formulaire: Any, corps: Any) -> Any:
    try:
        return methode(formulaire, corps)
    except serializers.ValidationError as refus:
        return refus.get_full_details()
    except SkipField:
        return SkipField


@pytest.mark.parametrize("forme", FORMES, ids=lambda forme: forme.__name__)
def test_un_formulaire_lit_comme_drf(forme):
    hasard = random.Random(forme.__name__)
    contexte = Regard().contexte

    for _essai in range(150):
        corps = corps_de(forme, hasard)
        sans_nuls = serialiseur(forme, contexte)._sans_nuls(corps) if hasattr(forme, "_sans_nuls") else corps

        lu = lire(forme.to_internal_value, serialiseur(forme, contexte), corps)

        par_drf = lire(serializers.Serializer.to_internal_value, forme(context=contexte), sans_nuls)
        assert lu == par_drf, corps


def test_un_formulaire_copie_ne_garde_rien_du_precedent():
    forme = next(forme for forme in FORMES if forme.__name__ == "SignalementCreate")
    premier, second = (serialiseur(forme, Regard().contexte) for _fois in range(2))
    premier.initial_data = {"titre": "Dit à un seul"}

    assert premier.is_valid() is False
    assert not hasattr(second, "initial_data")
    assert not hasattr(second, "_errors")
