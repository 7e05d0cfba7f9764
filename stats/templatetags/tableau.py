from typing import Any

from django import template

from socle.realtime.models import CompteurEvenements
from stats.page.graphiques import page
from stats.page.nombres import lire
from stats.page.views import voit_le_tableau

register = template.Library()


@register.inclusion_tag("stats/tableau.html", takes_context=True)
def tableau_de_bord(context: template.Context) -> dict[str, Any]:
    """Context of the dashboard with the event cursor `depuis`; `{"est_montre": False}` without the rights to see it."""
    if not voit_le_tableau(context["request"].user):
        return {"est_montre": False}
    depuis = CompteurEvenements.lire().dernier_numero  # before the numbers: an event in between is heard again
    return {"est_montre": True, "depuis": str(depuis), **page(lire())}
