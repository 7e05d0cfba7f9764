from typing import Any

from django.contrib import admin
from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.admin import LectureSeule
from equipes.lectures import types_dits
from equipes.models import Equipe, RegleDeRoutage


@admin.register(Equipe)
class EquipeAdmin(LectureSeule):
    """Teams as they are; the workspace changes them, where each change is told to their readers."""

    list_display = ("nom", "active", "responsable", "lecteurs", "date_modification")
    list_filter = ("active",)
    list_select_related = ("responsable",)
    ordering = ("-active", "nom", "id")
    fields = ("nom", "description", "active", "responsable", "lecteurs")

    def get_queryset(self, request: HttpRequest) -> Any:
        lisent = Count("membres", filter=Q(membres__accepte_le__isnull=False))
        return super().get_queryset(request).annotate(lisent=lisent)

    @admin.display(description=_("personnes qui lisent"))
    def lecteurs(self, equipe: Any) -> int:
        return int(equipe.lisent) if equipe.active else 0

    def view_on_site(self, equipe: Equipe) -> str:
        return reverse("espace:equipe", args=[equipe.pk])


@admin.register(RegleDeRoutage)
class RegleDeRoutageAdmin(LectureSeule):
    """Rules in the order in which they are asked; the workspace tries and changes them."""

    list_display = ("ordre", "equipe", "pour_les_types", "pour_les_bureaux", "gestionnaire", "active")
    list_filter = ("active",)
    list_select_related = ("equipe", "gestionnaire")
    ordering = ("ordre", "date_creation", "id")
    fields = ("ordre", "equipe", "pour_les_types", "pour_les_bureaux", "gestionnaire", "active")

    @admin.display(description=_("types"))
    def pour_les_types(self, regle: RegleDeRoutage) -> str:
        return ", ".join(map(types_dits["signalements"], regle.types)) or str(_("Tous"))

    @admin.display(description=_("bureaux"))
    def pour_les_bureaux(self, regle: RegleDeRoutage) -> str:
        return ", ".join(regle.bureaux) or str(_("Tous"))

    def view_on_site(self, regle: RegleDeRoutage) -> str:
        return reverse("espace:regle", args=[regle.pk])
