"""Descriptions of the OpenAPI document for names with one meaning everywhere: path variables and fields."""

from typing import Any

from django.utils.translation import gettext_lazy as _

# Variables of paths. An id that no row has, or that is none, is a 404.
VARIABLES: dict[str, Any] = {
    "alert_id": _("L'`id` d'une alerte : celui du signalement, ou le sien pour une alerte qui en a un."),
    "commentaire_id": _("L'`id` d'un commentaire de cette publication."),
    "compte_id": _("L'`id` d'un compte."),
    "discussion_id": _("L'`id` d'une discussion."),
    "echeance_id": _("L'`id` d'une des `echeances` du signalement."),
    "equipe_id": _("L'`id` d'une équipe."),
    "evenement_id": _("L'`id` d'un événement du calendrier."),
    "export_id": _("L'`exportId` d'un export."),
    "file_id": _("Le `fileId` d'un fichier."),
    "guestId": _("Le `guestId` d'une session invitée ; il en est le secret."),
    "homonyme_id": _("L'`id` d'un nom à vérifier."),
    "invitation_id": _("L'`invitationId` d'une invitation."),
    "membre_id": _("L'`id` d'un membre de cette équipe, qui est celui de son compte."),
    "modele_id": _("L'`id` d'une réponse type."),
    "nom": _("Un rôle, comme `GESTIONNAIRE`."),
    "orientation_id": _("L'`id` d'une orientation."),
    "participant_id": _("L'`id` d'une participation, que donne la liste des participants."),
    "poste_id": _("L'`id` d'une publication."),
    "reaction_id": _("L'`id` d'une réaction à cette publication."),
    "reference": _("La référence d'un de ses propres dossiers, en majuscules ou non."),
    "regle_id": _("L'`id` d'une règle de routage."),
    "resource_id": _("L'`id` d'une ressource de la bibliothèque."),
    "signalement_id": _("L'`id` d'un signalement."),
}


def decrit(schema: dict[str, Any], texte: Any) -> dict[str, Any]:
    """The schema with a description, its own where it has one; a reference is wrapped, or its siblings are ignored."""
    if "description" in schema:
        return schema
    return {"allOf": [schema], "description": texte} if "$ref" in schema else {**schema, "description": texte}
