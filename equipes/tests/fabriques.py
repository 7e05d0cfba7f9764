from typing import Any

from django.utils import timezone

from accounts.models import Compte
from equipes.en_vigueur import regles_actives
from equipes.lectures import noms_des_equipes
from equipes.models import Equipe, MembreDEquipe, RegleDeRoutage
from signalements.compteurs.suivi import suivre
from signalements.lecteurs import Acces, poser
from signalements.models import Signalement


def equipe(*membres: Compte, nom: str = "Référents", **champs: Any) -> Equipe:
    """A team whose members have long read its cases."""
    creee = Equipe.objects.create(nom=nom, **champs)
    noms_des_equipes.oublier()
    for membre in membres:
        MembreDEquipe.objects.create(equipe=creee, compte=membre, accepte_le=timezone.now())
    return creee


def regle(equipe: Equipe, **champs: Any) -> RegleDeRoutage:
    """An active rule of old, for every case where it says no more."""
    creee = RegleDeRoutage.objects.create(equipe=equipe, **{"active": True, **champs})
    regles_actives.oublier()
    return creee


def confier(signalement: Signalement, equipe: Equipe | None) -> Signalement:
    """As it has long been, told to nobody: the case is this team's."""
    avant = Acces.de(signalement)
    with suivre(signalement):
        poser(signalement, Acces.pour(avant.ecartes, avant.admis, equipe and equipe.pk), None)
        signalement.save()
    return signalement
