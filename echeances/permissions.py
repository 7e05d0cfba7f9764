from uuid import UUID

from echeances.models import Echeance
from signalements.permissions import signalement_a_traiter
from socle.domaine.acteurs import Acteur
from socle.erreurs import Introuvable


def echeance_a_traiter(acteur: Acteur, signalement_id: UUID | str, echeance_id: UUID | str) -> Echeance:
    """The door to a date: that of its case, `signalement_a_traiter`; 404 for one of another case."""
    dossier = signalement_a_traiter(acteur, signalement_id)
    echeance: Echeance | None = Echeance.objects.de([dossier]).filter(pk=echeance_id).first()
    if echeance is None:
        raise Introuvable
    return echeance
