"""The questions of the help page: in the reader's language, searched, by category."""

from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from resources.models import Faq
from resources.selections import dans_la_langue
from resources.vocabulaire import categorie_lisible
from socle.domaine.recherche import QUESTION_MAX, correspond
from socle.pages.formulaires import FormulaireSaisi

TROP_LONG = _("Cherchez avec %(limit_value)d caractères au plus.")


class Recherche(FormulaireSaisi):
    search = forms.CharField(
        label=_("Chercher dans les questions"),
        required=False,
        # `max_length` would have the browser cut what is typed.
        validators=[MaxLengthValidator(QUESTION_MAX, TROP_LONG)],
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off", "dir": "auto"}),
    )


def questions_de(request: HttpRequest, questions: QuerySet[Faq]) -> dict[str, Any]:
    """Context of these questions, and `statut`, 422 for a search that is refused; one more query where one is made.

    What is searched is posted: in an address it would stay in the history of the device.
    """
    form = Recherche({"search": request.POST.get("search", "")})
    toutes = dans_la_langue(questions, get_language() or "fr")
    cherche = form.cleaned_data["search"] if form.is_valid() else ""
    trouvees = [] if form.errors else toutes
    if cherche:
        cles = set(questions.filter(correspond(cherche, "recherche")).values_list("pk", flat=True))
        trouvees = [une for une in toutes if une.pk in cles]
    return {
        "statut": 422 if form.errors else 200,
        "form": form,
        "cherche": cherche,
        "questions": toutes,
        "categories": _par_categorie(trouvees),
    }


def _par_categorie(questions: list[Faq]) -> list[tuple[str, list[Faq]]]:
    """In the order of the first question of each."""
    rangees: dict[str, list[Faq]] = {}
    for une in questions:
        rangees.setdefault(une.categorie, []).append(une)
    return [(categorie_lisible(categorie), siennes) for categorie, siennes in rangees.items()]
