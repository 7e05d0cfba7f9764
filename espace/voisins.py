"""Place of a case in the list that its page was opened from: the one before it, the one after, « 2 sur 12 »."""

from typing import Any, NamedTuple
from uuid import UUID

from django.http import QueryDict

from espace.demandes import Demande, rang_dit
from espace.selections import Selections
from espace.triage import D_UN_RANG, grouper
from espace.vocabulaire import APRES_CLOTURE, TAILLE, TITRES, VOISINS_MAX
from signalements.filters import filtrer_pour
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur
from socle.erreurs import ChampsInvalides


class Voisins(NamedTuple):
    """A place in a list; `rang` from 1, None for a case that is not, or no more, among its first `VOISINS_MAX`."""

    titre: Any  # of the list
    adresse: str  # its query
    suite: str  # the query of a case's page that was opened from it
    rang: int | None
    sur: int
    est_coupee: bool
    precedent: UUID | None
    suivant: UUID | None


def voisins(acteur: Acteur, question: QueryDict, dossier: Signalement) -> Voisins | None:
    """Find the place of a case in the list that this address names; None where it names none.

    A case that has left its list meanwhile leads to the one that has its place now.
    """
    if "vue" not in question:
        return None
    demande = Demande.lue_dans(question)
    cles, est_coupee = _cles(acteur, demande._replace(reprise=None))
    est_la = dossier.pk in cles
    rang = cles.index(dossier.pk) + 1 if est_la else rang_dit(question, "rang")  # that of its opening
    suivants = cles[rang:] if est_la else cles[max(rang - 1, 0) :]
    return Voisins(
        titre=TITRES[demande.vue],
        adresse=demande.adresse,
        suite=f"{demande.adresse}&rang={rang}",
        rang=rang if est_la else None,
        sur=len(cles),
        est_coupee=est_coupee,
        precedent=cles[rang - 2] if 1 < rang <= len(cles) + 1 else None,
        suivant=suivants[0] if rang and suivants else None,
    )


def _cles(acteur: Acteur, demande: Demande) -> tuple[list[UUID], bool]:
    """The cases of a list in its order, the first `VOISINS_MAX`, by their keys; True where it may hold more."""
    selections = Selections(acteur, Signalement.objects.only(*D_UN_RANG))
    if demande.est_triee:
        groupes = grouper(acteur, demande.vue, selections.non_lus, en_bref=True)
        return [un.pk for groupe in groupes for un in groupe.dossiers], any(groupe.est_plein for groupe in groupes)
    try:
        lignes = filtrer_pour(acteur, selections.lignes(demande.vue), demande.donnes)
    except ChampsInvalides:
        return [], False
    signe = "" if demande.croissant else "-"
    cles: list[UUID] = []
    if demande.vue in APRES_CLOTURE and not demande.donnes:
        cles += [un.pk for un in selections.apres_cloture(demande.vue)[:TAILLE]]
    for tranche in demande.tranches(lignes):
        dans_l_ordre = tranche.order_by(f"{signe}{demande.champ}", f"{signe}id").values_list("pk", flat=True)
        cles += dans_l_ordre[: VOISINS_MAX - len(cles)]
    return cles, len(cles) == VOISINS_MAX
