from typing import Any

import django_filters as filters

from config.api.filtres import FiltreChoix, FiltreJour
from config.domaine.acteurs import SourceActeur
from config.domaine.temps import debut_du_jour, fin_du_jour
from signalements.models import Signalement
from signalements.vocabulaire import Priorite, Statut


class SignalementFiltre(filters.FilterSet):
    statut = FiltreChoix(choices=Statut.choices)
    type = filters.CharFilter(method="par_type", max_length=50)
    priorite = FiltreChoix(choices=Priorite.choices)
    gestionnaireId = filters.UUIDFilter(method="par_gestionnaire")
    sourceActeur = FiltreChoix(method="par_source", choices=SourceActeur.choices)
    debut = FiltreJour(method="depuis", help_text="Créé ce jour ou après (AAAA-MM-JJ, heure du campus).")
    fin = FiltreJour(method="jusqu_a", help_text="Créé ce jour ou avant (AAAA-MM-JJ, heure du campus).")
    search = filters.CharFilter(
        method="chercher", max_length=200, help_text="Référence, titre ou description ; accents et casse ignorés."
    )

    class Meta:
        model = Signalement
        fields: list[str] = []

    def par_type(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.filter(type=valeur.upper())

    def par_gestionnaire(self, lignes: Any, _nom: str, valeur: Any) -> Any:
        """Who handles their own case is not for a member of staff to know."""
        return lignes.filter(gestionnaire=valeur).exclude(compte=self.request.auth.compte)

    def par_source(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.filter(invite__isnull=valeur == SourceActeur.AUTH_USER)

    def depuis(self, lignes: Any, _nom: str, valeur: Any) -> Any:
        return lignes.filter(date_creation__gte=debut_du_jour(valeur))

    def jusqu_a(self, lignes: Any, _nom: str, valeur: Any) -> Any:
        return lignes.filter(date_creation__lt=fin_du_jour(valeur))

    def chercher(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.cherches(valeur)
