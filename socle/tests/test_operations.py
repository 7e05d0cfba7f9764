"""A route is an operation, and nothing beside it decides."""

from typing import Any

import pytest
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny

from socle.api.operations import Acces, operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit


def faire(**methodes: Any) -> type[ApiViewSet]:
    return type("Essai", (ApiViewSet,), methodes)


def lire(self: Any, request: Any) -> Any:
    return self.rendre()


def decrite(**options: Any) -> Any:
    """A method of its own, described, behind an action."""

    def essayer(self: Any, request: Any) -> Any:
        return self.rendre()

    return operation("Essayer", "Essayé.", droit=Droit.AIDE_CONSULTER)(action(detail=False, **options)(essayer))


def test_une_operation_se_lit_sous_le_nom_de_sa_methode():
    vue = faire(list=operation("Lire", "Lu.", droit=Droit.AIDE_CONSULTER)(lambda self, request: self.rendre()))

    assert (vue.operations["list"].resume, vue.operations["list"].droit) == ("Lire", Droit.AIDE_CONSULTER)
    assert "list" not in ApiViewSet.operations


def test_une_operation_s_herite_et_se_remplace():
    mere = faire(list=operation("Lire", "Lu.", droit=Droit.AIDE_CONSULTER)(lambda self, request: self.rendre()))
    fille = type(
        "Fille",
        (mere,),
        {"create": operation("Créer", "Créé.", droit=Droit.AIDE_GERER)(lambda self, request: self.rendre())},
    )

    assert set(fille.operations) == {"list", "create"}
    assert set(mere.operations) == {"list"}


@pytest.mark.parametrize("nom", ["list", "create", "retrieve", "update", "partial_update", "destroy"])
def test_une_route_sans_operation_ne_se_declare_pas(nom):
    with pytest.raises(TypeError, match=nom):
        faire(**{nom: lire})


def test_une_action_sans_operation_non_plus():
    with pytest.raises(TypeError, match="lire"):
        faire(lire=action(detail=False)(lire))


@pytest.mark.parametrize("acces", [Acces.COMPTE, Acces.COMPTE_OU_INVITE, Acces.INVITE, Acces.CLE])
def test_qui_demande_qui_appelle_dit_quel_droit_l_ouvre(acces):
    with pytest.raises(TypeError, match="quel droit"):
        faire(list=operation("Lire", "Lu.", acces=acces)(lire))

    assert faire(list=operation("Lire", "Lu.", acces=Acces.PUBLIC)(lire)).operations["list"].droit is None


@pytest.mark.parametrize("regle", ["permission_classes", "throttle_classes"])
def test_ce_qui_deciderait_a_cote_d_une_operation_est_refuse(regle):
    with pytest.raises(TypeError, match=regle):
        faire(essayer=decrite(**{regle: [AllowAny]}))
    with pytest.raises(TypeError, match=regle):
        faire(essayer=decrite(), **{regle: [AllowAny]})
    with pytest.raises(TypeError, match=regle):
        operation("Essayer", "Essayé.", **{regle: [AllowAny]})
