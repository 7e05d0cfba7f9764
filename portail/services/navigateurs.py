"""The open browsers of a person, as their export names them: when, never by what."""

from typing import Any

from personnes.exports.navigateurs import navigateurs
from portail.models import Acces
from socle.domaine.acteurs import Acteur
from socle.domaine.temps import horodatage


@navigateurs("ouverts")
def ouverts(acteur: Acteur) -> list[dict[str, Any]]:
    siens = {"invite": acteur.invite} if acteur.est_invite else {"session__compte": acteur.compte}
    acces = Acces.objects.filter(date_fin=None, **siens).order_by("date_creation", "pk")
    return [
        {
            "dateCreation": horodatage(un.date_creation),
            "derniereActivite": horodatage(un.date_activite),
            "gardeJusquA": horodatage(un.garde_jusqu_a) if un.garde_jusqu_a else None,
        }
        for un in acces
    ]
