from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.admin import Table
from accounts.historique import AvecHistorique
from echeances.en_vigueur import en_vigueur
from echeances.models import Delai, JourFerme
from reponses.admin import FiltreDuType, FormulaireDeModele
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte
from socle.pages.formulaires import SAISIES


class DesDelais(AvecHistorique, Table):
    """Rows that decide what is promised: each change of them is in the register, by table and columns."""

    formfield_overrides = SAISIES

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.indexer()
        if change:
            obj.enregistrer(*form.changed_data)
        else:
            super().save_model(request, obj, form, change)
        en_vigueur.oublier()
        if form.changed_data:
            self._consigner(request, obj, form.changed_data)

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self._consigner(request, obj, [])
        super().delete_model(request, obj)
        en_vigueur.oublier()

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for ligne in queryset:
            self.delete_model(request, ligne)

    def _consigner(self, request: HttpRequest, ligne: Any, champs: list[str]) -> None:
        consigner(Acte.DELAI_CHANGE, par=request.user, objet=ligne.pk, table=ligne._meta.model_name, champs=champs)


@admin.register(Delai)
class DelaiAdmin(DesDelais):
    """None of them gives a date before an administrator has said yes, in the workspace."""

    form = FormulaireDeModele
    list_display = ("nom_montre", "pour_le_type", "duree_montree", "actif", "date_modification")
    list_filter = ("actif", "nature", FiltreDuType)
    ordering = ("nature", "libelle", "type", "id")
    fields = ("nature", "libelle", "type", "nombre", "unite", "actif")

    @admin.display(description=_("délai"), ordering="nature")
    def nom_montre(self, delai: Delai) -> str:
        return delai.nom

    @admin.display(description=_("type"), ordering="type")
    def pour_le_type(self, delai: Delai) -> str:
        return delai.type_lisible

    @admin.display(description=_("durée"))
    def duree_montree(self, delai: Delai) -> str:
        return delai.duree


@admin.register(JourFerme)
class JourFermeAdmin(DesDelais):
    list_display = ("jour", "libelle")
    date_hierarchy = "jour"
    ordering = ("-jour",)
    fields = ("jour", "libelle")
