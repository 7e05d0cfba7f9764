from typing import Any

from config.domaine.acteurs import Acteur
from signalements import services
from signalements.models import Signalement


def signalement(acteur: Acteur, **champs: Any) -> Signalement:
    defauts = {"titre": "Remarques déplacées", "description": "Devant l'amphi, deux fois.", "type": "HARCELEMENT"}
    return services.creer(acteur=acteur, **{**defauts, **champs})


def joindre(absorbe: Signalement, dossier: Signalement) -> None:
    """As a merge leaves two reports of one case: its history is the case's, and the report leads there."""
    absorbe.timeline.update(signalement=dossier)
    Signalement.objects.filter(absorbe_par=absorbe).update(absorbe_par=dossier)
    absorbe.absorbe_par = dossier
    absorbe.enregistrer("absorbe_par")
