from typing import Any

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from accounts.models import Compte, Invitation
from accounts.vocabulaire import StatutInvitation
from socle.api.filters import FiltreChoix, FiltreJour
from socle.audit.models import Trace
from socle.audit.vocabulaire import POUR_L_EXPLOITANT, Acte
from socle.domaine.droits import Role
from socle.domaine.temps import debut_du_jour, fin_du_jour


class CompteFiltre(filters.FilterSet):
    search = filters.CharFilter(
        method="chercher", max_length=200, help_text=_("Tous les mots, dans le prénom, le nom ou l'e-mail.")
    )
    typeUtilisateur = FiltreChoix(method="par_role", choices=Role.choices, help_text=_("Les comptes de ce rôle."))
    estActif = FiltreChoix(
        method="par_activite",
        choices=(("true", "true"), ("false", "false")),
        help_text=_("`true` : les comptes actifs ; `false` : ceux qui sont désactivés."),
    )

    class Meta:
        model = Compte
        fields: list[str] = []

    def chercher(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.cherches(valeur)

    def par_role(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.de_role(valeur)

    def par_activite(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.filter(est_actif=valeur == "true")


class TraceFiltre(filters.FilterSet):
    acte = FiltreChoix(
        choices=[(un.value, un.label) for un in Acte if un not in POUR_L_EXPLOITANT],
        help_text=_("Les lignes de cette sorte d'acte."),
    )
    acteurId = filters.UUIDFilter(field_name="acteur", help_text=_("Le compte qui l'a fait."))
    objetId = filters.UUIDFilter(field_name="objet", help_text=_("Le dossier, le compte, l'export… que cela concerne."))
    debut = FiltreJour(method="depuis", help_text=_("Ce jour ou après (AAAA-MM-JJ, heure du campus)."))
    fin = FiltreJour(method="jusqu_a", help_text=_("Ce jour ou avant (AAAA-MM-JJ, heure du campus)."))

    class Meta:
        model = Trace
        fields: list[str] = []

    def depuis(self, lignes: Any, _nom: str, valeur: Any) -> Any:
        return lignes.filter(date__gte=debut_du_jour(valeur))

    def jusqu_a(self, lignes: Any, _nom: str, valeur: Any) -> Any:
        return lignes.filter(date__lt=fin_du_jour(valeur))


class InvitationFiltre(filters.FilterSet):
    statut = FiltreChoix(
        method="par_statut",
        choices=StatutInvitation.choices,
        help_text=_("Le statut tel qu'il est montré : une invitation en attente dont la date est passée est EXPIRED."),
    )

    class Meta:
        model = Invitation
        fields: list[str] = []

    def par_statut(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.de_statut(valeur)
