from rest_framework import serializers

from config.api.champs import Telephone, Texte
from config.api.serializers import ChampDate, Creation, Sortie
from guests.models import SessionInvitee
from signalements.models import Signalement
from signalements.serializers import EntreeDetail, SignalementDetail
from signalements.vocabulaire import StatutCanonique


class SessionCreate(Creation):
    telephone = Telephone()
    device_fingerprint = Texte(required=False, allow_blank=True, max_length=1024)


class TelephoneUpdate(Creation):
    telephone = Telephone()


class SessionOuverte(Sortie):
    guest_id = serializers.UUIDField()
    created_at = ChampDate(source="date_creation")

    class Meta:
        model = SessionInvitee
        fields = ("guest_id", "statut", "created_at")


class SessionDetail(Sortie):
    guest_id = serializers.UUIDField()
    telephone_masked = serializers.CharField(
        source="telephone_masque", help_text="Indicatif et deux derniers chiffres : +243*******21."
    )
    last_seen_at = ChampDate(source="date_derniere_activite")

    class Meta:
        model = SessionInvitee
        fields = ("guest_id", "statut", "telephone_masked", "last_seen_at")


class TelephoneChange(Sortie):
    guest_id = serializers.UUIDField()
    telephone_masked = serializers.CharField(
        source="telephone_masque", help_text="Indicatif et deux derniers chiffres : +243*******21."
    )
    updated_at = ChampDate(source="date_modification")

    class Meta:
        model = SessionInvitee
        fields = ("guest_id", "telephone_masked", "updated_at")


CHAMPS_SUIVI = (
    "reference",
    "signalement_id",
    "titre",
    "type",
    "statut",
    "statut_canonique",
    "date_creation",
    "date_modification",
    "has_unread_updates",
    "messages_non_lus_count",
    "discussion_ids",
)


class SuiviResume(Sortie):
    """A case as its guest follows it: nothing of staff's."""

    signalement_id = serializers.UUIDField(source="id")
    statut_canonique = serializers.ChoiceField(choices=StatutCanonique.choices)
    has_unread_updates = serializers.BooleanField()
    messages_non_lus_count = serializers.IntegerField()
    discussion_ids = serializers.SerializerMethodField()

    class Meta:
        model = Signalement
        fields = CHAMPS_SUIVI

    def get_discussion_ids(self, signalement: Signalement) -> list[str]:
        return []


class SuiviDetail(SuiviResume):
    signalement = SignalementDetail(source="*")
    timeline = serializers.SerializerMethodField()
    discussions = serializers.SerializerMethodField()

    class Meta:
        model = Signalement
        fields = (*CHAMPS_SUIVI, "signalement", "timeline", "discussions")

    def get_timeline(self, signalement: Signalement) -> EntreeDetail(many=True):  # type: ignore[valid-type]
        entrees = signalement.timeline.pour_lecture(pour_l_equipe=False)
        return EntreeDetail(entrees, many=True, context={**self.context, "dossier": signalement}).data

    def get_discussions(self, signalement: Signalement) -> list[dict[str, str]]:
        return []
