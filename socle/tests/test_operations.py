"""A route is an operation, and nothing beside it decides."""

from typing import Any

import pytest
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny

from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet


def faire(**methodes: Any) -> type[ApiViewSet]:
    return type("Essai", (ApiViewSet,), methodes)


def lire(self: Any, request: Any) -> Any:
    return self.rendre()


def decrite(**options: Any) -> Any:
    """A method of its own, described, behind an action."""

    def essayer(self: Any, request: Any) -> Any:
        return self.rendre()

    return operation("Essayer", "Essayé.")(action(detail=False, **options)(essayer))


def test_une_operation_se_lit_sous_le_nom_de_sa_methode():
    vue = faire(list=operation("Lire", "Lu.", droit="aide.consulter")(lambda self, request: self.rendre()))

    assert (vue.operations["list"].resume, vue.operations["list"].droit) == ("Lire", "aide.consulter")
    assert "list" not in ApiViewSet.operations


def test_une_operation_s_herite_et_se_remplace():
    mere = faire(list=operation("Lire", "Lu.")(lambda self, request: self.rendre()))
    fille = type("Fille", (mere,), {"create": operation("Créer", "Créé.")(lambda self, request: self.rendre())})

    assert set(fille.operations) == {"list", "create"}
    assert set(mere.operations) == {"list"}


@pytest.mark.parametrize("nom", ["list", "create", "retrieve", "update", "partial_update", "destroy"])
def test_une_route_sans_operation_ne_se_declare_pas(nom):
    with pytest.raises(TypeError, match=nom):
        faire(**{nom: lire})


def test_une_action_sans_operation_non_plus():
    with pytest.raises(TypeError, match="lire"):
        faire(lire=action(detail=False)(lire))


@pytest.mark.parametrize("regle", ["permission_classes", "throttle_classes"])
def test_ce_qui_deciderait_a_cote_d_une_operation_est_refuse(regle):
    with pytest.raises(TypeError, match=regle):
        faire(essayer=decrite(**{regle: [AllowAny]}))
    with pytest.raises(TypeError, match=regle):
        faire(essayer=decrite(), **{regle: [AllowAny]})
    with pytest.raises(TypeError, match=regle):
        operation("Essayer", "Essayé.", **{regle: [AllowAny]})
