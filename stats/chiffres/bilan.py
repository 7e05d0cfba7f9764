"""The figures of the team's dashboard: what the routes of statistics answer this reader, read together."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from accounts.models import Compte
from signalements.models import Signalement
from signalements.vocabulaire import RESOLUS, Axe
from socle.domaine.acteurs import Acteur
from stats.chiffres.delais import delais
from stats.chiffres.series import aujourd_hui, par_periode
from stats.chiffres.sources import DeTous, Filtre
from stats.chiffres.tableau import categories, equipe, exiger_une_part_montree, statistiques
from stats.vocabulaire import Pas

PLUS_LONGUES_ATTENTES = 10
JOURS_MAX, SEMAINES_MAX = 31, 54  # of a drawing by day, by week


@dataclass(frozen=True)
class Periode:
    """A day, a week or a month by its first day; `delai` is the mean time to resolution, in hours, of its resolved."""

    date: date
    recus: int = 0
    resolus: int = 0
    delai: float | None = None


@dataclass(frozen=True)
class Attente:
    """An open case as the whole team may see it: neither its author nor who handles it."""

    id: UUID
    titre: str
    statut: str
    date_creation: datetime
    est_la_sienne: bool


@dataclass(frozen=True)
class Charge:
    """Open cases of one person, without the reader's own; `en_fonction`: of the team, still."""

    id: UUID
    nom: str
    ouverts: int
    en_fonction: bool


@dataclass(frozen=True)
class Bilan:
    """`chiffres`, `par_type`, `evolution` are of the reports that the filter admits; the others of all, at present."""

    chiffres: dict[str, Any]  # of `statistiques`
    par_type: dict[str, int]  # of `categories`: rare ones grouped where the operator wants it
    pas: Pas
    evolution: list[Periode]
    delais: list[dict[str, Any]]  # of `delais`: of the days promised in the period
    sans_debut: bool  # `evolution` is then of the last weeks alone
    ouverts: int
    sans_personne: int
    charges: list[Charge]
    attentes: list[Attente]


def lire(acteur: Acteur, filtre: Filtre) -> Bilan:
    """Read all of it, in a number of statements that does not grow; ChampsInvalides (422) as the routes."""
    source, pas = DeTous(acteur), pas_de(filtre)
    exiger_une_part_montree(acteur, filtre)
    recus = par_periode(source, Axe.JOUR, pas, filtre)
    resolus = par_periode(source, Axe.RESOLUTION, pas, filtre)
    en_tout = source.lire(Axe.TOUT, "statut", filtre=Filtre())
    ouverts = sum(mesures.nombre for (statut,), mesures in en_tout.items() if statut not in RESOLUS)
    siens = Signalement.objects.vivants().de(acteur).ouverts().order_by().count()
    charges = _charges(acteur)
    return Bilan(
        chiffres=statistiques(acteur, filtre),
        par_type={une["categorie"]: une["total"] for une in categories(acteur, filtre)},
        pas=pas,
        evolution=[
            Periode(jour, crees.nombre, finis.resolus, finis.heures)
            for (jour, crees), (_jour, finis) in zip(recus, resolus, strict=True)
        ],
        delais=delais(acteur, filtre),
        sans_debut=filtre.debut is None,
        ouverts=ouverts,
        # What nobody handles, less the reader's own: they may not learn whether somebody does. Never below 0 where a
        # case moved between two of these reads.
        sans_personne=max(ouverts - siens - sum(une.ouverts for une in charges), 0),
        charges=[une for une in charges if une.en_fonction or une.ouverts],
        attentes=_attentes(acteur),
    )


def pas_de(filtre: Filtre) -> Pas:
    """By day up to a month, by week up to a year or without a beginning, else by month."""
    if filtre.debut is None:
        return Pas.SEMAINE
    jours = ((filtre.fin or aujourd_hui()) - filtre.debut).days + 1
    if jours <= JOURS_MAX:
        return Pas.JOUR
    return Pas.SEMAINE if jours <= 7 * (SEMAINES_MAX - 1) else Pas.MOIS


def _charges(acteur: Acteur) -> list[Charge]:
    """The most charged first, then by name; who has left the team is last."""
    en_fonction = set(Compte.objects.equipe_active().order_by().values_list("pk", flat=True))
    charges = [
        Charge(
            id=une["gestionnaire_id"],
            nom=f"{une['prenom']} {une['nom']}".strip(),
            ouverts=une["en_cours"],
            en_fonction=une["gestionnaire_id"] in en_fonction,
        )
        for une in equipe(acteur)
    ]
    return sorted(charges, key=lambda une: (not une.en_fonction, -une.ouverts))  # equipe() goes by name


def _attentes(acteur: Acteur) -> list[Attente]:
    """The oldest open cases, the reader's own among them."""
    lignes = Signalement.objects.visibles_par(acteur).non_traites()
    lignes = lignes.only("titre", "statut", "date_creation", "compte_id", "invite_id")
    return [
        Attente(
            id=dossier.pk,
            titre=dossier.titre,
            statut=dossier.statut,
            date_creation=dossier.date_creation,
            est_la_sienne=acteur.possede(dossier),
        )
        for dossier in lignes[:PLUS_LONGUES_ATTENTES]
    ]
