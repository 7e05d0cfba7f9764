"""manage.py homonymes: live cases that name an active member of the staff as their presumed author."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts.models import Compte
from homonymes.lectures import dossiers_qui_nomment, nomme
from homonymes.models import Homonyme
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
        trouves, apres = 0, None
        while cles := dossiers_qui_nomment(compte, apres):
            apres = cles[-1]
            for dossier in Signalement.objects.filter(pk__in=cles).only("reference", "auteur_presume").order_by("pk"):
                if nomme(dossier, compte):
                    trouves += 1
                    self.stdout.write(f"{dossier.reference}  {compte.nom_complet}  {self._etat(dossier, compte)}")
        return trouves

    def _etat(self, dossier: Signalement, compte: Compte) -> str:
        if (dit := Homonyme.objects.filter(signalement=dossier, compte=compte).first()) is not None:
            return str(dit.get_decision_display())
        est_ecarte = RegleDeLecture.objects.filter(signalement=dossier, compte=compte, admis=False).exists()
        return "ne lit pas le dossier" if est_ecarte else "jamais vérifié"
