"""Rows for a browser of the portal: an access, a code to come back, a draft. The base keeps none of their secrets."""

import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Session
from guests.models import SessionInvitee
from portail.vocabulaire import DUREE, DUREE_BROUILLON, ESSAIS


class Acces(models.Model):
    """An open browser, to the cases of a guest session or of an account: its token is kept as a keyed hash alone."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    jeton_empreinte = models.CharField(max_length=64, editable=False)
    invite = models.ForeignKey(
        SessionInvitee, null=True, on_delete=models.CASCADE, related_name="acces", db_index=False, editable=False
    )
    # Of an account, whatever ends its sessions ends this.
    session = models.ForeignKey(
        Session, null=True, on_delete=models.CASCADE, related_name="+", db_index=False, editable=False
    )
    # The guest session that this browser held when it signed in; nothing ties the two once the access has ended.
    a_rattacher = models.ForeignKey(
        SessionInvitee, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False, editable=False
    )
    # The code, for the first visit alone, under a key that the token makes: the base does not tell it.
    code_scelle = models.TextField(blank=True, editable=False)
    date_creation = models.DateTimeField(default=timezone.now, editable=False)
    date_activite = models.DateTimeField(default=timezone.now, editable=False)
    date_fin = models.DateTimeField(null=True, editable=False)
    # When whoever holds it has shown to have the code; only then may it be kept on this device.
    date_verification = models.DateTimeField(null=True, editable=False)
    garde_jusqu_a = models.DateTimeField(null=True, editable=False)
    # When all six words were last typed here, or shown; never of a space that is kept on this device.
    date_preuve = models.DateTimeField(null=True, editable=False)
    preuves_fausses = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)  # in a row
    mots_faux = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)  # the third word alone
    # Of an account: when a page of the campus was last open here, until one's cases are; when the password was given
    # again, signing in being the first time.
    date_campus = models.DateTimeField(null=True, editable=False)
    date_mot_de_passe = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["jeton_empreinte"], name="acces_jeton_unique"),
            models.CheckConstraint(
                condition=Q(invite__isnull=False, session__isnull=True) | Q(invite__isnull=True, session__isnull=False),
                name="acces_d_une_seule_personne",
            ),
            models.CheckConstraint(
                condition=Q(a_rattacher__isnull=True) | Q(session__isnull=False, date_fin__isnull=True),
                name="acces_a_rattacher_ouvert",
            ),
            models.CheckConstraint(
                condition=Q(garde_jusqu_a__isnull=True) | Q(invite__isnull=False, date_verification__isnull=False),
                name="acces_garde_d_un_invite_verifie",
            ),
            models.CheckConstraint(
                condition=Q(date_campus__isnull=True, date_mot_de_passe__isnull=True) | Q(session__isnull=False),
                name="acces_au_campus_d_un_compte",
            ),
        ]
        indexes = [
            models.Index(fields=["invite"], condition=Q(date_fin__isnull=True), name="acces_ouverts"),
            models.Index(fields=["session"], condition=Q(date_fin__isnull=True), name="acces_ouverts_de_comptes"),
            models.Index(fields=["a_rattacher"], condition=Q(a_rattacher__isnull=False), name="acces_a_rattacher"),
            models.Index(fields=["date_creation"], name="acces_date"),
        ]

    def __str__(self) -> str:
        return f"Accès {self.pk.hex[:8]}"

    @property
    def est_d_un_compte(self) -> bool:
        return self.session_id is not None

    @property
    def est_garde(self) -> bool:
        """Kept on this device until a date, used or not; no longer where the operator has closed that."""
        return bool(settings.PORTAIL_GARDE) and self.garde_jusqu_a is not None

    @property
    def prouve_le(self) -> datetime:
        """Date on which the password of the account was last given here."""
        return self.date_mot_de_passe or self.date_creation

    @property
    def peut_verifier(self) -> bool:
        """One word may still be checked against those that this visit shows."""
        return self.mots_faux < ESSAIS

    @property
    def fin_au_plus_tard(self) -> datetime:
        """Latest end of the access, however much it is used."""
        return self.garde_jusqu_a if self.est_garde and self.garde_jusqu_a else self.date_creation + DUREE

    def est_ouvert(self, maintenant: datetime) -> bool:
        """Neither ended, nor at its term."""
        return self.date_fin is None and not self.est_echu(maintenant)

    def est_echu(self, moment: datetime) -> bool:
        """Past the date it is kept until; else unused for too long, or older than DUREE."""
        if moment >= self.fin_au_plus_tard:
            return True
        return not self.est_garde and moment - self.date_activite >= settings.PORTAIL_INACTIVITE


class CodeRetour(models.Model):
    """The one live code of a guest session; the base keeps its keyed hash alone."""

    invite = models.OneToOneField(SessionInvitee, on_delete=models.CASCADE, related_name="code_retour", editable=False)
    empreinte = models.CharField(max_length=64, editable=False)
    date_creation = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["empreinte"], name="code_retour_unique")]

    def __str__(self) -> str:
        return f"Code du {self.date_creation:%Y-%m-%d}"


class AncienCode(models.Model):
    """The keyed hash of six words that were changed for others: it opens nothing, and lets the service say so."""

    invite = models.ForeignKey(SessionInvitee, on_delete=models.CASCADE, related_name="+", editable=False)
    empreinte = models.CharField(max_length=64, editable=False)
    date_fin = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["empreinte"], name="ancien_code_empreinte"),
            models.Index(fields=["date_fin"], name="ancien_code_date"),
        ]

    def __str__(self) -> str:
        return f"Ancien code {self.pk}"


class Brouillon(models.Model):
    """Draft of a text before it is sent, under a key that the cookie's token makes: the base alone cannot read it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    jeton_empreinte = models.CharField(max_length=64, editable=False)
    contenu_scelle = models.TextField(blank=True, editable=False)
    date_modification = models.DateTimeField(default=timezone.now, editable=False)
    # Set once sent: the same click again leads to the same receipt.
    date_envoi = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["jeton_empreinte"], name="brouillon_jeton_unique")]
        indexes = [models.Index(fields=["date_modification"], name="brouillon_date")]

    def __str__(self) -> str:
        return f"Brouillon {self.pk.hex[:8]}"

    def est_perime(self, maintenant: datetime) -> bool:
        return maintenant - self.date_modification >= DUREE_BROUILLON
