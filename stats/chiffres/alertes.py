"""Choice of the alerts shown, where there are more than ALERTES_MAX, and their dismissal."""

from typing import Any

from signalements import services
from signalements.lectures import autres_alertes, derniers, en_alerte
from signalements.models import AlerteDeDossier, Signalement
from signalements.permissions import alerte_accessible, signalement_a_traiter
from signalements.vocabulaire import ALERTES, Priorite
from socle.domaine.acteurs import Acteur
from socle.moteur.lectures import ensemble
from stats.vocabulaire import ALERTES_MAX

PLACES_DES_DERNIERES = ALERTES_MAX // 2
URGENCES = tuple(reversed(Priorite))


def alertes(acteur: Acteur) -> tuple[list[Signalement], list[AlerteDeDossier]]:
    """The reports whose status raises one, then the others where they leave places; at most ALERTES_MAX together.

    Read at once, as many statements for one as for a thousand.
    """
    premieres, autres, *arrivees = ensemble(
        en_alerte(acteur).quelques(0, ALERTES_MAX),
        autres_alertes(acteur).quelques(0, ALERTES_MAX),
        # The latest of each status, by the index on it.
        *[derniers(acteur, statut).quelques(0, PLACES_DES_DERNIERES) for statut in ALERTES],
    )
    dossiers = _des_statuts(premieres, [une for lues in arrivees for une in lues])
    return dossiers, autres[: ALERTES_MAX - len(dossiers)]


def ecarter(acteur: Acteur, cle: str) -> Any:
    """Dismiss the alert of this id, through the doors; return the id."""
    if (alerte := alerte_accessible(acteur, cle)) is not None:
        services.ecarter_une_alerte(alerte=alerte, acteur=acteur)
        return alerte.pk
    dossier = signalement_a_traiter(acteur, cle)
    services.ecarter_alerte(signalement=dossier, acteur=acteur)
    return dossier.pk


def _des_statuts(premieres: list[Signalement], arrivees: list[Signalement]) -> list[Signalement]:
    """At most ALERTES_MAX reports by urgency, then age; past it, half the places go to the latest, however urgent.

    So a person who reports a hundred times fills one half alone, and a report of somebody else's is still seen. Nothing
    here reads whose a report is.
    """
    if len(premieres) < ALERTES_MAX:
        return premieres
    dernieres = sorted(arrivees, key=_arrivee, reverse=True)
    retenues = {une.pk: une for une in [*premieres[:PLACES_DES_DERNIERES], *dernieres[:PLACES_DES_DERNIERES]]}
    for une in premieres:  # fills the places that both halves share
        if len(retenues) < ALERTES_MAX:
            retenues.setdefault(une.pk, une)
    return sorted(retenues.values(), key=lambda une: (URGENCES.index(Priorite(une.priorite)), *_arrivee(une)))


def _arrivee(signalement: Signalement) -> Any:
    return signalement.date_creation, signalement.pk
