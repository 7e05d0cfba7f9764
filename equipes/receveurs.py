"""Receivers of what takes somebody out of the staff, and so out of their teams."""

from typing import Any

from django.dispatch import receiver

from accounts.models import Compte
from accounts.signals import compte_desactive, role_modifie
from equipes.services.equipes import retirer_de_toutes
from socle.domaine.droits import Droit, a_le_droit


@receiver([compte_desactive, role_modifie])
def retirer_qui_n_est_plus_de_l_equipe(sender: Any, compte: Compte, **kwargs: Any) -> None:
    if not (compte.est_actif and a_le_droit(compte.role, Droit.SIGNALEMENTS_TRAITER)):
        retirer_de_toutes(compte.pk)
