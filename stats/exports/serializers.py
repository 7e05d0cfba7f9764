from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from signalements.vocabulaire import TYPES_CONNUS, Priorite, Statut
from socle.api.champs import Choix, Identifiant, Jour, Texte, Vocabulaire
from socle.api.formulaires import Creation
from socle.api.mots import aides
from socle.api.serializers import ChampDate, Sortie, chameau
from socle.domaine.acteurs import SourceActeur
from stats.exports.avancement import progression
from stats.exports.liens import lien_de_l_export
from stats.models import Export
from stats.vocabulaire import FormatExport


class ExportCreate(Creation):
    """The format, and the filters of the staff list under the same names."""

    format = Choix(choices=FormatExport.choices, required=False, help_text=_("csv par défaut."))
    statut = Choix(choices=Statut.choices, required=False, help_text=_("Seulement les signalements de ce statut."))
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS, required=False)
    priorite = Choix(
        choices=Priorite.choices, required=False, help_text=_("Seulement les signalements de cette priorité.")
    )
    gestionnaire_id = Identifiant(
        required=False,
        help_text=_("Seulement les signalements que traite ce compte ; ceux de qui demande n'y sont pas."),
    )
    source_acteur = Choix(
        choices=SourceActeur.choices,
        required=False,
        help_text=_("Seulement les signalements d'un compte, ou d'une session invitée, tels que l'équipe les voit."),
    )
    debut = Jour(required=False, help_text=_("Créé ce jour ou après (AAAA-MM-JJ, heure du campus)."))
    fin = Jour(required=False, help_text=_("Créé ce jour ou avant (AAAA-MM-JJ, heure du campus)."))
    search = Texte(
        required=False,
        allow_blank=True,
        max_length=200,
        help_text=_("Comme dans la liste : tous les mots, ou une référence entière, qui mène à son dossier."),
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Turn the body into the service's arguments: non-empty filters as texts, by their names in the list."""
        format_ = attrs.pop("format", FormatExport.CSV)
        if attrs.get("debut") and attrs.get("fin") and attrs["fin"] < attrs["debut"]:
            raise serializers.ValidationError({"fin": _("La fin doit venir après le début.")}, code="invalid")
        return {"format": format_, "filtres": {chameau(nom): str(v) for nom, v in attrs.items() if v}}


class ExportDetail(Sortie):
    export_id = serializers.UUIDField(
        source="id", help_text=_("L'identifiant de l'export, à relire tant qu'il est EN_COURS.")
    )
    exported_at = ChampDate(source="date_creation", help_text=_("Quand il fut demandé, en UTC."))
    download_url = serializers.SerializerMethodField(
        help_text=_("Une adresse signée qui rend le fichier pendant une heure, sans autre identifiant, une fois PRET.")
    )
    progression = serializers.SerializerMethodField(help_text=_("De 0 à 100 ; 100 une fois PRET, 0 en cas d'ECHEC."))
    expire_le = ChampDate(
        source="date_expiration",
        allow_null=True,
        help_text=_("Quand le fichier est supprimé, en UTC ; null tant qu'il n'est pas PRET."),
    )

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
        extra_kwargs = aides(
            statut=_("EN_COURS : le fichier s'écrit ; PRET : il se télécharge ; ECHEC : il n'y en aura pas."),
            format=_("csv : UTF-8 avec marque, séparé par des points-virgules ; xlsx : un classeur."),
            lignes=_("Combien de signalements y sont ; null tant qu'il n'est pas PRET."),
        )

    def get_download_url(self, export: Export) -> str:
        return lien_de_l_export(export)

    def get_progression(self, export: Export) -> int:
        return progression(export)
