from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from reponses.accuses import rempli
from reponses.models import DeuxLangues, ModeleDeReponse, Orientation
from reponses.services import consigner_un_changement
from resources.admin.textes import TextesDEquipe, TextesEnOrdre
from signalements.models import Signalement
from signalements.vocabulaire import type_lisible, types_admis
from socle.domaine.temps import jour_du_campus

UNE_SEMAINE = timedelta(days=7)


class FiltreDuType(admin.SimpleListFilter):
    title = _("type")
    parameter_name = "type"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        return types_admis()

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(type=self.value()) if self.value() else queryset


class FormulaireDuType(forms.ModelForm):  # type: ignore[type-arg]  # Django's is not generic
    type = forms.ChoiceField(label=_("Type"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        champ: Any = self.fields["type"]
        tous = [] if champ.required else [("", _("Tous"))]
        champ.choices = [*tous, *types_admis(self.instance.type)]


class FormulaireDeModele(FormulaireDuType):
    type = forms.ChoiceField(label=_("Type"), required=False)


class Consignes(TextesDEquipe):
    """Texts whose changes the register has as ours."""

    def consigner(self, texte: Any, quoi: str, **details: Any) -> None:
        consigner_un_changement(texte, quoi, **details)

    def autour_de(self, texte: DeuxLangues) -> dict[str, Any]:
        """The texts as they go out, about a case of this reference, that is promised something for the week after."""
        exemple = Signalement(reference="SIG-2026-7K3M9QXT", prochaine_echeance=jour_du_campus() + UNE_SEMAINE)
        return {"dits": [rempli(un, exemple) for un in texte.dits("fr")]}


@admin.register(ModeleDeReponse)
class ModeleDeReponseAdmin(Consignes, TextesEnOrdre):
    form = FormulaireDeModele
    list_display = ("titre", "actif", "automatique", "ordre", "pour_le_type", "statut", "date_modification")
    list_filter = ("actif", "automatique", "statut", FiltreDuType)
    list_editable = ("ordre", "actif")
    ordering = ("ordre", "titre", "id")
    fields = ("titre", "texte_fr", "texte_en", "type", "statut", "ordre", "actif", "automatique")
    modele_d_apercu = "admin/reponses/apercu_modele.html"

    @admin.display(description=_("type"), ordering="type")
    def pour_le_type(self, modele: ModeleDeReponse) -> str:
        return type_lisible(modele.type) if modele.type else str(_("Tous"))


@admin.register(Orientation)
class OrientationAdmin(Consignes):
    form = FormulaireDuType
    list_display = ("__str__", "date_modification")
    ordering = ("type",)
    fields = ("type", "texte_fr", "texte_en")
    modele_d_apercu = "admin/reponses/apercu_orientation.html"
