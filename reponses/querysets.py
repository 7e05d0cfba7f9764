from typing import Any

from django.db import models
from django.db.models import Max, Q

from reponses.vocabulaire import ORDRE_MAX, PAS
from signalements.models import Signalement


class ModeleDeReponseQuerySet(models.QuerySet[Any]):
    def pour_lecture(self) -> "ModeleDeReponseQuerySet":
        """Active ones in the order that administrators gave, but those that go out by themselves."""
        return self.filter(actif=True, automatique=False).order_by("ordre", "titre", "id")

    def convenant_a(self, dossier: Any) -> "ModeleDeReponseQuerySet":
        """Filter by the type and the state of a case; one without either fits them all."""
        return self.filter(Q(type="") | Q(type=dossier.type), Q(statut="") | Q(statut=dossier.statut))

    def automatiques(self) -> "ModeleDeReponseQuerySet":
        """Active ones that go out by themselves, one a type at most."""
        return self.filter(automatique=True, actif=True).order_by("type")

    def place_suivante(self) -> int:
        """`ordre` of the last one plus PAS: a new one comes last."""
        dernier = self.aggregate(dernier=Max("ordre"))["dernier"] or 0
        return int(min(dernier + PAS, ORDRE_MAX))


class AccuseAutomatiqueQuerySet(models.QuerySet[Any]):
    def du_dossier(self, dossier: Any) -> "AccuseAutomatiqueQuerySet":
        """Its own, and those of the reports that were joined to it, in the order of time."""
        eux = Signalement.objects.et_leurs_joints([dossier.pk])
        return self.filter(signalement__in=eux.values("pk")).order_by("date_creation", "signalement_id")


class OrientationQuerySet(models.QuerySet[Any]):
    def pour_lecture(self) -> "OrientationQuerySet":
        """By type, which no two have."""
        return self.order_by("type")
