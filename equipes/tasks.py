"""Mails to those who read the cases of a team, sent in the background."""

from uuid import UUID

from accounts.models import Compte
from accounts.tasks import informer
from socle.domaine.droits import Droit, a_le_droit
from socle.taches.reprise import tache


@tache(queue_name="mail")
def prevenir_d_une_equipe_sans_lecteur(compte_id: str) -> None:
    """Tell an administrator that some team's cases have no reader left: which, the workspace says."""
    compte = Compte.objects.filter(pk=UUID(compte_id), est_actif=True).first()
    if compte is not None and a_le_droit(compte.role, Droit.EQUIPES_GERER):
        informer(compte, "equipe_sans_lecteur", "/equipe/equipes/")


@tache(queue_name="mail")
def prevenir_de_la_composition(compte_id: str) -> None:
    """Tell a member that one of their teams, or what is given to it, has changed: the workspace says which."""
    compte = Compte.objects.equipe_active().filter(pk=UUID(compte_id)).first()
    if compte is not None:
        informer(compte, "composition", "/equipe/equipes/")
