"""Abstract models: a UUID and dates for every row, one actor for an owned row, a pointer for an absorbed one."""

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, Self
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from socle.domaine.condition import est_tenue
from socle.erreurs import Introuvable
from socle.moteur.ecritures import modifier, verrouiller_ligne
from socle.moteur.lectures import LectureRemplie, uuid_ou_attendu

RENCONTRES_MAX = 5  # merges that may move a row while its lock is taken


class ModeleBase(models.Model):
    DE_L_EQUIPE: ClassVar[tuple[str, ...]] = ()  # fields that the team alone reads

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    date_creation = models.DateTimeField(_("créé le"), default=timezone.now, editable=False)
    date_modification = models.DateTimeField(_("modifié le"), default=timezone.now, editable=False)

    class Meta:
        abstract = True

    def enregistrer(self, *champs: str) -> None:
        """Write only these columns, and the date of the change; not of staff-only ones alone: others read the date."""
        if self.DE_L_EQUIPE and {self._meta.get_field(nom).name for nom in champs} <= set(self.DE_L_EQUIPE):
            modifier(self, *champs)
            return
        self.marquer_modifie()
        modifier(self, *champs, "date_modification")

    def marquer_modifie(self) -> None:
        """Set `date_modification` to now, for rows written in bulk; `enregistrer` does it too."""
        self.date_modification = timezone.now()

    def verrouiller(self, *ensuite: LectureRemplie) -> list[Any]:
        """Lock the row (FOR NO KEY UPDATE, so others may still refer to it) and refresh; call inside a transaction.

        Return the first row of each read of `ensuite`, or None, as they are once the lock is held.
        """
        lues = verrouiller_ligne(self, *ensuite)
        est_tenue(self)
        return lues


class AbsorbableQuerySet(models.QuerySet[Any]):
    def vivants(self) -> Self:
        """Exclude the rows that a merge joined to another."""
        return self.filter(absorbe_par__isnull=True)

    def joints_apres(self, invite: Any, cles: Iterable[Any]) -> Self:
        """The rows that a later merge of another guest joined to these, or to the rows that came with this guest."""
        ici = Q(absorbe_par__in=list(cles)) | Q(absorbe_par__fusionne_de=invite)
        return self.filter(ici, fusionne_de__date_fusion__gt=invite.date_fusion).exclude(fusionne_de=invite)

    def menant_a(self, pk: Any) -> Self:
        """Filter the row of this id, or the one it was joined to, in one query."""
        joint = self.model._base_manager.filter(pk=pk).values("absorbe_par")
        return self.filter(pk=Coalesce(Subquery(joint), uuid_ou_attendu(pk)))

    def et_leurs_joints(self, cles: Iterable[Any]) -> Self:
        """Filter the rows of these ids, and those that were joined to them.

        To find what hangs on them, ask for it among these: the same condition over a join is served by no index.
        """
        cles = list(cles)
        return self.filter(Q(pk__in=cles) | Q(absorbe_par__in=cles)).order_by()


class Absorbable(ModeleBase):
    """A row with a pointer to the one that a merge joined it to: it stays as a record, and its id leads there."""

    A_VERROUILLER = Q(absorbe_par__isnull=True)  # what a row must be for `verrouiller_ligne` to lock it

    absorbe_par = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="absorbes",
        db_index=False,
        verbose_name=_("absorbé par"),
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=~Q(absorbe_par=F("id")), name="%(app_label)s_%(class)s_absorbe_par_un_autre"
            )
        ]

    def verrouiller(self, *ensuite: LectureRemplie) -> list[Any]:
        """Lock the row and refresh; where a merge has joined it to another, lock and become the row it leads to.

        A joined row is not waited for: a merge holds the row that it joins others to before it comes to those. Of two
        that PostgreSQL finds waiting for each other all the same, as when a merge is undone the instant after it was
        made (`verrouiller_ligne`), it refuses one, which may ask again.
        """
        for _rencontre in range(RENCONTRES_MAX):
            try:
                return super().verrouiller(*ensuite)
            except Introuvable:
                self.pk = self._vers_ou()
        raise Introuvable

    def _vers_ou(self) -> UUID:
        """The key of the row that this leads to, its own where a merge was undone meanwhile; Introuvable if gone."""
        for (joint,) in type(self)._base_manager.filter(pk=self.pk).values_list("absorbe_par"):
            return joint or self.pk
        raise Introuvable

    def etat(self, *champs: str) -> dict[str, Any]:
        """Snapshot these columns as JSON values, which `retablir` takes back."""
        noms: Any = {nom: self._meta.get_field(nom) for nom in champs}
        valeurs = {nom: getattr(self, champ.attname) for nom, champ in noms.items()}
        return {nom: str(v) if isinstance(v, UUID | datetime) else v for nom, v in valeurs.items()}

    def retablir(self, etat: dict[str, Any]) -> None:
        for nom, valeur in etat.items():
            champ: Any = self._meta.get_field(nom)
            setattr(self, champ.attname, champ.to_python(valeur))

    @classmethod
    def vivants_par_cle(cls, lignes: models.QuerySet[Any]) -> dict[UUID, Any]:
        """Map each key of these rows to its row, or to the one it was joined to."""
        return {ligne.pk: ligne.absorbe_par or ligne for ligne in lignes.order_by().select_related("absorbe_par")}

    @classmethod
    def mener(cls, pk: UUID) -> UUID:
        """Resolve an id to that of the row it was joined to, else return it."""
        return cls._base_manager.filter(pk=pk).values_list("absorbe_par", flat=True).first() or pk


class AvecActeur(models.Model):
    """Ownership, in two columns and nowhere else, so that a merge moves it with one statement a table."""

    compte = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    invite = models.ForeignKey(
        "guests.SessionInvitee", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    # The guest session that the row belonged to before a merge gave it to an account.
    fusionne_de = models.ForeignKey(
        "guests.SessionInvitee",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(compte__isnull=False, invite__isnull=True)
                | Q(compte__isnull=True, invite__isnull=False, fusionne_de__isnull=True),
                name="%(app_label)s_%(class)s_un_seul_acteur",
            )
        ]

    @property
    def cle_du_proprietaire(self) -> UUID:
        """Key of the account or of the guest session that owns the row."""
        return self.compte_id or self.invite_id  # type: ignore[return-value]  # one of them, by the constraint

    @classmethod
    def rattacher(cls, invite: Any, compte: Any) -> None:
        """Update every row of this guest to the account's, in one statement, noting the guest in `fusionne_de`."""
        cls._base_manager.filter(invite=invite).update(compte=compte, invite=None, fusionne_de=invite)

    @classmethod
    def detacher(cls, invite: Any) -> None:
        """Undo `rattacher`: update the rows it moved back to the guest's, in one statement."""
        cls._base_manager.filter(fusionne_de=invite).update(compte=None, invite=invite, fusionne_de=None)
