"""manage.py homonymes: live cases that name an active member of the staff as their presumed author."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts.models import Compte
from homonymes.lectures import dossiers_proches, nomme
from homonymes.models import Homonyme
from homonymes.vocabulaire import DEBUT
from signalements.models import RegleDeLecture, Signalement


class Command(BaseCommand):
    help = (
        "Liste les dossiers dont l'auteur présumé porte le nom entier d'une personne active de l'équipe, avec ce qui "
        "en est déjà dit. Ne change rien : qui lit un dossier se règle dans l'espace de l'équipe."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        trouves = 0
        for compte in Compte.objects.equipe_active().order_by("nom", "prenom", "pk"):
            trouves += self._montrer(compte)
        self.stdout.write(f"{trouves} nom(s) partagé(s) par un dossier et une personne de l'équipe.")

    def _montrer(self, compte: Compte) -> int:
        trouves, apres = 0, DEBUT
        while lus := dossiers_proches(compte, apres):
            apres = lus[-1][0]
            nommants = [cle for cle, auteur_presume in lus if nomme(auteur_presume, compte)]
            for dossier in Signalement.objects.filter(pk__in=nommants).only("reference").order_by("pk"):
                trouves += 1
                self.stdout.write(f"{dossier.reference}  {compte.nom_complet}  {self._etat(dossier, compte)}")
        return trouves

    def _etat(self, dossier: Signalement, compte: Compte) -> str:
        if (dit := Homonyme.objects.filter(signalement=dossier, compte=compte).first()) is not None:
            return str(dit.get_decision_display())
        est_ecarte = RegleDeLecture.objects.filter(signalement=dossier, compte=compte, admis=False).exists()
        return "ne lit pas le dossier" if est_ecarte else "jamais vérifié"
