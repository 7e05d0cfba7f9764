from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import django_filters as filters
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from signalements.models import Signalement
from signalements.vocabulaire import NON_LUS_MAX, Priorite, Statut, reference_ecrite
from socle.api.filters import FiltreChoix, FiltreCleOuMot, FiltreJour
from socle.domaine.acteurs import Acteur, SourceActeur
from socle.domaine.temps import debut_du_jour, fin_du_jour
from socle.erreurs import ChampsInvalides

AUCUN = "aucun"
# What the register says was searched for by a reference that no case has: hidden, as what is closed to its reader is.
AUCUN_DOSSIER = UUID(int=0)


class SignalementFiltre(filters.FilterSet):
    statut = FiltreChoix(
        choices=Statut.choices,
        help_text=_("Les signalements de ce statut ; parmi ceux à traiter, TRAITE et CLOTURE n'en trouvent aucun."),
    )
    type = filters.CharFilter(
        method="par_type", max_length=50, help_text=_("Un type de signalement, en majuscules ou non.")
    )
    priorite = FiltreChoix(choices=Priorite.choices, help_text=_("Les signalements de cette priorité."))
    gestionnaireId = FiltreCleOuMot(
        mot=AUCUN, method="par_gestionnaire", help_text=_("`aucun` : ceux que personne ne traite.")
    )
    nonLus = FiltreChoix(
        method="avec_non_lus",
        choices=[("true", "true"), ("false", "false")],
        help_text=format_lazy(
            _(
                "`true` : ceux, de tout statut, où des messages écrits depuis que l'on est de l'équipe n'ont pas été "
                "lus par qui demande ; les {maximum} derniers à avoir bougé, au plus. `false` ne filtre pas."
            ),
            maximum=NON_LUS_MAX,
        ),
    )
    enRetard = FiltreChoix(
        method="selon_le_retard",
        choices=[("true", "true"), ("false", "false")],
        help_text=_(
            "`true` : ceux, de tout statut, dont une date promise est passée sans être tenue ; le plus ancien retard "
            "d'abord. `false` ne filtre pas."
        ),
    )
    tri = FiltreChoix(
        method="dans_l_ordre",
        choices=[("echeance", "echeance")],
        help_text=_("`echeance` : ceux qui ont une date à tenir, et eux seuls, la première d'abord."),
    )
    sourceActeur = FiltreChoix(
        method="par_source",
        choices=SourceActeur.choices,
        help_text=_("Celui que voit l'équipe : un dossier qui cache son auteur garde celui de sa création."),
    )
    debut = FiltreJour(method="depuis", help_text=_("Créé ce jour ou après (AAAA-MM-JJ, heure du campus)."))
    fin = FiltreJour(method="jusqu_a", help_text=_("Créé ce jour ou avant (AAAA-MM-JJ, heure du campus)."))
    search = filters.CharFilter(
        method="chercher",
        max_length=200,
        help_text=_(
            "Tous les mots, dans n'importe quel ordre, dans la référence, le titre, la description, le lieu ou "
            "l'auteur présumé ; entre guillemets, une suite. Une référence entière mène à son dossier, quels que "
            "soient les autres filtres."
        ),
    )

    class Meta:
        model = Signalement
        fields: list[str] = []

    def par_type(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.filter(type=valeur.upper())

    def par_gestionnaire(self, lignes: Any, _nom: str, valeur: Any) -> Any:
        """Filter by handler, without the reader's own reports: staff must not learn who handles their case."""
        gestionnaire = None if valeur == AUCUN else valeur
        return lignes.filter(gestionnaire=gestionnaire).exclude(compte=self.request.auth.compte)

    def avec_non_lus(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.non_lus_de(self.request.auth) if valeur == "true" else lignes

    def selon_le_retard(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.en_retard() if valeur == "true" else lignes

    def dans_l_ordre(self, lignes: Any, _nom: str, _valeur: str) -> Any:
        return lignes.par_echeance()

    def par_source(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.de_source(valeur)

    def depuis(self, lignes: Any, _nom: str, valeur: Any) -> Any:
        return lignes.filter(date_creation__gte=debut_du_jour(valeur))

    def jusqu_a(self, lignes: Any, _nom: str, valeur: Any) -> Any:
        return lignes.filter(date_creation__lt=fin_du_jour(valeur))

    def chercher(self, lignes: Any, _nom: str, valeur: str) -> Any:
        """Lead to the case of a whole reference, whatever the other filters and the list; else search its texts.

        Declared last, so that no filter is applied after it. To a case that is not visible a reference leads as one
        that nobody bears.
        """
        acteur = self.request.auth
        if reference := reference_ecrite(valeur):
            dossiers = Signalement.objects.pour_lecture(acteur).visibles_par(acteur).de_reference(reference)
            if dossiers.exists():
                return dossiers
        return lignes.cherches(valeur, acteur)


def dossier_nomme(filtres: Mapping[str, Any]) -> UUID | None:
    """The case whose whole reference is searched for; of several, one that is reserved; AUCUN_DOSSIER of none."""
    reference = reference_ecrite(str(filtres.get("search") or ""))
    if reference is None:
        return None
    cas = Signalement.objects.de_reference(reference)
    cle: UUID | None = cas.order_by("ouvert_a", "pk").values_list("pk", flat=True).first()  # TOUS is the last
    return cle or AUCUN_DOSSIER


def filtrer_pour(acteur: Acteur, lignes: Any, filtres: dict[str, str]) -> Any:
    """Apply the filters of the list without a request; 422 for one that cannot be read, never left out."""
    filtre = SignalementFiltre(filtres, queryset=lignes, request=SimpleNamespace(auth=acteur))
    if not filtre.is_valid():
        raise ChampsInvalides.pour(**{champ: erreurs[0] for champ, erreurs in filtre.form.errors.items()})
    return filtre.qs
