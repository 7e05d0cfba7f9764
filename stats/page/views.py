"""The team's first page: what its template tag shows, and what its script asks for again."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Droit
from stats.page.graphiques import page
from stats.page.nombres import lire


def voit_le_tableau(compte: Any) -> bool:
    """The numbers of all, as the `dashboard` channel asks, and the titles of what waits."""
    if not compte.is_authenticated:
        return False
    acteur = ActeurCompte(compte=compte)
    return acteur.peut(Droit.STATS_CONSULTER_GLOBALES) and acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS)


@require_safe
def fragment(request: HttpRequest) -> HttpResponse:
    """The numbers of this moment, drawn; the admin site lets in and sets the hour of the campus."""
    if not voit_le_tableau(request.user):
        raise PermissionDenied
    return TemplateResponse(request, "stats/corps.html", page(lire()))
