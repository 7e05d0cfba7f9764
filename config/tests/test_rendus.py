"""What is rendered by a plan is what DRF renders, field by field, whatever is asked and whoever asks."""

from collections import Counter
from typing import Any

import pytest
from rest_framework import serializers

from config.tests.scene import HTTP, statut_de
from socle.api import rendus
from socle.api import serializers as formes

pytestmark = pytest.mark.django_db
LUES = [ligne for ligne in HTTP if ligne.attendu[:1] == "2" and ligne.acteur in ("admin", "user_owner", "guest_owner")]


def rendre_des_deux_facons(vus: Counter[str]) -> Any:
    def rendre(serialiseur: Any, objet: Any) -> dict[str, Any]:
        par_le_plan = rendus.rendre(serialiseur, objet)
        par_drf = serializers.Serializer.to_representation(serialiseur, objet)
        assert list(par_le_plan.items()) == list(par_drf.items())
        assert [type(valeur) for valeur in par_le_plan.values()] == [type(valeur) for valeur in par_drf.values()]
        vus[type(serialiseur).__name__] += 1
        return par_le_plan

    return rendre


@pytest.mark.parametrize("acteur", ["admin", "user_owner", "guest_owner"])
def test_un_plan_rend_ce_que_rend_drf(monkeypatch, acteur):
    vus = Counter[str]()
    monkeypatch.setattr(formes, "rendre", rendre_des_deux_facons(vus))
    siennes = [ligne for ligne in LUES if ligne.acteur == acteur]

    for ligne in siennes:
        assert statut_de(ligne) == ligne.attendu, ligne

    assert len(vus) > 5
