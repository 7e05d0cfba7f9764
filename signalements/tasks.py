"""Mails to the team, sent in the background."""

from uuid import UUID

from django.conf import settings

from accounts.models import Compte
from accounts.tasks import informer
from signalements.garde import a_rouvrir, bientot_effaces
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Droit
from socle.taches.reprise import tache

ANNONCES_MAX = 10_000  # cases counted in a mail


@tache(queue_name="mail")
def prevenir_sans_lecteur(compte_id: str) -> None:
    """Tell an administrator that some case has no reader left: which one, the workspace says."""
    compte = Compte.objects.filter(pk=UUID(compte_id), est_actif=True).first()
    if compte is not None:
        informer(compte, "sans_lecteur", "/equipe/dossiers/")


@tache(queue_name="mail")
def prevenir_d_une_fermeture(compte_id: str) -> None:
    """Tell an administrator that a manager has closed some case to half of the team: which one, the register says."""
    compte = Compte.objects.filter(pk=UUID(compte_id), est_actif=True).first()
    if compte is not None and ActeurCompte(compte=compte).peut(Droit.SIGNALEMENTS_ROUVRIR):
        informer(compte, "dossier_ferme", "/equipe/registre/?acte=LECTEURS_CHANGES")


@tache(queue_name="mail")
def prevenir_d_une_ouverture(compte_id: str) -> None:
    """Tell a reader that an administrator opened one of their cases: which, the workspace says."""
    compte = Compte.objects.equipe_active().filter(pk=UUID(compte_id)).first()
    if compte is not None:
        informer(compte, "ouverture_motivee", "/equipe/dossiers/")


@tache(queue_name="mail")
def prevenir_des_suppressions(compte_id: str) -> None:
    """Tell an administrator how many cases that they read, or could, are deleted soon: which, the workspace says."""
    compte = Compte.objects.filter(pk=UUID(compte_id), est_actif=True).first()
    acteur = None if compte is None else ActeurCompte(compte=compte)
    if compte is None or acteur is None or not acteur.peut(Droit.SIGNALEMENTS_GELER):
        return
    nombre = sum(lignes.order_by()[:ANNONCES_MAX].count() for lignes in (bientot_effaces(acteur), a_rouvrir(acteur)))
    if nombre:
        page = "/equipe/bientot-effaces/"
        informer(compte, "suppressions", page, nombre=nombre, jours=settings.REPORTS_WARNING_DAYS)
