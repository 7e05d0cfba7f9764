from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef

from socle.domaine.acteurs import Acteur


class EquipeQuerySet(models.QuerySet[Any]):
    def pour_lecture(self, acteur: Acteur) -> "EquipeQuerySet":
        """Active ones first, by name, with `membre`: whether this person reads the cases of each."""
        lues = self.model._meta.get_field("membres").related_model.objects.qui_lisent()
        siennes = lues.filter(equipe=OuterRef("pk"), compte=acteur.pk)
        return self.select_related("responsable").annotate(membre=Exists(siennes)).order_by("-active", "nom", "id")

    def responsable_de(self, dossiers: Any) -> Any:
        """Key of the head of the team of the one case of this queryset, as a subquery."""
        return self.filter(pk__in=dossiers.order_by().values("equipe")).order_by().values("responsable")[:1]

    def sans_lecteur(self) -> "EquipeQuerySet":
        """Teams of which nobody reads the cases: inactive, or without a member whom somebody has agreed to."""
        lues = self.model._meta.get_field("membres").related_model.objects.qui_lisent()
        return self.filter(~Exists(lues.filter(equipe=OuterRef("pk"), compte__est_actif=True)))


class MembreQuerySet(models.QuerySet[Any]):
    def qui_lisent(self) -> "MembreQuerySet":
        """Members who read the cases of their team: agreed to, and the team is active."""
        return self.filter(accepte_le__isnull=False, equipe__active=True).order_by()

    def equipes_de(self, compte: Any) -> Any:
        """Keys of the teams whose cases this account reads, as a subquery."""
        return self.qui_lisent().filter(compte=compte).values("equipe")

    def comptes_de(self, equipe: Any) -> Any:
        """Keys of the accounts that read the cases of this team, as a subquery."""
        return self.qui_lisent().filter(equipe=equipe).values("compte")


class RegleQuerySet(models.QuerySet[Any]):
    def en_ordre(self) -> "RegleQuerySet":
        """In the order in which they are asked, each with its team and its handler."""
        return self.select_related("equipe", "gestionnaire").order_by("ordre", "date_creation", "id")
