from dataclasses import replace
from typing import Any
from uuid import UUID

from rest_framework import serializers

from discussions.models import Discussion
from discussions.serializers import DiscussionDetail
from guests.fusion.plan import Resolution
from guests.models import SessionInvitee
from guests.vocabulaire import DECISIONS, RESOLUTIONS_MAX, Politique
from signalements.models import Signalement
from signalements.serializers import EntreeDetail, SignalementDetail
from socle.api.champs import Choix, Identifiant, Telephone, Texte, TexteLong
from socle.api.formulaires import Creation
from socle.api.serializers import ChampDate, ConflitFusion, Sortie, SortieSimple
from socle.domaine.canonique import StatutCanonique
from socle.domaine.fusions import Action, Niveau
from socle.moteur.sorties import rendre_chacun


class SessionCreate(Creation):
    telephone = Telephone()
    device_fingerprint = Texte(required=False, allow_blank=True, max_length=1024, help_text="Accepté, et jamais gardé.")


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
        source="telephone_masque",
        allow_null=True,
        help_text="Indicatif et deux derniers chiffres : +243*******21 ; null sans numéro.",
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


class StatutSessionUpdate(Creation):
    statut = Choix(choices=DECISIONS)
    motif = TexteLong()


class SessionDuDossier(SortieSimple):
    signalement_id = serializers.UUIDField()
    statut = serializers.ChoiceField(choices=DECISIONS)


class ResolutionCreate(Creation):
    level = Choix(choices=Niveau.choices)
    guest_entity_id = Identifiant()
    target_entity_id = Identifiant()
    action = Choix(choices=Action.choices)


class FusionCreate(Creation):
    accept_policy = Choix(choices=Politique.choices, required=False, help_text="MERGE_SAFE par défaut.")
    resolutions = serializers.ListField(child=ResolutionCreate(), required=False, max_length=RESOLUTIONS_MAX)
    plan_digest = Texte(
        required=False, max_length=64, help_text="Celui de l'aperçu : refuse la fusion si les conflits ont changé."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        lues = [
            Resolution(rang, Niveau(r["level"]), r["guest_entity_id"], r["target_entity_id"], Action(r["action"]))
            for rang, r in enumerate(attrs.get("resolutions", ()))
        ]
        return {"accept_policy": Politique.MERGE_SAFE, **attrs, "resolutions": lues}


class Comptes(SortieSimple):
    signalements = serializers.IntegerField()
    discussions = serializers.IntegerField()
    messages = serializers.IntegerField()
    suivis = serializers.IntegerField(help_text="Entrées d'historique de l'invité.")


class DiscussionNommee(Sortie):
    class Meta:
        model = Discussion
        fields = ("id", "titre")


class SignalementNomme(DiscussionNommee):
    class Meta:
        model = Signalement
        fields = ("id", "reference", "titre")


class Nommes(SortieSimple):
    """Bounded lists, the newest first, with their exact lengths."""

    signalements = SignalementNomme(many=True)
    discussions = DiscussionNommee(many=True)
    total_signalements = serializers.IntegerField()
    total_discussions = serializers.IntegerField()


class ApercuDetail(SortieSimple):
    guest_id = serializers.UUIDField()
    user_id = serializers.UUIDField()
    can_merge = serializers.BooleanField(help_text="La session est ACTIVE.")
    counts = Comptes()
    conflicts = ConflitFusion(many=True)
    conflicts_truncated = serializers.BooleanField(help_text="Il y a plus de conflits que `conflicts` n'en nomme.")
    plan_digest = serializers.CharField()
    porteront_votre_nom = Nommes(
        required=False,
        help_text="Absent sans jeton. Ce que l'équipe verra sous le nom du compte.",
    )

    def to_representation(self, instance: Any) -> Any:
        rendu = super().to_representation(instance)
        if rendu["porterontVotreNom"] is None:
            del rendu["porterontVotreNom"]
        return rendu


class FusionDetail(SortieSimple):
    merged = serializers.BooleanField()
    guest_id = serializers.UUIDField()
    user_id = serializers.UUIDField()
    migrated_counts = Comptes()
    merged_at = serializers.CharField()


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

    def get_discussion_ids(self, signalement: Signalement) -> list[UUID]:
        suivies: list[Discussion] = signalement.suivies  # type: ignore[attr-defined]  # of `discussions_suivies`
        return [discussion.pk for discussion in suivies]


class SuiviDetail(SuiviResume):
    signalement = SignalementDetail(source="*")
    timeline = serializers.SerializerMethodField()
    discussions = serializers.SerializerMethodField()

    class Meta:
        model = Signalement
        fields = (*CHAMPS_SUIVI, "signalement", "timeline", "discussions")

    def get_timeline(self, signalement: Signalement) -> EntreeDetail(many=True):  # type: ignore[valid-type]
        entrees = signalement.timeline.pour_lecture(pour_l_equipe=False)
        return rendre_chacun(EntreeDetail, entrees, replace(self.regard, dossier=signalement).contexte)

    def get_discussions(self, signalement: Signalement) -> DiscussionDetail(many=True):  # type: ignore[valid-type]
        discussions = Discussion.objects.pour_lecture(self.regard.acteur).filter(signalement=signalement)
        return rendre_chacun(DiscussionDetail, discussions, self.context)
