"""Descriptions of the OpenAPI document for names with one meaning everywhere: path variables and fields."""

from typing import Any

from django.utils.text import format_lazy
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
# Fields of components, by wire name, for the forms that say nothing of their own.
CHAMPS: dict[str, Any] = {
    "dateCreation": _("Quand ce fut créé, en UTC."),
    "dateModification": _("Le dernier changement, en UTC."),
    "guestId": _("L'identifiant de la session invitée ; il ouvre ses dossiers, gardez-le secret."),
    "hasUnreadUpdates": _("true : il reste des messages que l'appelant n'a pas lus."),
    "id": _("Un UUID, que rien ne change."),
    "messagesNonLusCount": _(
        "Combien de messages d'autrui l'appelant n'a pas lus ; pour l'équipe, depuis qu'il en est."
    ),
    "piecesJointes": _("Les `fileId` des fichiers joints."),
    "reference": _("La référence du signalement, comme SIG-2026-7K3M9QXT."),
    "signalementId": _("L'`id` du signalement."),
    "statutCanonique": _("Ce que vaut `statut` dans le vocabulaire commun aux dossiers et aux événements."),
}
# Help texts that forms of several apps share.
BUREAU = _("Le bureau concerné, dans un annuaire tenu ailleurs : un texte libre, que lisent les règles de routage.")
NOM = _("Le nom de famille de la personne.")
PRENOM = _("Le prénom de la personne.")
SON_COMPTE = _("L'`id` du compte de cette personne.")


def aides(**textes: Any) -> dict[str, dict[str, Any]]:
    """`extra_kwargs` of a `ModelSerializer`: the help texts of fields that it takes from its model."""
    return {nom: {"help_text": texte} for nom, texte in textes.items()}


def phrases(*textes: Any) -> Any:
    """Lazy concatenation, a space between: what several operations say stays one text for its translators."""
    return format_lazy(" ".join(["{}"] * len(textes)), *textes)


def decrit(schema: dict[str, Any], texte: Any) -> dict[str, Any]:
    """The schema with a description, its own where it has one; a reference is wrapped, or its siblings are ignored."""
    if "description" in schema:
        return schema
    return {"allOf": [schema], "description": texte} if "$ref" in schema else {**schema, "description": texte}
