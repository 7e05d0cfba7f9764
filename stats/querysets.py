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
        return self.filter(siens | ~_contient_un_dossier_ferme_a(acteur))

    def fermes_a(self, acteur: Acteur) -> "ExportQuerySet":
        """Filter to the exports of others that may hold a case closed to this reader."""
        return self.exclude(compte=acteur.compte).filter(_contient_un_dossier_ferme_a(acteur))

    def a_retirer(self) -> "ExportQuerySet":
        """Filter the exports whose file is past its expiry and not yet deleted."""
        return self.filter(date_expiration__lte=timezone.now()).exclude(cle="")


def _contient_un_dossier_ferme_a(acteur: Acteur) -> Q:
    avant = Q(date_creation__lte=OuterRef("date_creation"))
    reserves, d_autres = Signalement.objects.fermes_a(acteur), Signalement.objects.d_autres_equipes(acteur)
    return Q(Exists(reserves.order_by().filter(avant))) | Q(Exists(d_autres.filter(avant)))
