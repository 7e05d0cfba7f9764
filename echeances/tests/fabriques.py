from datetime import timedelta
from typing import Any

from echeances.models import Echeance
from echeances.services import tenir
from signalements.compteurs.suivi import suivre
from signalements.models import Signalement
from socle.domaine.temps import jour_du_campus


def dans_un_mois(*, jours: int = 30) -> str:
    return (jour_du_campus() + timedelta(days=jours)).isoformat()


def promettre(dossier: Signalement, nature: str, *, jours: int = 30) -> Any:
    """A date of this case, as it would have been given."""
    echeance = Echeance(signalement=dossier, nature=nature)
    echeance.promettre(jour_du_campus() + timedelta(days=jours))
    echeance.save()
    with suivre(dossier):
        tenir(dossier)
        dossier.save()
    return echeance
