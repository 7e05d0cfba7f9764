"""Teams of the demonstration: two that its managers share out, one that both are of, their cases and their rules."""

from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from accounts.services.comptes import modifier_preferences
from demo.scene import cle
from demo.textes import AUTRE_GESTIONNAIRE, GESTIONNAIRE, RECITS, Personne
from equipes.models import Equipe, MembreDEquipe, RegleDeRoutage
from signalements.compteurs.suivi import suivre
from signalements.lecteurs import Acces, poser
from signalements.models import Signalement


class EquipeDeDemonstration(NamedTuple):
    nom: str
    description: str
    membres: tuple[Personne, ...]
    types: tuple[str, ...]  # of the cases that it has
    recoit: tuple[str, ...] = ()  # of those that come to it


EQUIPES = (
    EquipeDeDemonstration(
        "Violences sexistes et sexuelles",
        "Deux personnes formées à l'écoute, tenues au secret. Elles ne font rien sans votre accord.",
        (GESTIONNAIRE, AUTRE_GESTIONNAIRE),
        ("AGRESSION_SEXUELLE", "VIOLENCE"),
        ("AGRESSION_SEXUELLE",),
    ),
    EquipeDeDemonstration(
        "Égalité et discriminations",
        "La référente égalité de l'université, seule à lire ce que vous lui écrivez.",
        (AUTRE_GESTIONNAIRE,),
        ("DISCRIMINATION",),
        ("DISCRIMINATION",),
    ),
    EquipeDeDemonstration("Vols et dégradations", "Sécurité des lieux et des biens.", (GESTIONNAIRE,), ()),
)


# Whoever reports may say that they are not to read it.
PARAISSENT = ((AUTRE_GESTIONNAIRE, "Référente égalité"), (GESTIONNAIRE, "Sécurité du campus"))


@transaction.atomic
def installer_equipes() -> int:
    """Define the teams where there is none yet, and give them the cases of their types; return how many teams.

    New cases of two types go to theirs. A case stays with all of the staff where whoever handles it is not of the team.
    """
    if Equipe.objects.exists():
        return 0
    gens = {compte.email: compte for compte in Compte.objects.filter(email__in=[p.email for p in _membres()])}
    for personne, fonction in PARAISSENT:
        if personne.email in gens:
            modifier_preferences(compte=gens[personne.email], parait_au_portail=True, fonction=fonction)
    cles = [cle("recit", numero) for numero, _recit in enumerate(RECITS)]
    for rang, une in enumerate(EQUIPES, 1):
        equipe = Equipe.objects.create(nom=une.nom, description=une.description)
        membres = [gens[personne.email] for personne in une.membres if personne.email in gens]
        maintenant = timezone.now()
        MembreDEquipe.objects.bulk_create(
            MembreDEquipe(equipe=equipe, compte=compte, accepte_le=maintenant) for compte in membres
        )
        if une.recoit:
            RegleDeRoutage.objects.create(equipe=equipe, types=list(une.recoit), ordre=10 * rang, active=True)
        for dossier in Signalement.objects.vivants().filter(pk__in=cles, type__in=une.types).order_by("pk"):
            if dossier.gestionnaire in (None, *membres):
                with suivre(dossier):
                    poser(dossier, Acces.pour((), (), equipe.pk), None)
                    dossier.save()
    return len(EQUIPES)


def _membres() -> set[Personne]:
    return {personne for une in EQUIPES for personne in une.membres}
