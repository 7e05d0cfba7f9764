from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from signalements.models import Signalement
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from stats.vocabulaire import StatutExport


class ExportQuerySet(models.QuerySet[Any]):
    def en_cours(self) -> "ExportQuerySet":
        return self.filter(statut=StatutExport.EN_COURS)

    def visibles_par(self, acteur: Acteur) -> "ExportQuerySet":
        """One's own; with STATS_CONSULTER_EXPORTS everybody's, unless a case closed to the reader may be in one.

        Its number of rows alone would tell of that case.
        """
        siens = Q(compte=acteur.compte)
        if not acteur.peut(Droit.STATS_CONSULTER_EXPORTS):
            return self.filter(siens)
        return self.filter(siens | ~(_a_un_reserve(acteur) | _a_un_dossier_d_une_autre_equipe(acteur)))

    def ou_est_un_reserve(self, acteur: Acteur) -> "ExportQuerySet":
        """Filter to those of others that may hold a reserved case which this person does not read.

        Whatever their teams: a line that went when somebody joins one would tell of that case.
        """
        return self.exclude(compte=acteur.compte).filter(_a_un_reserve(acteur))

    def a_retirer(self) -> "ExportQuerySet":
        """Filter the exports whose file is past its expiry and not yet deleted."""
        return self.filter(date_expiration__lte=timezone.now()).exclude(cle="")


_AVANT = Q(date_creation__lte=OuterRef("date_creation"))


def _a_un_reserve(acteur: Acteur) -> Q:
    """Condition of the exports that may hold a reserved case which this person does not read."""
    return Q(Exists(Signalement.objects.fermes_a(acteur).order_by().filter(_AVANT)))


def _a_un_dossier_d_une_autre_equipe(acteur: Acteur) -> Q:
    return Q(Exists(Signalement.objects.d_autres_equipes(acteur).filter(_AVANT)))
