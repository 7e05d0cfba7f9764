import uuid
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core import signing
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import ADRESSE_INVITEE, ARRET_D_INVITE, Compte
from accounts.vocabulaire import LANGUES
from avis.querysets import AdresseInviteeQuerySet, AvisQuerySet
from avis.vocabulaire import DERNIERE_HEURE, NATURES, PREMIERE_HEURE, REFUS_MAX, VALIDITE_DU_LIEN
from guests.models import SessionInvitee
from socle.domaine import adresses
from socle.domaine.chiffrement import ChampChiffre, Illisible, empreinte

A_ADRESSER = Q(est_adresse=False)
ADRESSE = Q(est_adresse=True)
EN_ATTENTE = Q(est_adresse=True, courrier__isnull=True)
A_UN_COMPTE = Q(destinataire__isnull=False, invite__isnull=True)
A_UN_INVITE = Q(destinataire__isnull=True, invite__isnull=False)


class Avis(models.Model):
    """One thing that one person is told of. Written in the transaction of the act, without its person (`vers`, or all
    whom it concerns); addressed within a minute, as one row a person; mailed with that person's others of its family.

    It holds no address, no word of a case, and has no page in the admin site.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    nature = models.CharField(max_length=30, choices=NATURES)
    objet = models.UUIDField()  # key of the case, which a merge moves; of the event, of the post
    date_creation = models.DateTimeField(default=timezone.now)
    # Keys of whoever did it, who is told nothing of it, and of the only person to tell; of a row to be addressed.
    par = models.UUIDField(null=True)
    vers = models.UUIDField(null=True)
    est_adresse = models.BooleanField(default=False, db_default=False)
    destinataire = models.ForeignKey(Compte, null=True, on_delete=models.CASCADE, related_name="avis", db_index=False)
    invite = models.ForeignKey(SessionInvitee, null=True, on_delete=models.CASCADE, related_name="avis", db_index=False)
    du = models.DateTimeField(null=True)  # no mail before; None: no mail at all
    courrier = models.UUIDField(null=True)  # the mail it leaves with, and its Message-ID
    date_envoi = models.DateTimeField(null=True)

    objects = AvisQuerySet.as_manager()

    class Meta:
        verbose_name = _("avis")
        verbose_name_plural = _("avis")
        constraints = [
            models.CheckConstraint(
                condition=Q(nature__in=[nature for nature, _nom in NATURES]), name="avis_nature_connue"
            ),
            models.CheckConstraint(
                condition=Q(est_adresse=False, destinataire__isnull=True, invite__isnull=True)
                | (ADRESSE & (A_UN_COMPTE | A_UN_INVITE)),
                name="avis_a_une_personne",
            ),
            # What waits to be told is told once, however often it happens meanwhile.
            models.UniqueConstraint(
                fields=["destinataire", "nature", "objet"], condition=EN_ATTENTE, name="avis_un_en_attente"
            ),
            models.UniqueConstraint(
                fields=["invite", "nature", "objet"], condition=EN_ATTENTE, name="avis_un_en_attente_invite"
            ),
            models.CheckConstraint(
                condition=Q(date_envoi__isnull=True) | Q(courrier__isnull=False), name="avis_envoye_par_un_courrier"
            ),
        ]
        # A row that an act writes is in the first alone: acts are what people wait for.
        indexes = [
            models.Index(fields=["date_creation"], condition=A_ADRESSER, name="avis_a_adresser"),
            models.Index(fields=["du"], condition=EN_ATTENTE & Q(du__isnull=False), name="avis_du"),
            models.Index(fields=["courrier"], condition=Q(courrier__isnull=False), name="avis_courrier"),
            models.Index(fields=["objet"], condition=ADRESSE, name="avis_objet"),
            models.Index(fields=["destinataire", "-date_creation", "-id"], condition=ADRESSE, name="avis_destinataire"),
            models.Index(fields=["invite"], condition=Q(invite__isnull=False), name="avis_invite"),
            models.Index(fields=["date_creation"], condition=ADRESSE, name="avis_date"),
        ]

    def __str__(self) -> str:
        return f"Avis {self.nature}"

    @property
    def personne(self) -> Compte | SessionInvitee:
        """Person of an addressed row."""
        return self.destinataire or self.invite  # type: ignore[return-value]  # a constraint says so

    def pour(self, objet: UUID, compte: Compte, du: datetime | None) -> "Avis":
        """The unsaved row that tells this account of it."""
        return Avis(
            nature=self.nature,
            objet=objet,
            date_creation=self.date_creation,
            est_adresse=True,
            destinataire=compte,
            du=du,
        )


def _de_jour(nom: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(minute__gte=60 * PREMIERE_HEURE, minute__lt=60 * DERNIERE_HEURE), name=nom
    )


class Cadence(models.Model):
    """The pace of a person's mails: none before `prochain`, daily ones at the minute that was drawn for them.

    Of their own cases none before `prochaine_suite`, nor once five in a row were refused at their present address.
    """

    MOMENTS = ("prochain", "prochaine_suite")  # before which none of these leaves

    compte = models.OneToOneField(Compte, primary_key=True, on_delete=models.CASCADE, related_name="cadence_des_avis")
    minute = models.PositiveSmallIntegerField()  # of the campus's day
    prochain = models.DateTimeField(default=timezone.now)
    prochaine_suite = models.DateTimeField(default=timezone.now, db_default=Now())
    refus = models.PositiveSmallIntegerField(default=0, db_default=0)
    # Keyed hash of the address that was refused: of another nothing is known.
    adresse_refusee = models.CharField(max_length=64, default="", db_default="")

    class Meta:
        verbose_name = _("cadence des avis")
        constraints = [_de_jour("cadence_minute_de_jour")]

    def __str__(self) -> str:
        return "Cadence"

    @property
    def ses_avis(self) -> dict[str, Any]:
        return {"destinataire": self.pk}

    def se_tait(self, adresse: str) -> bool:
        """True once the mail server has refused this address too often."""
        return self.refus >= REFUS_MAX and self.adresse_refusee == _empreinte(adresse)

    def noter_un_refus(self, adresse: str) -> None:
        refusee = _empreinte(adresse)
        encore = Case(When(adresse_refusee=refusee, then=F("refus") + 1), default=Value(1))
        Cadence.objects.filter(pk=self.pk).update(refus=encore, adresse_refusee=refusee)

    def noter_une_remise(self, prochaine: datetime) -> None:
        """Forget the refusals before it, and count the day from when it left: tries may have delayed it."""
        Cadence.objects.filter(pk=self.pk).update(refus=0, adresse_refusee="", prochaine_suite=prochaine)


class AdresseInvitee(models.Model):
    """Address at which a guest asks to be told; nothing but the link that confirms it goes there before.

    One's own key, drawn for this very address, is all that its mailed tokens name. It has no page in the admin site.
    """

    MOMENTS = ("prochaine_suite",)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.OneToOneField(SessionInvitee, on_delete=models.CASCADE, related_name="adresse_d_avis")
    adresse = ChampChiffre(editable=False)
    langue = models.CharField(max_length=2, choices=LANGUES)
    minute = models.PositiveSmallIntegerField()  # of the campus's day
    prochaine_suite = models.DateTimeField(default=timezone.now)
    date_demande = models.DateTimeField(default=timezone.now)
    date_confirmation = models.DateTimeField(null=True)
    refus = models.PositiveSmallIntegerField(default=0)  # in a row

    objects = AdresseInviteeQuerySet.as_manager()

    class Meta:
        verbose_name = _("adresse d'invité")
        verbose_name_plural = _("adresses d'invités")
        constraints = [_de_jour("adresse_invitee_minute_de_jour")]
        indexes = [models.Index(fields=["date_demande"], name="adresse_invitee_date")]

    def __str__(self) -> str:
        return "Adresse"

    @property
    def lue(self) -> str | None:
        """The address; None where no key opens it any more: it is to be given again."""
        return None if self.adresse is Illisible.SANS_CLE else self.adresse

    @property
    def masquee(self) -> str | None:
        return None if (adresse := self.lue) is None else adresses.masquer(adresse)

    @property
    def est_confirmee(self) -> bool:
        return self.date_confirmation is not None

    @property
    def est_silencieuse(self) -> bool:
        """True once the mail server has refused it too often."""
        return self.refus >= REFUS_MAX

    @property
    def valable_jusqu_a(self) -> datetime:
        """End of the link that confirms it, and of the row with it."""
        return self.date_demande + VALIDITE_DU_LIEN

    @property
    def jeton_de_confirmation(self) -> str:
        return signing.Signer(salt=ADRESSE_INVITEE).sign(self.pk.hex)

    @property
    def jeton_d_arret(self) -> str:
        return signing.Signer(salt=ARRET_D_INVITE).sign(self.pk.hex)

    @property
    def ses_avis(self) -> dict[str, Any]:
        return {"invite": self.session_id}

    def noter_un_refus(self, adresse: str) -> None:
        AdresseInvitee.objects.filter(pk=self.pk).update(refus=F("refus") + 1)

    def noter_une_remise(self, prochaine: datetime) -> None:
        """Forget the refusals before it, and count the day from when it left: tries may have delayed it."""
        AdresseInvitee.objects.filter(pk=self.pk).update(refus=0, prochaine_suite=prochaine)


def _empreinte(adresse: str) -> str:
    return empreinte("adresse-d-avis", adresse)
