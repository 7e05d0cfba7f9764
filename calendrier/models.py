import uuid
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from calendrier.querysets import EvenementQuerySet, ParticipationQuerySet
from calendrier.vocabulaire import (
    CANONIQUE,
    STATUTS_STOCKES,
    StatutEvenement,
    StatutParticipation,
    statut_montre,
)
from socle.domaine.identite import masquer_ecrits
from socle.domaine.modeles import ModeleBase
from socle.domaine.recherche import indexable

_CLE = signing.Signer(salt="calendrier.flux", sep=".")


class EvenementCampus(ModeleBase):
    ECRITS = ("titre", "description", "lieu", "lien_en_ligne", "image_url", "tags")

    titre = models.CharField(_("titre"), max_length=255)
    description = models.TextField(_("description"), blank=True)
    type = models.CharField(_("type"), max_length=50)
    date_debut = models.DateTimeField(_("début"))
    date_fin = models.DateTimeField(_("fin"))
    lieu = models.CharField(_("lieu"), max_length=255, blank=True)
    est_en_ligne = models.BooleanField(_("en ligne"), default=False)
    lien_en_ligne = models.CharField(_("lien en ligne"), max_length=2_048, blank=True)
    nb_max_participants = models.PositiveIntegerField(
        _("places"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    image_url = models.CharField(_("adresse de l'image"), max_length=2_048, blank=True)
    tags = models.JSONField(_("mots-clés"), default=list, blank=True)
    public_cible = models.JSONField(_("public"), default=list, blank=True)
    discret = models.BooleanField(
        _("discret"), default=False, db_default=False, help_text=_("Aucun e-mail ne le nomme, ni ne dit où et quand.")
    )
    statut = models.CharField(
        _("statut"), max_length=20, choices=StatutEvenement, default=StatutEvenement.PUBLIE, editable=False
    )
    organisateur = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        editable=False,
        verbose_name=_("organisateur"),
    )
    # How many participations are stored as CONFIRMED: changed with them, under the lock of this row.
    nb_confirmes = models.IntegerField(_("confirmés"), default=0, editable=False)
    # The SEQUENCE of its iCalendar form: how often it was changed.
    revision = models.PositiveIntegerField(default=0, editable=False)
    # The day of which its participants were told, on its eve.
    veille_dite = models.DateField(null=True, editable=False)
    recherche = models.TextField(editable=False, default="")

    objects = EvenementQuerySet.as_manager()
    # Annotated by `pour_lecture`: the reader's own status, and the CONFIRMED under their legacy name.
    statut_lecteur: str | None = None
    inscrits_herites = 0

    class Meta:
        verbose_name = _("événement")
        constraints = [
            models.CheckConstraint(
                condition=Q(date_fin__gt=F("date_debut")),
                name="evenement_fin_apres_debut",
                violation_error_message=_("La fin doit venir après le début."),
            ),
            models.CheckConstraint(condition=Q(nb_max_participants__gte=1), name="evenement_une_place_au_moins"),
            models.CheckConstraint(condition=Q(nb_confirmes__gte=0), name="evenement_confirmes_positif"),
            models.CheckConstraint(
                condition=Q(nb_max_participants__isnull=True) | Q(nb_confirmes__lte=F("nb_max_participants")),
                name="evenement_places_tenues",
            ),
            models.CheckConstraint(condition=Q(statut__in=StatutEvenement.values), name="evenement_statut_connu"),
        ]
        # Beside these, on PostgreSQL, one of the periods: see its migration.
        indexes = [
            models.Index(fields=["date_debut", "id"], name="evenement_date_debut"),
            models.Index(fields=["statut", "date_debut", "id"], name="evenement_statut_date_debut"),
            models.Index(fields=["type", "date_debut", "id"], name="evenement_type_date_debut"),
        ]

    def __str__(self) -> str:
        return self.titre

    @property
    def statut_canonique(self) -> str:
        return CANONIQUE[self.statut]

    @property
    def est_annule(self) -> bool:
        return self.statut == StatutEvenement.ANNULE

    @property
    def est_termine(self) -> bool:
        return self.date_fin <= timezone.now()

    @property
    def nb_participants(self) -> int:
        return self.nb_confirmes + self.inscrits_herites

    @property
    def places_restantes(self) -> int | None:
        """Free places, at least 0; None without a limit."""
        return None if self.nb_max_participants is None else max(0, self.nb_max_participants - self.nb_participants)

    @property
    def est_complet(self) -> bool:
        return self.nb_max_participants is not None and self.nb_participants >= self.nb_max_participants

    @property
    def ma_participation(self) -> str | None:
        return statut_montre(self.statut_lecteur)

    def indexer(self) -> None:
        """Keep the search text in step; call before saving a text."""
        masquer_ecrits(self)
        self.recherche = indexable(self.titre, self.lieu, *self.tags)


class Participation(ModeleBase):
    """Registration of one account to one event, one row for both: registering again reuses it."""

    evenement = models.ForeignKey(
        EvenementCampus,
        on_delete=models.PROTECT,
        related_name="participations",
        db_index=False,
        verbose_name=_("événement"),
    )
    compte = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("personne")
    )
    statut = models.CharField(_("statut"), max_length=20, choices=StatutParticipation)
    # The rank in the waiting list: registering again, or being sent to the list, starts anew at its end.
    date_inscription = models.DateTimeField(_("inscription"), default=timezone.now, editable=False)

    objects = ParticipationQuerySet.as_manager()

    class Meta:
        verbose_name = _("participation")
        constraints = [
            models.UniqueConstraint(fields=["evenement", "compte"], name="participation_unique"),
            models.CheckConstraint(condition=Q(statut__in=STATUTS_STOCKES), name="participation_statut_connu"),
        ]
        indexes = [
            models.Index(fields=["evenement", "date_inscription", "id"], name="participation_evenement_date"),
            models.Index(fields=["evenement", "statut", "date_inscription", "id"], name="participation_file"),
            models.Index(fields=["-date_inscription", "-id"], name="participation_date"),
        ]

    def __str__(self) -> str:
        return _("Participation %(numero)s") % {"numero": self.pk.hex[:8]}

    @property
    def statut_montre(self) -> Any:
        return statut_montre(self.statut)

    @property
    def est_active(self) -> bool:
        return self.statut != StatutParticipation.CANCELLED


class FluxCalendrier(models.Model):
    """Calendar subscription of one account; the key in its address is its signed id, not stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    compte = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="flux_calendrier")
    date_creation = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("abonnement au calendrier")
        verbose_name_plural = _("abonnements au calendrier")

    def __str__(self) -> str:
        return f"Abonnement du {self.date_creation:%d/%m/%Y}"

    @property
    def cle(self) -> str:
        return _CLE.sign(self.pk.hex)

    @property
    def url(self) -> str:
        return f"{settings.PUBLIC_URL}/api/v1/calendriers/flux.ics?cle={self.cle}"


def flux_de_la_cle(cle: str) -> str | None:
    """Unsign a key to the id of its subscription, which may be gone; None for a bad signature."""
    try:
        return _CLE.unsign(cle)
    except signing.BadSignature:
        return None
