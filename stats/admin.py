from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.formats import localize
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from accounts.admin import LectureSeule
from signalements.vocabulaire import Priorite, Statut, type_lisible
from socle.domaine.acteurs import ActeurCompte
from socle.pages.balises import poids
from stats.exports.permissions import export_accessible
from stats.models import Export

# Filters whose values have words.
MOTS: dict[str, Callable[[Any], Any]] = {
    "type": type_lisible,
    "statut": lambda code: dict(Statut.choices).get(code, code),
    "priorite": lambda code: dict(Priorite.choices).get(code, code),
}


@admin.register(Export)
class ExportAdmin(LectureSeule):
    """Read-only audit list of exports: who took which reports out of the service, and when."""

    list_display = ("demande_le", "compte", "format", "filtres_lisibles", "lignes", "statut", "taille_lisible")
    list_filter = ("statut", "format")
    list_select_related = ("compte",)
    fields = (
        "demande_le",
        "compte",
        "format",
        "filtres_lisibles",
        "statut",
        "lignes",
        "taille_lisible",
        "date_fin",
        "date_expiration",
    )
    ordering = ("-date_creation", "-id")

    def get_queryset(self, request: HttpRequest) -> Any:
        lignes: Any = super().get_queryset(request)
        return lignes.visibles_par(ActeurCompte(compte=request.user))  # type: ignore[arg-type]

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Fetch it, and note who looks at another's, as the API does."""
        export = super().get_object(request, object_id, from_field)
        return export and export_accessible(ActeurCompte(compte=request.user), export.pk)  # type: ignore[arg-type]

    @admin.display(description=_("demandé le"), ordering="date_creation")
    def demande_le(self, export: Export) -> str:
        return localize(localtime(export.date_creation))

    @admin.display(description=_("filtres"))
    def filtres_lisibles(self, export: Export) -> str:
        # Of rows chosen one by one, how many: some may be closed to who reads this.
        dits = {nom: len(un) if isinstance(un, list) else un for nom, un in sorted(export.filtres.items())}
        mots = {nom: MOTS[nom](valeur) if nom in MOTS else valeur for nom, valeur in dits.items()}
        return ", ".join(f"{nom} = {mot}" for nom, mot in mots.items()) or str(_("aucun"))

    @admin.display(description=_("taille"), ordering="taille")
    def taille_lisible(self, export: Export) -> str:
        return poids(export.taille) if export.taille is not None else ""
