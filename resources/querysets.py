from typing import Any

from django.db import models
from django.db.models import Sum

from resources.vocabulaire import Portee
from socle.domaine.acteurs import Acteur
from socle.domaine.texte import normaliser

TRIS = {
    "dateCreation": ("date_creation", "id"),
    "titre": ("titre_tri", "id"),
    "categorie": ("categorie", "date_creation", "id"),
    "sizeBytes": ("taille", "id"),
}


class FichierQuerySet(models.QuerySet[Any]):
    def presents(self) -> "FichierQuerySet":
        """Without those that were deleted and are kept for a time: for everybody they are no more."""
        return self.filter(date_suppression__isnull=True)

    def libres(self) -> "FichierQuerySet":
        """Never attached to anything."""
        return self.presents().filter(portee=Portee.LIBRE)

    def supprimes(self) -> "FichierQuerySet":
        """Evidence that an administrator may still bring back."""
        return self.filter(date_suppression__isnull=False)

    def de(self, acteur: Acteur) -> "FichierQuerySet":
        if acteur.invite is not None:
            return self.filter(invite=acteur.invite)
        return self.filter(compte=acteur.compte)

    def octets(self) -> int:
        """What counts in a quota: what an administrator deleted is not held against its owner."""
        return int(self.presents().aggregate(total=Sum("taille"))["total"] or 0)


class RessourceQuerySet(models.QuerySet[Any]):
    def vivantes(self) -> "RessourceQuerySet":
        """Without those that were deleted: for everybody they are no more."""
        return self.filter(date_suppression__isnull=True)

    def pour_lecture(self) -> "RessourceQuerySet":
        return self.vivantes().select_related("fichier")

    def cherchees(self, texte: str) -> "RessourceQuerySet":
        return self.filter(recherche__contains=normaliser(texte))

    def triees(self, tri: str, *, descendant: bool) -> "RessourceQuerySet":
        return self.order_by(*(f"-{champ}" if descendant else champ for champ in TRIS[tri]))


class AideQuerySet(models.QuerySet[Any]):
    def montrees(self) -> "AideQuerySet":
        return self.filter(**{self.model.VISIBLE: True})

    def pour_lecture(self) -> "AideQuerySet":
        """What everybody reads, in the order that the team gave, never more than the bound of the table."""
        return self.montrees().order_by("ordre", "id")[: self.model.MAXIMUM]
