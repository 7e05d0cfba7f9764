from typing import Any

import django_filters as filters

from accounts.models import Compte, Invitation
from accounts.vocabulaire import StatutInvitation
from socle.api.filters import FiltreChoix
from socle.domaine.droits import Role


class CompteFiltre(filters.FilterSet):
    search = filters.CharFilter(method="chercher", max_length=200, help_text="Nom, prénom ou e-mail, sans accents.")
    typeUtilisateur = FiltreChoix(method="par_role", choices=Role.choices)
    estActif = FiltreChoix(method="par_activite", choices=(("true", "true"), ("false", "false")))

    class Meta:
        model = Compte
        fields: list[str] = []

    def chercher(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.cherches(valeur)

    def par_role(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.de_role(valeur)

    def par_activite(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.filter(est_actif=valeur == "true")


class InvitationFiltre(filters.FilterSet):
    statut = FiltreChoix(method="par_statut", choices=StatutInvitation.choices)

    class Meta:
        model = Invitation
        fields: list[str] = []

    def par_statut(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.de_statut(valeur)
