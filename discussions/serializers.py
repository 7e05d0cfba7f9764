from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from discussions.models import Discussion, Message
from discussions.vocabulaire import APERCU, TYPES_CONNUS
from signalements.models import Signalement
from socle.api.champs import Booleen, Identifiant, PiecesJointes, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation
from socle.api.serializers import ChampDate, Regard, SortieAvecActeur, SortieSimple
from socle.domaine.langue import en_francais
from socle.moteur.sorties import rendre_un


class DiscussionCreate(Creation):
    titre = Texte()
    signalement_id = Identifiant(required=False)


class MessageCreate(Creation):
    """`regard.ids` are those by which the discussion may be named: its own, and the one of the path."""

    discussion_id = Identifiant(required=False, help_text="Celui du chemin, si on l'envoie.")
    contenu = TexteLong(required=False, allow_blank=True, help_text="Requis, sauf avec une pièce jointe.")
    type = Vocabulaire("type_message", connues=TYPES_CONNUS, required=False)
    pieces_jointes = PiecesJointes()
    retour = Booleen(
        required=False,
        help_text="Équipe seule : ce message est le retour sur les suites ; il tient la date promise pour lui.",
    )

    def validate_discussionId(self, valeur: UUID) -> UUID:
        if valeur not in self.regard.ids:
            raise serializers.ValidationError(_("Ce n'est pas la discussion du chemin."), code="invalid")
        return valeur

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs.pop("discussion_id", None)
        if not attrs.get("contenu") and not attrs.get("pieces_jointes"):
            champ = self.fields["contenu"]
            raise serializers.ValidationError({"contenu": champ.error_messages["required"]}, code="required")
        return attrs


class Resume(SortieSimple):
    """The summary of a discussion; the text of its latest message is cut."""

    nombre_messages = serializers.IntegerField(source="dernier_numero")
    dernier_message = serializers.SerializerMethodField()
    date_dernier_message = ChampDate(source="dernier_message.date_creation", allow_null=True, default=None)

    def get_dernier_message(self, discussion: Discussion) -> str | None:
        message = discussion.dernier_message
        if message is None:
            return None
        texte: str = message.contenu
        return texte if len(texte) <= APERCU else f"{texte[: APERCU - 1]}…"


class DiscussionDetail(SortieAvecActeur):
    """A discussion as its viewer may see it; `vu_par` None is the form for others, as in events."""

    signalement_id = serializers.UUIDField(allow_null=True)
    signalement_reference = serializers.CharField(source="signalement.reference", allow_null=True, default=None)
    resume = Resume(source="*")
    has_unread_updates = serializers.BooleanField()
    messages_non_lus_count = serializers.IntegerField()

    class Meta:
        model = Discussion
        fields = (
            "id",
            "titre",
            "signalement_id",
            "signalement_reference",
            "resume",
            "has_unread_updates",
            "messages_non_lus_count",
            "source_acteur",
            "acteur_id",
            "est_fusionne",
            "date_creation",
            "date_modification",
        )

    def dossier_de(self, ligne: Discussion) -> Signalement | None:
        return ligne.signalement

    def to_representation(self, instance: Discussion) -> Any:
        rendu = super().to_representation(instance)
        if self.regard.evenement:
            del rendu["hasUnreadUpdates"], rendu["messagesNonLusCount"]
        return rendu


class MessageDetail(SortieAvecActeur):
    """A message, as the report of its discussion lets it be seen."""

    discussion_id = serializers.UUIDField()
    auteur_id = serializers.SerializerMethodField(method_name="get_acteur_id")
    auteur_nom = serializers.SerializerMethodField()
    pieces_jointes = serializers.ListField(child=serializers.UUIDField())

    class Meta:
        model = Message
        fields = (
            "id",
            "discussion_id",
            "contenu",
            "auteur_id",
            "auteur_nom",
            "type",
            "est_lu",
            "numero_sequence",
            "pieces_jointes",
            "source_acteur",
            "acteur_id",
            "est_fusionne",
            "date_creation",
        )

    def dossier_de(self, ligne: Message) -> Signalement | None:
        return ligne.discussion.signalement

    def get_auteur_nom(self, message: Message) -> str:
        return self.visage_de(message).nom


def discussion_pour_autrui(discussion: Discussion) -> dict[str, Any]:
    return rendre_un(DiscussionDetail, discussion, Regard(evenement=True).contexte)


def message_pour_autrui(message: Message) -> dict[str, Any]:
    with en_francais():
        return rendre_un(MessageDetail, message, Regard(evenement=True).contexte)
