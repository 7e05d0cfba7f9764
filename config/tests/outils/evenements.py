"""Examples of events: each is sent by what sends it, and made the same each time."""

import json
from collections.abc import Callable
from typing import Any

from django.core.management import call_command
from django.core.serializers.json import DjangoJSONEncoder

from avis.entretien import dire_ce_qui_s_est_passe
from config.tests.outils.clients import acteur_de
from config.tests.outils.exemples import Neutre, a_part
from config.tests.outils.scene import HTTP, Ligne, Scene
from discussions import services as discussions
from forum import services as forum
from forum.tests import fabriques as publications
from socle.realtime.enveloppe import a_rafraichir, enveloppe, enveloppe_de_service
from socle.realtime.models import Evenement
from stats.models import Export
from stats.signals import export_termine

NUMERO = 12
# The request that sends each, as the first of the matrix whom the service lets in.
PAR_ROUTE = {
    "alert_created": "POST /api/v1/signalements/",
    "commentaire_created": "POST /api/v1/postes/{poste_id}/commentaires",
    "event_cancelled": "DELETE /api/v1/calendriers/{evenement_id}",
    "event_created": "POST /api/v1/calendriers/",
    "event_updated": "PUT /api/v1/calendriers/{evenement_id}",
    "message_created": "POST /api/v1/discussions/{discussion_id}/messages",
    "poste_created": "POST /api/v1/postes/",
    "reaction_created": "POST /api/v1/postes/{poste_id}/reactions",
    "reaction_removed": "DELETE /api/v1/postes/{poste_id}/reactions/{reaction_id}",
    "signalement_assigned": "PUT /api/v1/signalements/{signalement_id}/assigner",
    "signalement_created": "POST /api/v1/signalements/",
    "signalement_note_added": "POST /api/v1/signalements/{signalement_id}/notes",
    "signalement_statut_updated": "PUT /api/v1/signalements/{signalement_id}/statut",
    "signalement_timeline_updated": "PUT /api/v1/signalements/{signalement_id}/statut",
    "stats_updated": "PUT /api/v1/signalements/{signalement_id}/statut",
    "user_deactivated": "PUT /api/v1/comptes/{compte_id}/deactivate",
}


def _ouvrir(scene: Scene) -> None:
    dossier = scene.signalement_du_compte
    discussions.ouvrir(acteur=acteur_de(scene.user_owner), titre="Suite de ma demande", signalement_id=dossier.pk)


def _lire(scene: Scene) -> None:
    discussion = scene.discussion_du_compte
    discussions.ecrire(acteur=acteur_de(scene.user_owner), discussion=discussion, contenu="Bonjour")
    discussions.marquer_lus(acteur=acteur_de(scene.gestionnaire), discussion=discussion)


def _signaler_un_commentaire(scene: Scene) -> None:
    poste = scene.poste_du_compte
    assert scene.gestionnaire
    commentaire = publications.commentaire(acteur_de(scene.user_owner), poste)
    forum.demander_relecture(acteur=acteur_de(scene.user_stranger), poste=poste, commentaire=commentaire, motif="")


def _aviser(scene: Scene) -> None:
    assert scene.gestionnaire
    assert scene.signalement_du_compte
    dire_ce_qui_s_est_passe()


def _finir_un_export(scene: Scene) -> None:
    export_termine.send(Export, export=scene.export)


AUTREMENT: dict[str, Callable[[Scene], None]] = {
    "avis": _aviser,
    "discussion_created": _ouvrir,
    "export_ready": _finir_un_export,
    "message_read": _lire,
    "relecture_requested": _signaler_un_commentaire,
    "system_alert": lambda _scene: call_command("system_alert", "Le service s'arrête ce soir à 22 h."),
}
CANAL = "signalement:cfcd2084-95d5-45ef-a6e7-dff9f98764da"
DU_SOCKET: dict[str, Callable[[], dict[str, Any]]] = {
    "connected": lambda: enveloppe_de_service(
        "connected",
        CANAL,
        {"userId": "c4ca4238-a0b9-4382-8dcc-509a6f75849b", "canal": CANAL, "eventId": str(NUMERO)},
    ),
    "error": lambda: enveloppe_de_service(
        "error", CANAL, {"code": "INVALID_FRAME", "message": "Ce message n'est pas compris : seul « ping » l'est."}
    ),
    "refresh_required": lambda: a_rafraichir(CANAL, NUMERO),
}


def envoye(type_: str) -> dict[str, Any]:
    """An event of this type, sent in a world of its own, as who hears its channel reads it."""
    if type_ in DU_SOCKET:
        return dict(Neutre().rendre(DU_SOCKET[type_]()))
    with a_part():
        scene = Scene()
        if type_ in AUTREMENT:
            AUTREMENT[type_](scene)
        else:
            _demander(scene, PAR_ROUTE[type_])
        dit = Evenement.objects.filter(type=type_).exclude(canal="discussions").order_by("id")[0]
        dit.numero = NUMERO
        return dict(Neutre().rendre(json.loads(json.dumps(enveloppe(dit), cls=DjangoJSONEncoder))))


def _demander(scene: Scene, route: str) -> None:
    ligne: Ligne = next(un for un in HTTP if f"{un.methode} {un.chemin}" == route and un.attendu.startswith("2"))
    client, url = scene.client_de(ligne), scene.chemin(ligne)
    reponse = client.envoyer(
        ligne.methode,
        url,
        scene.corps(ligne.methode, ligne.chemin, ligne.acteur),
        headers=scene.entetes(ligne.methode, ligne.chemin),
    )
    assert reponse.status_code < 300, reponse.content
