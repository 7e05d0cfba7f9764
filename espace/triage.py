"""The work that waits for a person, in three groups: what cannot wait, what moved today, what has been silent longest.

The one place that decides which group a case is in. Each group is read by its own indexes, `TAILLE` cases at most.
"""

from datetime import date, datetime, timedelta
from enum import Enum, auto
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from espace.selections import Selections
from espace.vocabulaire import A_FAIRE, A_MOI, TAILLE
from signalements.models import Signalement
from signalements.querysets import RANG_D_URGENCE
from signalements.vocabulaire import JOURS_AVANT, Priorite, Statut
from socle.domaine.acteurs import Acteur
from socle.domaine.temps import jour_du_campus
from socle.moteur.conditions import Mot, ParmiCes
from socle.moteur.lectures import ensemble, preparee

CRITIQUE = Mot(Priorite.CRITICAL)  # written out, it finds the partial index
NEUF = timedelta(days=2)  # how long what nobody has begun is of today
PAS_COMMENCES = (Statut.NOUVEAU, Statut.ASSIGNE)
URGENCE = list(reversed(Priorite.values))
D_UN_RANG = ("date_creation", "date_modification", "gestionnaire", "priorite", "prochaine_echeance")


class Part(Enum):
    """Parts of a list, each read by one index: one's own cases and those that nobody has are apart."""

    APRES_CLOTURE = auto()
    CRITIQUES = auto()
    DATES = auto()
    DATES_DE_PERSONNE = auto()
    BOUGES = auto()
    RECUS = auto()
    RECUS_DE_PERSONNE = auto()
    CALMES = auto()
    CALMES_DE_PERSONNE = auto()


DE_DATE = (Part.DATES, Part.DATES_DE_PERSONNE)
DE_PERSONNE = (Part.DATES_DE_PERSONNE, Part.RECUS_DE_PERSONNE, Part.CALMES_DE_PERSONNE)  # in « À faire » alone


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


def grouper(acteur: Acteur, vue: str, non_lus: list[UUID], *, avec_dates: bool = True, en_bref: bool = False) -> Any:
    """Read the `Groupe`s of a list of `TRIEES`, in a number of statements that what they hold does not change.

    `non_lus`: the keys of the reports with unread messages. `avec_dates`: False where no case of anybody's has a date
    that is near or past. `en_bref`: only what tells the place of a case.
    """
    lus = _lire(acteur, vue, non_lus, avec_dates=avec_dates, en_bref=en_bref)
    apres = lus[Part.APRES_CLOTURE]
    dates = sorted((un for part in DE_DATE for un in lus[part]), key=lambda un: (un.prochaine_echeance, un.pk))[:TAILLE]
    tard, proches = [un for un in dates if un.est_en_retard], [un for un in dates if not un.est_en_retard]
    deja = {un.pk for un in dates}
    recus = sorted((*lus[Part.RECUS], *lus[Part.RECUS_DE_PERSONNE]), key=lambda un: (un.date_creation, un.pk))
    bouges = sorted((un for un in (*lus[Part.BOUGES], *recus) if un.pk not in deja), key=_urgence)
    calmes = sorted((*lus[Part.CALMES], *lus[Part.CALMES_DE_PERSONNE]), key=_sans_changement_depuis)[:TAILLE]
    return [
        Groupe(
            "tout-de-suite",
            _("Tout de suite"),
            _("critique, en retard, ou écrit après la clôture") if tard else _("critique, ou écrit après la clôture"),
            [*apres, *lus[Part.CRITIQUES], *tard][:TAILLE],
            frozenset(un.pk for un in apres),
        ),
        Groupe(
            "aujourd-hui",
            _("Aujourd'hui"),
            _("un message à lire, ou reçu ces deux jours"),
            [*proches, *bouges][:TAILLE],
        ),
        Groupe(
            "ensuite",
            _("Ensuite"),
            _("le plus longtemps sans changement d'abord"),
            [un for un in calmes if un.pk not in deja],
        ),
    ]


def _lire(acteur: Acteur, vue: str, non_lus: list[UUID], *, avec_dates: bool, en_bref: bool) -> dict[Part, list[Any]]:
    """The first `TAILLE` of each part, in its order; a part that this list does not have is empty."""
    jour, seuil = jour_du_campus() + JOURS_AVANT, timezone.now() - NEUF
    parts = [
        part for part in Part if (vue == A_FAIRE or part not in DE_PERSONNE) and (avec_dates or part not in DE_DATE)
    ]
    passages = [
        _part(acteur, part, vue == A_FAIRE, en_bref, non_lus, jour, seuil).quelques(0, TAILLE) for part in parts
    ]
    return {part: [] for part in Part} | dict(zip(parts, ensemble(*passages), strict=True))


@preparee
def _part(
    acteur: Acteur, part: Part, a_faire: bool, en_bref: bool, non_lus: list[UUID], jour: date, seuil: datetime
) -> QuerySet[Any]:
    """The cases of a part, the first to be seen first: dates up to `jour`, « received » since `seuil`."""
    selections = Selections(acteur, Signalement.objects.only(*D_UN_RANG) if en_bref else None, non_lus=non_lus)
    vue = A_FAIRE if a_faire else A_MOI
    if part is Part.APRES_CLOTURE:
        return selections.apres_cloture(vue)
    if part is Part.CRITIQUES:
        return selections.lignes(vue).filter(priorite=CRITIQUE).order_by("date_creation", "id")
    lus = ParmiCes(F("pk"), non_lus)
    if part is Part.BOUGES:
        bouges = selections.lignes(vue).exclude(priorite=CRITIQUE).filter(lus)
        return bouges.order_by(RANG_D_URGENCE, "date_modification", "id")
    siens, de_personne = selections.par_responsable()
    lignes = (de_personne if part in DE_PERSONNE else siens).exclude(priorite=CRITIQUE)
    if part in DE_DATE:
        return lignes.filter(prochaine_echeance__lte=jour).par_echeance()
    calmes, commence = lignes.exclude(lus), ~Q(statut__in=PAS_COMMENCES)
    if part is Part.RECUS:  # nothing changes before it is received: the first condition finds the index
        neufs = calmes.exclude(commence).filter(date_modification__gte=seuil, date_creation__gte=seuil)
        return neufs.order_by(RANG_D_URGENCE, "date_creation", "id")
    if part is Part.RECUS_DE_PERSONNE:
        return calmes.filter(date_creation__gte=seuil).order_by(RANG_D_URGENCE, "date_creation", "id")
    if part is Part.CALMES:
        return calmes.filter(commence | Q(date_creation__lt=seuil))
    return calmes.filter(date_creation__lt=seuil)


def _urgence(dossier: Any) -> int:
    """Rank of its priority, the most urgent first."""
    return URGENCE.index(dossier.priorite)


def _sans_changement_depuis(dossier: Any) -> tuple[Any, Any]:
    return (dossier.date_modification if dossier.gestionnaire_id else dossier.date_creation, dossier.pk)
