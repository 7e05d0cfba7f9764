from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from discussions.models import Discussion
from discussions.serializers import DiscussionDetail
from guests.fusion.plan import Resolution
from guests.models import SessionInvitee
from guests.vocabulaire import DECISIONS, RESOLUTIONS_MAX, Politique
from signalements.models import Signalement
from signalements.serializers import DU_DOSSIER, EntreeDetail, SignalementDetail
from socle.api.champs import Choix, Identifiant, Telephone, Texte, TexteLong
from socle.api.formulaires import Creation
from socle.api.mots import aides
from socle.api.serializers import ChampDate, ConflitFusion, Sortie, SortieSimple
from socle.domaine.canonique import StatutCanonique
from socle.domaine.fusions import Action, Niveau
from socle.moteur.sorties import rendre_chacun

DE_LA_DISCUSSION = _("Ce dont la discussion parle, en une ligne.")


class SessionCreate(Creation):
    telephone = Telephone()
    device_fingerprint = Texte(
        required=False, allow_blank=True, max_length=1024, help_text=_("Accepté, et jamais gardé.")
    )


class TelephoneUpdate(Creation):
    telephone = Telephone()


class SessionOuverte(Sortie):
    guest_id = serializers.UUIDField()
    created_at = ChampDate(source="date_creation", help_text=_("Quand la session fut ouverte, en UTC."))

    class Meta:
        model = SessionInvitee
        fields = ("guest_id", "statut", "created_at")
        extra_kwargs = aides(statut=_("Toujours ACTIVE."))


class SessionDetail(Sortie):
    guest_id = serializers.UUIDField()
    telephone_masked = serializers.CharField(
        source="telephone_masque",
        allow_null=True,
        help_text=_("Indicatif et deux derniers chiffres : +243*******21 ; null sans numéro."),
    )
    last_seen_at = ChampDate(
        source="date_derniere_activite", help_text=_("Sa dernière requête, à la minute près, en UTC.")
    )

    class Meta:
        model = SessionInvitee
        fields = ("guest_id", "statut", "telephone_masked", "last_seen_at")
        extra_kwargs = aides(
            statut=_(
                "ACTIVE ouvre ses dossiers ; MERGED : rattachée à un compte ; DISABLED : fermée par un administrateur."
            ),
        )


class TelephoneChange(Sortie):
    guest_id = serializers.UUIDField()
    telephone_masked = serializers.CharField(
        source="telephone_masque", help_text=_("Indicatif et deux derniers chiffres : +243*******21.")
    )
    updated_at = ChampDate(source="date_modification", help_text=_("Quand le numéro fut changé, en UTC."))

    class Meta:
        model = SessionInvitee
        fields = ("guest_id", "telephone_masked", "updated_at")


class StatutSessionUpdate(Creation):
    statut = Choix(choices=DECISIONS, help_text=_("DISABLED ferme la session invitée, ACTIVE la rouvre."))
    motif = TexteLong(help_text=_("Pourquoi ; gardé au journal de l'administration."))


class SessionDuDossier(SortieSimple):
    signalement_id = serializers.UUIDField()
    statut = serializers.ChoiceField(choices=DECISIONS, help_text=_("Ce qui vient d'être décidé."))


class ResolutionCreate(Creation):
    level = Choix(choices=Niveau.choices, help_text=_("Le `level` du conflit que l'on règle."))
    guest_entity_id = Identifiant(help_text=_("Le `guestEntityId` du conflit ; chaque élément de l'invité, une fois."))
    target_entity_id = Identifiant(help_text=_("Le `targetEntityId` du conflit."))
    action = Choix(
        choices=Action.choices,
        help_text=_("Une de ses `allowedActions` ; SKIP garde les deux, les autres celui du compte."),
    )


class FusionCreate(Creation):
    accept_policy = Choix(choices=Politique.choices, required=False, help_text=_("MERGE_SAFE par défaut."))
    resolutions = serializers.ListField(
        child=ResolutionCreate(),
        required=False,
        max_length=RESOLUTIONS_MAX,
        help_text=_("Ce que l'on décide de chaque conflit ; un conflit que l'aperçu ne nomme pas : 422."),
    )
    plan_digest = Texte(
        required=False, max_length=64, help_text=_("Celui de l'aperçu : refuse la fusion si les conflits ont changé.")
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        lues = [
            Resolution(rang, Niveau(r["level"]), r["guest_entity_id"], r["target_entity_id"], Action(r["action"]))
            for rang, r in enumerate(attrs.get("resolutions", ()))
        ]
        return {"accept_policy": Politique.MERGE_SAFE, **attrs, "resolutions": lues}


class Comptes(SortieSimple):
    signalements = serializers.IntegerField(help_text=_("Combien de signalements sont à l'invité."))
    discussions = serializers.IntegerField(help_text=_("Combien de discussions sont à l'invité."))
    messages = serializers.IntegerField(help_text=_("Combien de messages l'invité a écrits."))
    suivis = serializers.IntegerField(help_text=_("Entrées d'historique de l'invité."))


class DiscussionNommee(Sortie):
    class Meta:
        model = Discussion
        fields = ("id", "titre")
        extra_kwargs = aides(titre=DE_LA_DISCUSSION)


class SignalementNomme(DiscussionNommee):
    class Meta:
        model = Signalement
        fields = ("id", "reference", "titre")
        extra_kwargs = aides(titre=DU_DOSSIER["titre"])


class Nommes(SortieSimple):
    """Bounded lists, the newest first, with their exact lengths."""

    signalements = SignalementNomme(
        many=True, help_text=_("Les derniers signalements IDENTIFIE de la session, 100 au plus.")
    )
    discussions = DiscussionNommee(many=True, help_text=_("Ses dernières discussions sans signalement, 100 au plus."))
    total_signalements = serializers.IntegerField(
        help_text=_("Combien de signalements en tout, ceux que la liste ne nomme pas compris.")
    )
    total_discussions = serializers.IntegerField(
        help_text=_("Combien de discussions en tout, celles que la liste ne nomme pas comprises.")
    )


class ApercuDetail(SortieSimple):
    guest_id = serializers.UUIDField()
    user_id = serializers.UUIDField(
        help_text=_("Le compte du jeton ; sans jeton, le `userId` demandé, sans dire s'il existe.")
    )
    can_merge = serializers.BooleanField(help_text=_("La session est ACTIVE."))
    counts = Comptes(help_text=_("Ce que la session a, et que la fusion donnerait au compte."))
    conflicts = ConflitFusion(
        many=True, help_text=_("Ce qui est peut-être déjà dans le compte, une paire par entrée ; vide sans jeton.")
    )
    conflicts_truncated = serializers.BooleanField(help_text=_("Il y a plus de conflits que `conflicts` n'en nomme."))
    plan_digest = serializers.CharField(help_text=_("L'empreinte des conflits d'à présent, à renvoyer à la fusion."))
    porteront_votre_nom = Nommes(
        required=False,
        help_text=_("Absent sans jeton. Ce que l'équipe verra sous le nom du compte."),
    )

    def to_representation(self, instance: Any) -> Any:
        rendu = super().to_representation(instance)
        if rendu["porterontVotreNom"] is None:
            del rendu["porterontVotreNom"]
        return rendu


class FusionDetail(SortieSimple):
    merged = serializers.BooleanField(help_text=_("Toujours true : un refus est une erreur."))
    guest_id = serializers.UUIDField()
    user_id = serializers.UUIDField(help_text=_("Le compte à qui tout est désormais."))
    migrated_counts = Comptes(help_text=_("Ce que la session avait, et que le compte a reçu."))
    merged_at = serializers.CharField(
        help_text=_("Quand la fusion fut faite, en UTC ; rejouée, celle de la première fois.")
    )


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
    discussion_ids = serializers.SerializerMethodField(help_text=_("Les `id` de ses discussions."))

    class Meta:
        model = Signalement
        fields = CHAMPS_SUIVI
        extra_kwargs = aides(**DU_DOSSIER)

    def get_discussion_ids(self, signalement: Signalement) -> list[UUID]:
        suivies: list[Discussion] = signalement.suivies  # type: ignore[attr-defined]  # of `discussions_suivies`
        return [discussion.pk for discussion in suivies]


class SuiviDetail(SuiviResume):
    signalement = SignalementDetail(source="*", help_text=_("Le dossier, dans la forme qu'en reçoit son auteur."))
    timeline = serializers.SerializerMethodField(
        help_text=_("Son historique, du premier au dernier, tel que son auteur le lit.")
    )
    discussions = serializers.SerializerMethodField(help_text=_("Ses discussions, la dernière activité d'abord."))

    class Meta:
        model = Signalement
        fields = (*CHAMPS_SUIVI, "signalement", "timeline", "discussions")
        extra_kwargs = aides(**DU_DOSSIER)

    def get_timeline(self, signalement: Signalement) -> EntreeDetail(many=True):  # type: ignore[valid-type]
        entrees = signalement.timeline.pour_lecture(pour_l_equipe=False)
        return rendre_chacun(EntreeDetail, entrees, replace(self.regard, dossier=signalement).contexte)

    def get_discussions(self, signalement: Signalement) -> DiscussionDetail(many=True):  # type: ignore[valid-type]
        discussions = Discussion.objects.pour_lecture(self.regard.acteur).filter(signalement=signalement)
        return rendre_chacun(DiscussionDetail, discussions, self.context)
