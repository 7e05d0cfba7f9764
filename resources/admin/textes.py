"""Bases of the admin pages of what the team writes for others: shown as it is read, followed, in an order."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db import transaction
from django.db.models import Max
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from accounts.admin import ChercheSansAccents
from accounts.historique import AvecHistorique
from resources.admin.forms import LignesNommees
from socle.pages.formulaires import SAISIES

PAS = 10  # between two places, so that a text can be put between them


class TextesDEquipe(AvecHistorique, ChercheSansAccents):
    """Texts of the team; the page « Historique » shows each change and its author."""

    search_fields = ("recherche__contains",)
    readonly_fields = ("apercu",)
    formfield_overrides = SAISIES
    modele_d_apercu = ""

    def consigner(self, texte: Any, quoi: str, **details: Any) -> None:
        """Into the register: `creee`, `changee` or `supprimee`, by whom (`par`), and which columns (`champs`)."""
        raise NotImplementedError

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        saisie: Any = (None, {"fields": self.get_fields(request, obj)})
        return [saisie, (_("Tel que lu"), {"fields": ("apercu",)})] if obj else [saisie]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.indexer()
        if change:
            obj.enregistrer(*form.changed_data, "recherche")
        else:
            super().save_model(request, obj, form, change)
        if form.changed_data:
            self.consigner(obj, "changee" if change else "creee", par=request.user, champs=form.changed_data)

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.consigner(obj, "supprimee", par=request.user)
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for texte in queryset:
            self.delete_model(request, texte)

    @admin.display(description=_("aperçu"))
    def apercu(self, texte: Any) -> str:
        return render_to_string(self.modele_d_apercu, {"entree": texte, **self.autour_de(texte)})

    def autour_de(self, texte: Any) -> dict[str, Any]:
        """Context of the preview beside the text itself."""
        return {}


class TextesEnOrdre(TextesDEquipe):
    """Texts each of which has its place, which is changed in the list too."""

    list_editable: ClassVar[tuple[str, ...]] = ("ordre",)
    ordering: ClassVar[tuple[str, ...]] = ("ordre", "id")

    def get_changelist_formset(self, request: HttpRequest, **options: Any) -> Any:
        return super().get_changelist_formset(request, formset=LignesNommees, **options)

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        """Prefill `ordre` with the last one plus PAS, 9999 at most: a new text comes last."""
        dernier = self.get_queryset(request).aggregate(Max("ordre"))["ordre__max"] or 0
        return {"ordre": min(dernier + PAS, 9999), **super().get_changeform_initial_data(request)}
