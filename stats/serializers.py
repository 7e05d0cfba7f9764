from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from socle.api.serializers import ChampDate, SortieSimple
from stats.vocabulaire import SOURCES, FormatExport, StatutExport


class StatsEvenement(SortieSimple):
    source = serializers.ChoiceField(choices=SOURCES, help_text=_("Ce dont le statut compte."))  # type: ignore[assignment]
    id = serializers.UUIDField(help_text=_("Le signalement, ou la publication."))
    statut = serializers.CharField(help_text=_("Son statut à présent."))


class ExportPretEvenement(SortieSimple):
    """Without the link: an event is stored, and the link opens the file."""

    export_id = serializers.UUIDField(help_text=_("L'export : `GET /stats/exports/{export_id}` rend son lien."))
    statut = serializers.ChoiceField(choices=StatutExport.choices, help_text=_("PRET, ou ECHEC."))
    format = serializers.ChoiceField(choices=FormatExport.choices, help_text=_("Le format du fichier."))
    lignes = serializers.IntegerField(allow_null=True, help_text=_("Ses lignes ; nul quand il a échoué."))
    exported_at = ChampDate(help_text=_("Quand il fut demandé."))
