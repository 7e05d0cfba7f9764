"""Mails to administrators, sent in the background."""

from uuid import UUID

from accounts.models import Compte
from accounts.tasks import informer
from socle.domaine.droits import Droit, a_le_droit
from socle.taches.reprise import tache


@tache(queue_name="mail")
def prevenir_d_un_nom(compte_id: str) -> None:
    """Tell an administrator that some case names somebody of the staff: which, and whom, the workspace says."""
    compte = Compte.objects.filter(pk=UUID(compte_id), est_actif=True).first()
    if compte is not None and a_le_droit(compte.role, Droit.SIGNALEMENTS_ROUVRIR):
        informer(compte, "nom_a_verifier", "/equipe/noms/")
