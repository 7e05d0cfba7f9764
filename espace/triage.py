"""The work that waits for a person, in three groups: what cannot wait, what moved today, what has been silent longest.

The one place that decides which group a case is in. Each group is read by its own indexes, `TAILLE` cases at most.
"""

from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from espace.selections import Selections
from espace.vocabulaire import A_FAIRE, TAILLE
from signalements.querysets import RANG_D_URGENCE
from signalements.vocabulaire import JOURS_AVANT, Priorite
from socle.domaine.temps import jour_du_campus
from socle.moteur.conditions import Mot, ParmiCes

CRITIQUE = Mot(Priorite.CRITICAL)  # written out, it finds the partial index
NEUF = timedelta(days=2)  # how long what nobody has taken is of today
URGENCE = list(reversed(Priorite.values))


class Groupe(NamedTuple):
    """Cases of one urgency, the first to be seen first; `est_plein` where it may hold more than are read."""

    nom: str
    titre: Any
    precision: Any
    dossiers: list[Any]
    ecrits_apres: frozenset[UUID] = frozenset()  # keys of the ended ones, whose author has written since

    @property
    def est_plein(self) -> bool:
        return len(self.dossiers) >= TAILLE


def grouper(selections: Selections, vue: str, *, avec_dates: bool = True) -> list[Groupe]:
    """Read the groups of a list of `TRIEES`, in a number of statements that what they hold does not change.

    `avec_dates`: False where no case of anybody's has a date that is near or past.
    """
    apres = list(selections.apres_cloture(vue)[:TAILLE])
    ouverts = selections.lignes(vue)
    critiques = list(ouverts.filter(priorite=CRITIQUE).order_by("date_creation", "id")[: TAILLE - len(apres)])
    tard, proches = _par_date(selections, vue) if avec_dates else ([], [])
    deja = {un.pk for un in (*tard, *proches)}
    non_lus = ParmiCes(F("pk"), selections.non_lus)
    bouges = ouverts.filter(non_lus).exclude(priorite=CRITIQUE).order_by(RANG_D_URGENCE, "date_modification", "id")
    seuil = timezone.now() - NEUF
    calmes = [siens.exclude(priorite=CRITIQUE).exclude(non_lus) for siens in selections.par_responsable(vue)]
    recus = []
    if vue == A_FAIRE:  # its last slice is what nobody has
        *calmes, libres = calmes
        recus = list(libres.filter(date_creation__gte=seuil).order_by(RANG_D_URGENCE, "date_creation", "id")[:TAILLE])
        calmes.append(libres.filter(date_creation__lt=seuil))
    return [
        Groupe(
            "tout-de-suite",
            _("Tout de suite"),
            _("critique, en retard, ou écrit après la clôture") if tard else _("critique, ou écrit après la clôture"),
            [*apres, *critiques, *tard][:TAILLE],
            frozenset(un.pk for un in apres),
        ),
        Groupe(
            "aujourd-hui",
            _("Aujourd'hui"),
            _("un message à lire, ou reçu ces deux jours") if vue == A_FAIRE else _("un message à lire"),
            [*proches, *sorted((un for un in (*bouges[:TAILLE], *recus) if un.pk not in deja), key=_urgence)][:TAILLE],
        ),
        Groupe(
            "ensuite",
            _("Ensuite"),
            _("le plus longtemps sans changement d'abord"),
            [un for un in _plus_anciens(calmes) if un.pk not in deja],
        ),
    ]


def _par_date(selections: Selections, vue: str) -> tuple[list[Any], list[Any]]:
    """The open cases with a promised day that is past, and those where it is near, critical ones aside."""
    d_ici, dates = jour_du_campus() + JOURS_AVANT, []
    for tranche in selections.par_responsable(vue):
        dates += tranche.filter(prochaine_echeance__lte=d_ici).exclude(priorite=CRITIQUE).par_echeance()[:TAILLE]
    dates = sorted(dates, key=lambda un: (un.prochaine_echeance, un.pk))[:TAILLE]
    return [un for un in dates if un.est_en_retard], [un for un in dates if not un.est_en_retard]


def _urgence(dossier: Any) -> int:
    """Rank among those of today: the order that each half was read in stands within one rank."""
    return URGENCE.index(dossier.priorite)


def _plus_anciens(tranches: list[Any]) -> list[Any]:
    """The first of several disjoint querysets together, each read in its own order, that of an index."""
    lus = [un for tranche in tranches for un in tranche[:TAILLE]]
    return sorted(lus, key=_sans_changement_depuis)[:TAILLE]


def _sans_changement_depuis(dossier: Any) -> tuple[Any, Any]:
    return (dossier.date_modification if dossier.gestionnaire_id else dossier.date_creation, dossier.pk)
