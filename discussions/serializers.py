from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from discussions.models import Discussion, Message
from discussions.vocabulaire import APERCU, TYPES_CONNUS
from signalements.models import Signalement
from socle.api.champs import Booleen, Identifiant, PiecesJointes, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation
from socle.api.mots import aides
from socle.api.serializers import ChampDate, SortieAvecActeur, SortieSimple
from socle.domaine.langue import en_francais
from socle.moteur.sorties import rendre_un


class DiscussionCreate(Creation):
    titre = Texte(help_text=_("Ce dont on veut parler, en une ligne."))
    signalement_id = Identifiant(required=False, help_text=_("Le signalement dont on parle ; absent : aucun."))


class MessageCreate(Creation):
    """`regard.ids` are those by which the discussion may be named: its own, and the one of the path."""

    discussion_id = Identifiant(required=False, help_text=_("Celui du chemin, si on l'envoie."))
    contenu = TexteLong(required=False, allow_blank=True, help_text=_("Requis, sauf avec une pièce jointe."))
    type = Vocabulaire("type_message", connues=TYPES_CONNUS, required=False)
    pieces_jointes = PiecesJointes()
    retour = Booleen(
        required=False,
        help_text=_("Équipe seule : ce message est le retour sur les suites ; il tient la date promise pour lui."),
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

    nombre_messages = serializers.IntegerField(
        source="dernier_numero", help_text=_("Combien de messages ont été écrits.")
    )
    dernier_message = serializers.SerializerMethodField(
        help_text=_("Le début du dernier message, 200 caractères au plus ; null sans message.")
    )
    date_dernier_message = ChampDate(
        source="dernier_message.date_creation",
        allow_null=True,
        default=None,
        help_text=_("Quand le dernier message fut écrit, en UTC ; null sans message."),
    )

    def get_dernier_message(self, discussion: Discussion) -> str | None:
        message = discussion.dernier_message
        if message is None:
            return None
        texte: str = message.contenu
        return texte if len(texte) <= APERCU else f"{texte[: APERCU - 1]}…"


DE_QUI_LIT = ("has_unread_updates", "messages_non_lus_count")


class DiscussionDetail(SortieAvecActeur):
    """A discussion as its viewer may see it; `vu_par` None is the form for others, as in events."""

    signalement_id = serializers.UUIDField(
        allow_null=True, help_text=_("Le signalement à qui elle est liée ; null : aucun.")
    )
    signalement_reference = serializers.CharField(
        source="signalement.reference",
        allow_null=True,
        default=None,
        help_text=_("La référence de ce signalement ; null : aucun."),
    )
    resume = Resume(source="*", help_text=_("Combien de messages, et le dernier."))
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
        extra_kwargs = aides(
            titre=_("Ce dont elle parle, en une ligne."),
            date_modification=_("Sa dernière activité, en UTC."),
        )

    def dossier_de(self, ligne: Discussion) -> Signalement | None:
        return ligne.signalement


class DiscussionEvenement(DiscussionDetail):
    """A discussion as events tell it, without what depends on who reads."""

    class Meta:
        model = Discussion
        fields = tuple(nom for nom in DiscussionDetail.Meta.fields if nom not in DE_QUI_LIT)
        extra_kwargs = DiscussionDetail.Meta.extra_kwargs


class MessageDetail(SortieAvecActeur):
    """A message, as the report of its discussion lets it be seen."""

    discussion_id = serializers.UUIDField(help_text=_("La discussion où il est ; une fusion peut la changer."))
    auteur_id = serializers.SerializerMethodField(method_name="get_acteur_id", help_text=_("Le même que `acteurId`."))
    auteur_nom = serializers.SerializerMethodField(
        help_text=_("Le nom de qui l'a écrit ; « Anonyme » ou « Invité » pour autrui, quand il ne se montre pas.")
    )
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
        extra_kwargs = aides(
            contenu=_("Le texte du message ; null s'il n'a que des pièces jointes."),
            type=_("USER, ou ce que le client a donné à la création."),
            est_lu=_("true : quelqu'un d'autre que son auteur l'a lu."),
            numero_sequence=_("Son rang dans la discussion, à partir de 1, sans trou ; une fusion renumérote."),
        )

    def dossier_de(self, ligne: Message) -> Signalement | None:
        return ligne.discussion.signalement

    def get_auteur_nom(self, message: Message) -> str:
        return self.visage_de(message).nom


class MessageLuEvenement(SortieSimple):
    message_id = serializers.UUIDField(help_text=_("Le message qui vient d'être lu."))
    est_lu = serializers.BooleanField(help_text=_("Toujours `true`."))


def discussion_pour_autrui(discussion: Discussion) -> dict[str, Any]:
    return rendre_un(DiscussionEvenement, discussion)


def message_pour_autrui(message: Message) -> dict[str, Any]:
    with en_francais():
        return rendre_un(MessageDetail, message)
