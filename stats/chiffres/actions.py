"""Quick actions of the dashboard, each with its right, its route and its count."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from signalements.compteurs.reserves import total_pour
from signalements.lectures import autres_alertes
from signalements.models import Signalement
from signalements.vocabulaire import ALERTES, RESOLUS, Axe
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.moteur.lectures import ensemble
from stats.chiffres.tableau import invitations_en_attente, postes_a_moderer

AUTRES_MAX = 10_000


class _Action(NamedTuple):
    id: str
    droit: Droit
    libelle: Any
    methode: str
    lien: str
    compter: Callable[[Acteur], int | None]


def actions_rapides(acteur: Acteur) -> list[dict[str, Any]]:
    """List the actions that the caller has the right to; `compteur` is null where nothing is counted."""
    return [
        {
            "id": action.id,
            "libelle": str(action.libelle),
            "methode": action.methode,
            "lien": action.lien.format(compte=acteur.compte.pk),
            "compteur": action.compter(acteur),
        }
        for action in _ACTIONS
        if acteur.peut(action.droit)
    ]


def _alertes(acteur: Acteur) -> int:
    """Count those of the statuses by the counters, the others up to AUTRES_MAX."""
    des_statuts = total_pour(acteur, axe=Axe.TOUT, statut__in=tuple(ALERTES)).nombre
    ((autres,),) = ensemble(autres_alertes(acteur).combien(AUTRES_MAX))
    return des_statuts + int(autres)


def _non_traites(acteur: Acteur) -> int:
    tous = total_pour(acteur, axe=Axe.TOUT)
    return tous.nombre - tous.resolus


def _les_siens(acteur: Acteur) -> int:
    """Count open cases entrusted to the caller, less those they filed: they may not learn who handles these."""
    charge = total_pour(acteur, axe=Axe.GESTIONNAIRE, gestionnaire=str(acteur.compte.pk))
    personnels = Signalement.objects.vivants().de(acteur).filter(gestionnaire=acteur.compte)
    return charge.nombre - charge.resolus - personnels.exclude(statut__in=RESOLUS).order_by().count()


def _aucun(acteur: Acteur) -> None:
    return None


_ACTIONS = (
    _Action(
        "alertes",
        Droit.STATS_ECARTER_ALERTES,
        _("Voir ce qui attend une réponse"),
        "GET",
        "/api/v1/stats/dashboard/alerts",
        _alertes,
    ),
    _Action(
        "signalements-non-traites",
        Droit.SIGNALEMENTS_CONSULTER_TOUS,
        _("Traiter les signalements ouverts"),
        "GET",
        "/api/v1/signalements/non-traites",
        _non_traites,
    ),
    _Action(
        "mes-dossiers",
        Droit.SIGNALEMENTS_CONSULTER_TOUS,
        _("Reprendre mes dossiers"),
        "GET",
        "/api/v1/signalements/non-traites?gestionnaireId={compte}",
        _les_siens,
    ),
    _Action(
        "postes-a-moderer",
        Droit.FORUM_MODERER,
        _("Modérer les publications"),
        "GET",
        "/api/v1/postes/?statut=NOUVEAU",
        lambda acteur: postes_a_moderer(),
    ),
    _Action(
        "export",
        Droit.STATS_EXPORTER,
        _("Exporter les signalements"),
        "POST",
        "/api/v1/stats/signalements/export",
        _aucun,
    ),
    _Action(
        "invitations-en-attente",
        Droit.INVITATIONS_GERER,
        _("Suivre les invitations"),
        "GET",
        "/api/v1/comptes/invitations?statut=PENDING",
        lambda acteur: invitations_en_attente(),
    ),
    _Action(
        "inviter",
        Droit.INVITATIONS_GERER,
        _("Inviter un collègue"),
        "POST",
        "/api/v1/comptes/invitations",
        _aucun,
    ),
)
