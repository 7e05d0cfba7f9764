from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Compte
from discussions.participants import TOUS, traits
from discussions.querysets import ArriereQuerySet, DiscussionQuerySet, MessageQuerySet, ReleveQuerySet
from discussions.vocabulaire import USER
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur
from socle.domaine.contraintes import UniqueCouvrante
from socle.domaine.droits import Droit
from socle.domaine.identite import masquer_ecrits
from socle.domaine.modeles import Absorbable, AvecActeur, ModeleBase
from socle.domaine.texte import condenser, sans_ponctuation, unifier

VIVANTE = Q(absorbe_par__isnull=True)
JAMAIS_LUE = Q(jamais_lus__gt=0)
ABSORBEE = Q(absorbe_par__isnull=False)  # SQLite does not see it in a negation


class Discussion(Absorbable, AvecActeur):
    ECRITS = ("titre",)

    titre = models.CharField(_("titre"), max_length=255)
    signalement = models.ForeignKey(
        Signalement,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="discussions",
        db_index=False,
        verbose_name=_("signalement"),
    )
    # Key of the account or guest session whose case it is: the report's owner, without a report who opened it. Kept
    # here, so that what is one's own is found and judged by this row alone. A merge and its way back change it.
    titulaire = models.UUIDField(editable=False)
    # Number of the latest message, and so their count: raised under the lock of this row.
    dernier_numero = models.PositiveIntegerField(default=0, editable=False)
    # Unread count of the person whose case it is (`est_de`), kept on the row that lives: others' are computed.
    non_lus = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # Messages of the person whose case it is that nobody else has read, kept on the row that lives.
    jamais_lus = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # Messages written here up to this number count as read by all of the team (`discussions.0011`).
    lus_par_tous = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # Bloom filter of who wrote here or marked it as read: every write of a message or a mark adds its bits.
    participants = models.BigIntegerField(default=0, db_default=TOUS, editable=False)
    # Fingerprint: equal for two titles that say the same.
    empreinte_titre = models.UUIDField(editable=False)

    objects = DiscussionQuerySet.as_manager()
    # Annotated by `pour_lecture`, for one reader.
    messages_non_lus_count = 0

    class Meta(AvecActeur.Meta):
        verbose_name = _("discussion")
        constraints = [*AvecActeur.Meta.constraints, *Absorbable.Meta.constraints]
        indexes = [
            models.Index(fields=["-date_modification", "-id"], condition=VIVANTE, name="discussion_date"),
            models.Index(fields=["titulaire"], name="discussion_titulaire"),
            models.Index(fields=["signalement"], condition=VIVANTE & JAMAIS_LUE, name="discussion_jamais_lue"),
            models.Index(fields=["compte"], name="discussion_compte"),
            models.Index(fields=["invite"], condition=Q(invite__isnull=False), name="discussion_invite"),
            models.Index(fields=["signalement"], condition=Q(signalement__isnull=False), name="discussion_signalement"),
            models.Index(fields=["absorbe_par"], condition=ABSORBEE, name="discussion_absorbe_par"),
            models.Index(fields=["fusionne_de"], condition=Q(fusionne_de__isnull=False), name="discussion_fusionne_de"),
        ]

    def __str__(self) -> str:
        return f"Discussion {self.pk.hex[:8]}"

    def est_visible_de(self, acteur: Acteur) -> bool:
        """The rule of `visibles_par`, without a query, for a row loaded with its report and joined to no other."""
        if self.est_de(acteur):
            return True
        if not acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES):
            return False
        return self.signalement is None or self.signalement.est_ouvert_a(acteur)

    def est_de(self, acteur: Acteur) -> bool:
        """True when the case is this actor's: the report's owner where there is one, else whoever opened it."""
        return self.titulaire == acteur.pk

    def compter(self, qui: UUID) -> bool:
        """Set the bits of somebody, on a locked row still to be written; False where they were set already."""
        avant = self.participants
        self.participants |= traits(qui)
        return self.participants != avant

    @property
    def has_unread_updates(self) -> bool:
        return self.messages_non_lus_count > 0

    @property
    def dernier_message(self) -> "Message | None":
        """The latest message, as prefetched by `pour_lecture`; None otherwise, as for a discussion just opened."""
        return next(iter(getattr(self, "derniers", ())), None)

    def indexer(self) -> None:
        """Recompute the fingerprint of the title; call before saving it."""
        masquer_ecrits(self)
        self.empreinte_titre = condenser(sans_ponctuation(self.titre))


class Message(ModeleBase, AvecActeur):
    """One message. `origine` and `numero_origine`, where it was written, never change: read marks refer to them."""

    ECRITS = ("contenu",)

    discussion = models.ForeignKey(
        Discussion, on_delete=models.PROTECT, related_name="messages", db_index=False, verbose_name=_("discussion")
    )
    # 1, 2, 3 … in its discussion. Signed: a merge renumbers through the negative numbers.
    numero_sequence = models.IntegerField(_("numéro"))
    origine = models.ForeignKey(
        Discussion, on_delete=models.PROTECT, related_name="messages_d_origine", db_index=False, editable=False
    )
    numero_origine = models.IntegerField(editable=False)
    contenu = models.TextField(_("contenu"), blank=True)
    type = models.CharField(_("type"), max_length=50, default=USER)
    pieces_jointes = models.JSONField(_("pièces jointes"), default=list)
    est_lu = models.BooleanField(_("lu"), default=False)
    # Fingerprint of text, type and files: equal for two messages that say the same.
    signature = models.UUIDField(editable=False)

    objects = MessageQuerySet.as_manager()

    class Meta(AvecActeur.Meta):
        verbose_name = _("message")
        constraints = [
            *AvecActeur.Meta.constraints,
            models.UniqueConstraint(fields=["discussion", "numero_sequence"], name="message_sequence_unique"),
            # With what unread counts ask of a message: they read its index alone.
            UniqueCouvrante(
                fields=["origine", "numero_origine"],
                include=["compte", "invite", "discussion"],
                name="message_origine_unique",
            ),
        ]
        indexes = [
            models.Index(fields=["discussion", "numero_sequence"], condition=Q(est_lu=False), name="message_non_lu"),
            models.Index(fields=["compte", "discussion"], name="message_compte_discussion"),
            models.Index(fields=["invite"], condition=Q(invite__isnull=False), name="message_invite"),
            models.Index(fields=["fusionne_de"], condition=Q(fusionne_de__isnull=False), name="message_fusionne_de"),
        ]

    def __str__(self) -> str:
        return f"Message {self.numero_sequence}"

    def indexer(self) -> None:
        """Recompute the fingerprint (`signature`) of the content; call before saving it."""
        masquer_ecrits(self)
        fichiers = sorted(str(fichier) for fichier in self.pieces_jointes)
        self.signature = condenser(unifier(self.contenu), self.type, fichiers)


class Lecture(ModeleBase, AvecActeur):
    """Read mark of one reader on the messages written in one discussion: a merge leaves it true."""

    discussion = models.ForeignKey(Discussion, on_delete=models.PROTECT, related_name="lectures", db_index=False)
    # Highest `numero_origine` read: everything up to it is read.
    numero = models.IntegerField()

    class Meta(AvecActeur.Meta):
        verbose_name = _("lecture")
        constraints = [
            *AvecActeur.Meta.constraints,
            # Nulls are never equal here: each constraint binds only the kind of reader that it names.
            models.UniqueConstraint(fields=["discussion", "compte"], name="lecture_compte_unique"),
            models.UniqueConstraint(fields=["discussion", "invite"], name="lecture_invite_unique"),
        ]
        indexes = [
            models.Index(fields=["compte"], condition=Q(compte__isnull=False), name="lecture_compte"),
            models.Index(fields=["invite"], condition=Q(invite__isnull=False), name="lecture_invite"),
            models.Index(fields=["fusionne_de"], condition=Q(fusionne_de__isnull=False), name="lecture_fusionne_de"),
        ]

    def __str__(self) -> str:
        return f"Lecture jusqu'à {self.numero}"


class Releve(models.Model):
    """Date up to which a team member's unread has been taken down, so that nobody counts a million read ones.

    Every discussion that they may read, last moved before `jusqu_a` and holds unread messages for them is among their
    `Arriere`.
    """

    compte = models.OneToOneField(Compte, on_delete=models.CASCADE, primary_key=True, related_name="releve")
    jusqu_a = models.DateTimeField(null=True)  # null: nothing yet, of who reads little of what comes
    pas_avant = models.DateTimeField(null=True)  # when to see again whether they read more

    objects = ReleveQuerySet.as_manager()

    class Meta:
        verbose_name = _("relevé")

    def __str__(self) -> str:
        return f"Relevé {self.pk.hex[:8]}"


class Arriere(models.Model):
    """A discussion that last moved long ago, and that this person may not have read: whether, its messages say."""

    compte = models.ForeignKey(Compte, on_delete=models.CASCADE, db_index=False, related_name="+")
    discussion = models.ForeignKey(Discussion, on_delete=models.CASCADE, db_index=False, related_name="arrieres")
    moment = models.DateTimeField()  # when it had last moved

    objects = ArriereQuerySet.as_manager()

    class Meta:
        verbose_name = _("arriéré")
        constraints = [models.UniqueConstraint(fields=["discussion", "compte"], name="arriere_unique")]
        indexes = [models.Index(fields=["compte", "-moment"], name="arriere_compte_moment")]

    def __str__(self) -> str:
        return f"Arriéré du {self.moment:%d/%m/%Y}"
