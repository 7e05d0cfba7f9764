from typing import Any

from config.domaine.acteurs import Acteur
from signalements import services
from signalements.models import Signalement


def signalement(acteur: Acteur, **champs: Any) -> Signalement:
    defauts = {"titre": "Remarques déplacées", "description": "Devant l'amphi, deux fois.", "type": "HARCELEMENT"}
    return services.creer(acteur=acteur, **{**defauts, **champs})
