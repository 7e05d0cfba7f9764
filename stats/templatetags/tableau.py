from typing import Any

from django import template

from stats.page.views import contexte, voit_le_tableau

register = template.Library()


@register.inclusion_tag("stats/tableau.html", takes_context=True)
def tableau_de_bord(context: template.Context) -> dict[str, Any]:
    """Context of the dashboard; `{"est_montre": False}` without the rights to see it."""
    compte = context["request"].user
    return contexte(compte) if voit_le_tableau(compte) else {"est_montre": False}
