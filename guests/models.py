import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from guests.erreurs import SessionFusionnee, SessionInvalide
from guests.vocabulaire import StatutInvite
from socle.domaine import telephones
from socle.domaine.chiffrement import ChampChiffre, Illisible, empreinte
from socle.domaine.identite import sans_guest_ids
from socle.domaine.modeles import ModeleBase
from socle.domaine.temps import jour_du_campus


def lire_guest_id(texte: Any) -> uuid.UUID | None:
    """The id in its one written form, 36 characters, or None."""
    try:
        return uuid.UUID(str(texte)) if len(str(texte)) == 36 else None
    except ValueError:
        return None


class SessionInvitee(ModeleBase):
    """A guest. The id that opens the case is kept as a keyed hash alone: who reads this table cannot act as a guest."""

    guest_id_empreinte = models.CharField(max_length=64, editable=False)
    statut = models.CharField(_("statut"), max_length=10, choices=StatutInvite, default=StatutInvite.ACTIVE)
    # Null where a page of ours opened the session: the API requires a number.
    telephone = ChampChiffre(null=True, editable=False)
    # Opening day, the only date for the team: a minute would lead to the case filed in that minute.
    jour = models.DateField(_("ouverte le"), default=jour_du_campus, editable=False)
    date_derniere_activite = models.DateTimeField(default=timezone.now, editable=False)
    fusionnee_dans = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    date_fusion = models.DateTimeField(null=True, blank=True)
    # Since when the person behind it is erased: its cases stay, and no id opens them.
    date_effacement = models.DateTimeField(null=True, editable=False)

    # The secret, known only to the request that presents it.
    guest_id: uuid.UUID | None = None

    class Meta:
        verbose_name = _("session invitée")
        verbose_name_plural = _("sessions invitées")
        constraints = [
            models.UniqueConstraint(fields=["guest_id_empreinte"], name="session_invitee_guest_id_unique"),
            models.CheckConstraint(
                condition=Q(statut=StatutInvite.MERGED, fusionnee_dans__isnull=False, date_fusion__isnull=False)
                | (~Q(statut=StatutInvite.MERGED) & Q(fusionnee_dans__isnull=True, date_fusion__isnull=True)),
                name="session_invitee_fusion_entiere",
            ),
            models.CheckConstraint(
                condition=Q(date_effacement__isnull=True) | ~Q(statut=StatutInvite.ACTIVE),
                name="session_invitee_effacee_fermee",
            ),
        ]
        indexes = [
            models.Index(fields=["-jour", "id"], name="session_invitee_jour"),
            models.Index(fields=["statut", "-jour", "id"], name="session_invitee_statut_jour"),
            models.Index(fields=["id"], condition=Q(date_effacement__isnull=False), name="session_invitee_effacee"),
        ]

    def __str__(self) -> str:
        return f"Session {self.pk.hex[:8]}"

    @property
    def telephone_masque(self) -> str | None:
        """Country code and two last digits; None without a number, or where no key opens it any more."""
        illisible = self.telephone is None or self.telephone is Illisible.SANS_CLE
        return None if illisible else telephones.masquer(self.telephone)

    def exiger_autorisee(self) -> None:
        """403 where DISABLED; MERGED, a state, is a 409 judged after the request's own fields."""
        if self.statut == StatutInvite.DISABLED:
            raise SessionInvalide

    def exiger_active(self) -> None:
        """403 where DISABLED, 409 where MERGED."""
        self.exiger_autorisee()
        if self.statut == StatutInvite.MERGED:
            raise SessionFusionnee


class AuditFusion(ModeleBase):
    """The record of one merge: what came of it, and what an operator needs to take it back."""

    session = models.ForeignKey(
        SessionInvitee, on_delete=models.PROTECT, related_name="fusions", db_index=False, verbose_name=_("session")
    )
    compte = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("compte")
    )
    # The Idempotency-Key of the request: one key, one result. Kept as a hash, since a client may put anything into it.
    cle_empreinte = models.CharField(max_length=64, editable=False)
    cle = models.CharField(_("clé"), max_length=255)  # as it is shown: without a guest id
    resume = models.JSONField(_("résumé"))
    retour = models.JSONField(editable=False)
    date_annulation = models.DateTimeField(_("annulée le"), null=True, blank=True)

    class Meta:
        verbose_name = _("fusion")
        constraints = [
            models.UniqueConstraint(fields=["cle_empreinte"], name="audit_fusion_cle_unique"),
            models.UniqueConstraint(
                fields=["session"], condition=Q(date_annulation__isnull=True), name="audit_fusion_une_par_session"
            ),
        ]
        indexes = [
            models.Index(fields=["session"], name="audit_fusion_session"),
            models.Index(fields=["-date_creation", "-id"], name="audit_fusion_date"),
        ]

    def __str__(self) -> str:
        return f"Fusion {self.pk.hex[:8]}"

    @classmethod
    def sous_la_cle(cls, cle: str) -> "AuditFusion | None":
        return cls.objects.filter(cle_empreinte=empreinte("cle-de-fusion", cle)).first()

    def poser_la_cle(self, cle: str) -> None:
        self.cle_empreinte, self.cle = empreinte("cle-de-fusion", cle), sans_guest_ids(cle)
