"""Admin history that stores the value of each changed column before and after."""

import json
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import gettext as _

from accounts.journal import libelle, noter
from socle.audit.registre import consulter
from socle.audit.vocabulaire import Acte
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.identite import sans_guest_ids


class AvecHistorique(admin.ModelAdmin):
    """ModelAdmin mixin that logs values before and after; for tables of plain texts, numbers and flags."""

    def construct_change_message(self, request: Any, form: Any, formsets: Any, add: bool = False) -> Any:
        message: Any = super().construct_change_message(request, form, formsets, add)
        for partie in message:
            if "changed" in partie:
                saisies = form.cleaned_data
                valeurs = {nom: [form.initial.get(nom), saisies[nom]] for nom in form.changed_data}
                partie["changed"]["valeurs"] = sans_guest_ids(valeurs)
        return message

    def noter(self, request: HttpRequest, ligne: Any, **valeurs: tuple[Any, Any]) -> None:
        """Log a change that no form made, as column=(before, after): `publiee=(False, True)`."""
        noter(ligne, valeurs, par=request.user)

    def log_deletions(self, request: Any, queryset: Any) -> Any:
        """Log each deletion with the row's last values, which nothing else keeps."""
        noms = [champ.name for champ in self.model._meta.fields if champ.editable]
        for ligne in queryset:
            valeurs = {nom: (getattr(ligne, nom), None) for nom in noms}
            noter(ligne, valeurs, par=request.user, acte=DELETION)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        reponse = super().history_view(request, object_id, extra_context)
        for entree in getattr(reponse, "context_data", {}).get("action_list", ()):
            entree.get_change_message = format_html("{}{}", entree.get_change_message(), en_tableau(entree))
        return reponse


class ConsultationNotee(admin.ModelAdmin):
    """ModelAdmin mixin that notes in the register who reads this table, and by which filters."""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        # Not what was looked for: it may be the reference of a case that a reader of the register is shut out of.
        criteres = sorted(criteres_de(request))
        self._consigner(request, **({"criteres": criteres} if criteres else {}))
        return super().changelist_view(request, extra_context)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        entree = super().get_object(request, object_id, from_field)
        if entree is not None:
            self._consigner(request, entree=entree.pk)
        return entree

    def _consigner(self, request: HttpRequest, **details: Any) -> None:
        if self.has_view_permission(request):  # who has no right to it is refused by the view
            consulter(ActeurCompte(compte=request.user), Acte.JOURNAL_CONSULTE, None, "", **details)  # type: ignore[arg-type]


def criteres_de(request: HttpRequest) -> dict[str, str]:
    """Return the searches and filters that a list was asked with, for the register: neither page nor order."""
    return {nom: str(valeur) for nom, valeur in request.GET.items() if nom not in ("p", "o", "all", "e", "_facets")}


def en_tableau(entree: LogEntry) -> str:
    """Render the entry's values before and after as an HTML table; an empty string where it holds none."""
    lignes = list(_changements(entree))
    return render_to_string("admin/valeurs.html", {"lignes": lignes}) if lignes else ""


def _changements(entree: LogEntry) -> Iterator[tuple[str, Any, Any]]:
    if '"valeurs"' not in entree.change_message:
        return
    sorte = entree.content_type_id and ContentType.objects.get_for_id(entree.content_type_id)  # kept in memory
    modele = sorte.model_class() if sorte else None
    for partie in json.loads(entree.change_message):
        for acte in partie.values():
            for nom, (avant, apres) in acte.get("valeurs", {}).items():
                yield libelle(modele, nom), _dire(avant), _dire(apres)


def _dire(valeur: Any) -> Any:
    if isinstance(valeur, bool):
        return _("oui") if valeur else _("non")
    return "—" if valeur in (None, "") else valeur
