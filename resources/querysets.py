from typing import Any

from django.db import models
from django.db.models import Q, Sum

from resources.vocabulaire import Portee
from socle.domaine.acteurs import Acteur
from socle.domaine.recherche import correspond

TRIS = {
    "dateCreation": ("date_creation", "id"),
    "titre": ("titre_tri", "id"),
    "categorie": ("categorie", "date_creation", "id"),
    "sizeBytes": ("taille", "id"),
}

# Condition on files: joined to something, once at least. Until then a file is its sender's alone.
JOINT = ~Q(portee=Portee.LIBRE)


class FichierQuerySet(models.QuerySet[Any]):
    def presents(self) -> "FichierQuerySet":
        """Exclude deleted files that are kept for a time: for everybody they are no more."""
        return self.filter(date_suppression__isnull=True)

    def libres(self) -> "FichierQuerySet":
        """Present files that were never attached to anything."""
        return self.presents().filter(portee=Portee.LIBRE)

    def supprimes(self) -> "FichierQuerySet":
        """Evidence that an administrator may still bring back."""
        return self.filter(date_suppression__isnull=False)

    def de(self, acteur: Acteur) -> "FichierQuerySet":
        if acteur.invite is not None:
            return self.filter(invite=acteur.invite)
        return self.filter(compte=acteur.compte)

    def octets(self) -> int:
        """Sum the sizes for a quota, in bytes; files that an administrator deleted do not count against their owner."""
        return int(self.presents().aggregate(total=Sum("taille"))["total"] or 0)


class RessourceQuerySet(models.QuerySet[Any]):
    def vivantes(self) -> "RessourceQuerySet":
        """Exclude soft-deleted resources: for everybody they are no more."""
        return self.filter(date_suppression__isnull=True)

    def pour_lecture(self) -> "RessourceQuerySet":
        return self.vivantes().select_related("fichier")

    def cherchees(self, texte: str) -> "RessourceQuerySet":
        return self.filter(correspond(texte, "recherche"))

    def triees(self, tri: str, *, descendant: bool) -> "RessourceQuerySet":
        return self.order_by(*(f"-{champ}" if descendant else champ for champ in TRIS[tri]))


class AideQuerySet(models.QuerySet[Any]):
    def montrees(self) -> "AideQuerySet":
        return self.filter(**{self.model.VISIBLE: True})

    def pour_lecture(self) -> "AideQuerySet":
        """Shown entries in the order that the team gave, MAXIMUM at most."""
        return self.montrees().order_by("ordre", "id")[: self.model.MAXIMUM]
