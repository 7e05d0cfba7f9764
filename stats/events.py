from typing import Any

from django.dispatch import receiver

from forum import signals as forum
from forum.models import Poste
from signalements.models import Signalement
from signalements.serializers import Alerte
from signalements.signals import signalement_cree, statut_modifie
from socle.api.rendus import rendre_un
from socle.domaine.temps import horodatage
from socle.realtime.diffusion import publier
from stats.models import Export
from stats.signals import export_termine


@receiver(signalement_cree)
def alerter_d_un_nouveau(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    _alerter(signalement)


@receiver(statut_modifie)
def publier_le_statut_d_un_signalement(sender: Any, signalement: Signalement, ancien: str, **kwargs: Any) -> None:
    if signalement.est_reserve:  # the whole team hears this channel
        return
    _annoncer("signalement", signalement)
    if signalement.statut != ancien:
        _alerter(signalement)


@receiver(forum.statut_modifie)
def publier_le_statut_d_une_publication(sender: Any, poste: Poste, **kwargs: Any) -> None:
    _annoncer("poste", poste)


@receiver(export_termine)
def publier_export(sender: Any, export: Export, **kwargs: Any) -> None:
    """Publish `export_ready`, without the link: an event is stored, and the link opens the file."""
    payload = {
        "exportId": str(export.pk),
        "statut": export.statut,
        "format": export.format,
        "lignes": export.lignes,
        "exportedAt": horodatage(export.date_creation),
    }
    publier("export_ready", [f"user:{export.compte_id}"], payload)


def _annoncer(source: str, objet: Signalement | Poste) -> None:
    publier("stats_updated", ["dashboard"], {"source": source, "id": str(objet.pk), "statut": objet.statut})


def _alerter(signalement: Signalement) -> None:
    if signalement.a_une_alerte:
        publier("alert_created", ["dashboard"], rendre_un(Alerte, signalement))
