from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from signalements.vocabulaire import TYPES_CONNUS, Priorite, Statut
from socle.api.champs import Choix, Identifiant, Jour, Texte, Vocabulaire
from socle.api.formulaires import Creation
from socle.api.serializers import ChampDate, Sortie, chameau
from socle.domaine.acteurs import SourceActeur
from stats.exports.avancement import progression
from stats.exports.liens import lien_de_l_export
from stats.models import Export
from stats.vocabulaire import FormatExport


class ExportCreate(Creation):
    """The format, and the filters of the staff list under the same names."""

    format = Choix(choices=FormatExport.choices, required=False, help_text="csv par défaut.")
    statut = Choix(choices=Statut.choices, required=False)
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS, required=False)
    priorite = Choix(choices=Priorite.choices, required=False)
    gestionnaire_id = Identifiant(required=False)
    source_acteur = Choix(choices=SourceActeur.choices, required=False)
    debut = Jour(required=False, help_text="Créé ce jour ou après (AAAA-MM-JJ, heure du campus).")
    fin = Jour(required=False, help_text="Créé ce jour ou avant (AAAA-MM-JJ, heure du campus).")
    search = Texte(
        required=False,
        allow_blank=True,
        max_length=200,
        help_text="Comme dans la liste : tous les mots, ou une référence entière, qui mène à son dossier.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Turn the body into the service's arguments: non-empty filters as texts, by their names in the list."""
        format_ = attrs.pop("format", FormatExport.CSV)
        if attrs.get("debut") and attrs.get("fin") and attrs["fin"] < attrs["debut"]:
            raise serializers.ValidationError({"fin": _("La fin doit venir après le début.")}, code="invalid")
        return {"format": format_, "filtres": {chameau(nom): str(v) for nom, v in attrs.items() if v}}


class ExportDetail(Sortie):
    export_id = serializers.UUIDField(source="id")
    exported_at = ChampDate(source="date_creation")
    download_url = serializers.SerializerMethodField()
    progression = serializers.SerializerMethodField()
    expire_le = ChampDate(source="date_expiration", allow_null=True)

    class Meta:
        model = Export
        fields = (
            "export_id",
            "exported_at",
            "download_url",
            "statut",
            "format",
            "lignes",
            "progression",
            "expire_le",
        )

    def get_download_url(self, export: Export) -> str:
        return lien_de_l_export(export)

    def get_progression(self, export: Export) -> int:
        return progression(export)
