"""Maintenance of teams: the cases of one that nobody reads any more are told of, and are lost to nobody."""

from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from equipes.lectures import dossiers_d_equipe
from equipes.models import Equipe
from equipes.tasks import prevenir_d_une_equipe_sans_lecteur
from socle.domaine.droits import Droit, roles_ayant
from socle.moteur.ecritures import modifier
from socle.taches.entretien import chaque_minute


@chaque_minute("Équipes sans lecteur annoncées")
def annoncer_les_equipes_sans_lecteur() -> None:
    """Mail the administrators, once for as long as it lasts, that a team which has cases has no reader."""
    if any([_annoncer(equipe) for equipe in Equipe.objects.sans_lecteur().filter(sans_lecteur_le=None).order_by("pk")]):
        for compte in _administrateurs():
            prevenir_d_une_equipe_sans_lecteur.enqueue(str(compte))
    sans = Equipe.objects.sans_lecteur().values("pk")
    Equipe.objects.filter(sans_lecteur_le__isnull=False).exclude(pk__in=sans).update(sans_lecteur_le=None)


@transaction.atomic
def _annoncer(equipe: Equipe) -> bool:
    """Date the team as without a reader; False where it has no case, or somebody reads them since."""
    equipe.verrouiller()
    perdue = Equipe.objects.sans_lecteur().filter(pk=equipe.pk, sans_lecteur_le=None).exists()
    if not (perdue and dossiers_d_equipe["signalements"](equipe.pk)):
        return False
    equipe.sans_lecteur_le = timezone.now()
    modifier(equipe, "sans_lecteur_le")
    return True


def _administrateurs() -> list[object]:
    comptes = Compte.objects.filter(type_utilisateur__in=roles_ayant(Droit.EQUIPES_GERER), est_actif=True)
    return list(comptes.order_by("pk").values_list("pk", flat=True))
