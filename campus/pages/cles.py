"""Forms that are sent once: each draws a key, and a second click gives the row of the first."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from portail.pages.page import cle_de_la_page
from portail.services import sceau
from socle.domaine.acteurs import Acteur
from socle.erreurs import ServiceIndisponible
from socle.idempotence.creation import CreationDemandee, DejaFaite, sous


def une_seule_fois(request: HttpRequest, acteur: Acteur, champs: dict[str, Any], ecrire: Callable[[], Any]) -> UUID:
    """Write under the key that the form drew, with what it says: a second click gives the row of the first.

    Another text under the same key is another row: it comes from a page that Back has shown again.
    """
    cle = cle_de_la_page(request)
    if not cle:
        pk: UUID = ecrire().pk
        return pk
    contenu = f"{request.path}\n{sorted(champs.items())}"
    demande = CreationDemandee.de(acteur, f"{cle}\x00{contenu}", contenu)
    if (faite := demande.deja_faite()) is None:
        try:
            with sous(demande):
                pk = ecrire().pk
                return pk
        except DejaFaite:
            if (faite := demande.deja_faite()) is None:
                raise ServiceIndisponible(attente=1) from None
    pk = faite.objet  # type: ignore[assignment]  # written in the transaction of the key
    return pk


def cle_du_formulaire(request: HttpRequest) -> dict[str, str]:
    """Context of a form that is sent once: its key stays while it is shown again."""
    return {"cle_de_la_page": cle_de_la_page(request) or sceau.tirer_jeton()}
