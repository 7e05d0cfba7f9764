"""Lines of the history of a case, which its events are made of."""

from signalements.models import EntreeTimeline, Signalement
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import masquer_ecrits
from socle.moteur.ecritures import inserer


def noter(signalement: Signalement, type_: str, acteur: Acteur, **champs: str) -> EntreeTimeline:
    """Insert a line of the history, unannounced."""
    entree = EntreeTimeline(signalement=signalement, type=type_, **champs, **acteur.proprietaire)
    inserer(entree)
    return entree


def noter_un_motif(signalement: Signalement, type_: str, acteur: Acteur, contenu: str) -> EntreeTimeline:
    """`noter` what holds why, as somebody wrote it: a guest id in it is masked."""
    entree = EntreeTimeline(signalement=signalement, type=type_, contenu=contenu, **acteur.proprietaire)
    masquer_ecrits(entree)
    inserer(entree)
    return entree
