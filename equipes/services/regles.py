"""Acts on the rules that say which team a new case goes to; no case that is there moves."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import Compte
from equipes.en_vigueur import regles_actives
from equipes.erreurs import PlusDeRegles
from equipes.models import Equipe, MembreDEquipe, RegleDeRoutage
from equipes.signals import routage_change
from equipes.vocabulaire import ORDRE_MAX, REGLES_MAX
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.erreurs import ChampsInvalides
from socle.idempotence.creation import creation

PAS = 10  # between the orders of two rules, so that one may be put between them


@creation
def ajouter(*, acteur: Acteur, **champs: Any) -> RegleDeRoutage:
    """Insert a rule, last where no order is given, inactive unless it says otherwise; 409 past REGLES_MAX.

    422 for a team that is not active, and for a handler who does not read its cases.
    """
    _tenir_les_equipes()
    if RegleDeRoutage.objects.count() >= REGLES_MAX:
        raise PlusDeRegles
    if "ordre" not in champs:
        dernier = RegleDeRoutage.objects.aggregate(dernier=Max("ordre"))["dernier"] or 0
        champs["ordre"] = min(dernier + PAS, ORDRE_MAX)
    regle = RegleDeRoutage(**champs)
    _exiger_une_destination(regle)
    regle.save(force_insert=True)
    _annoncer(regle, acteur, "creee", {regle.equipe_id} if regle.active else ())
    return regle


@transaction.atomic
def modifier(*, regle: RegleDeRoutage, acteur: Acteur, **champs: Any) -> None:
    """Write the fields that differ, as `ajouter` judges them; told to the team it named and to the one it names."""
    _tenir_les_equipes()
    regle.verrouiller()
    changes = {nom: valeur for nom, valeur in champs.items() if getattr(regle, nom) != valeur}
    if not changes:
        return
    concernees = {regle.equipe_id} if regle.active else set()
    for nom, valeur in changes.items():
        setattr(regle, nom, valeur)
    _exiger_une_destination(regle)
    regle.enregistrer(*changes)
    concernees |= {regle.equipe_id} if regle.active else set()
    _annoncer(regle, acteur, "changee", concernees, champs=sorted(changes))


@transaction.atomic
def supprimer(*, regle: RegleDeRoutage, acteur: Acteur) -> None:
    _tenir_les_equipes()
    regle.verrouiller()
    cle = regle.pk
    regle.delete()  # which takes its key from it
    regle.pk = cle
    _annoncer(regle, acteur, "supprimee", {regle.equipe_id} if regle.active else ())


def _tenir_les_equipes() -> None:
    """Lock the teams, before any rule as whoever leaves one does: none ends, or loses a handler, while it is named."""
    verrouiller_dans_l_ordre(Equipe.objects.values_list("pk"))


def _exiger_une_destination(regle: RegleDeRoutage) -> None:
    equipe = Equipe.objects.filter(pk=regle.equipe_id).first()
    if equipe is None or not equipe.active:
        raise ChampsInvalides.pour(equipeId=_("Choisissez une équipe active."))
    if regle.gestionnaire_id is None:
        return
    lecteurs = Compte.objects.equipe_active().filter(pk__in=MembreDEquipe.objects.comptes_de(equipe.pk))
    if not lecteurs.filter(pk=regle.gestionnaire_id).exists():
        raise ChampsInvalides.pour(gestionnaireId=_("Choisissez une personne qui est de cette équipe."))


def _annoncer(
    regle: RegleDeRoutage, acteur: Acteur, quoi: str, equipes: Iterable[UUID], champs: list[str] | None = None
) -> None:
    """Into the register, and to the readers of these teams, whose new cases it decides."""
    regles_actives.oublier()
    details: dict[str, Any] = {"quoi": quoi, "regle": str(regle.pk)}
    if champs:
        details["champs"] = champs
    consigner(Acte.ROUTAGE_CHANGE, par=acteur, objet=regle.equipe_id, sorte=Sorte.EQUIPE, **details)
    for equipe in Equipe.objects.filter(pk__in=set(equipes)).order_by("pk"):
        routage_change.send(RegleDeRoutage, equipe=equipe, par=acteur.pk)
