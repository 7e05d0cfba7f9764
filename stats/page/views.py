"""The team's first page: the rights to see it, and the fragment that its script reloads."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from socle.audit.registre import montrer
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Droit
from socle.realtime.models import CompteurEvenements
from stats.page.graphiques import page
from stats.page.nombres import lire


def voit_le_tableau(compte: Any) -> bool:
    """True with the two rights of the `dashboard` channel: the page shows global numbers, and titles of reports."""
    if not compte.is_authenticated:
        return False
    acteur = ActeurCompte(compte=compte)
    return acteur.peut(Droit.STATS_CONSULTER_GLOBALES) and acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS)


def contexte(compte: Any) -> dict[str, Any]:
    """Context of the dashboard for this person, with the event cursor `depuis`."""
    depuis = CompteurEvenements.lire().dernier_numero  # before the numbers: an event in between is heard again
    acteur = ActeurCompte(compte=compte)
    lu = lire(acteur)
    montrer(acteur, [dossier.id for dossier in lu.en_attente_longtemps], {})
    return {"est_montre": True, "depuis": str(depuis), **page(lu)}


@require_safe
def fragment(request: HttpRequest) -> HttpResponse:
    """Render the page's numbers of this moment; `admin_view`, around it, signs in and sets the campus time zone."""
    if not voit_le_tableau(request.user):
        raise PermissionDenied
    return TemplateResponse(request, "stats/tableau.html", contexte(request.user))
