from typing import Any

from django.dispatch import receiver

from config.domaine.temps import horodatage
from config.realtime.diffusion import publier
from stats.models import Export
from stats.signals import export_termine


@receiver(export_termine)
def publier_export(sender: Any, export: Export, **kwargs: Any) -> None:
    """Without a link: an event is kept, and a link opens the file."""
    payload = {
        "exportId": str(export.pk),
        "statut": export.statut,
        "format": export.format,
        "lignes": export.lignes,
        "exportedAt": horodatage(export.date_creation),
    }
    publier("export_ready", [f"user:{export.compte_id}"], payload)
