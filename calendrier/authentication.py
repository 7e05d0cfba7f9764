"""The key of a subscribed calendar as an actor, for a phone that sends no header."""

from typing import Any

from rest_framework.authentication import BaseAuthentication

from calendrier.erreurs import AbonnementFini
from calendrier.models import FluxCalendrier, flux_de_la_cle
from socle.api.operations import Acces
from socle.domaine.acteurs import Acteur, ActeurCompte


class AuthentificationCle(BaseAuthentication):
    def authenticate(self, request: Any) -> tuple[Any, Acteur] | None:
        operation = getattr(request.parser_context.get("view"), "operation", None)
        cle = request.query_params.get("cle", "")
        if operation is None or operation.acces is not Acces.CLE or not cle:
            return None
        compte = compte_du_flux(cle)
        return compte, ActeurCompte(compte=compte)


def compte_du_flux(cle: str) -> Any:
    """The active account whose subscription this key still opens, in one query, or AbonnementFini (410)."""
    identifiant = flux_de_la_cle(cle)
    ouverts = FluxCalendrier.objects.select_related("compte").filter(compte__est_actif=True)
    flux = ouverts.filter(pk=identifiant).first() if identifiant else None
    if flux is None:
        raise AbonnementFini
    return flux.compte
