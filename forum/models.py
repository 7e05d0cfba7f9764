from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from forum.querysets import (
    CommentaireQuerySet,
    DemandeDeRelectureQuerySet,
    ModerationQuerySet,
    PosteQuerySet,
    ReactionQuerySet,
)
from forum.vocabulaire import FORME_MAX, MOTIF_MAX, PUBLICS, Statut
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.identite import masquer_ecrits
from socle.domaine.modeles import ModeleBase
from socle.domaine.recherche import indexable

PRESENT, OUVERTE = Q(date_suppression__isnull=True), Q(date_fin__isnull=True)
ORDRE = ["-est_epingle", "-date_creation", "-id"]


def _compte(**options: Any) -> Any:
    """Foreign key to the acting account. Accounts are never deleted, so a name stays with what it wrote."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False, **options
    )


class Supprimable(ModeleBase):
    """Soft deletion, by the author or an admin: the row leaves every answer, and stays as a record for staff."""

    compte = _compte(verbose_name=_("auteur"))
    date_suppression = models.DateTimeField(_("supprimé le"), null=True, blank=True, editable=False)
    supprime_par = _compte(null=True, blank=True, editable=False, verbose_name=_("supprimé par"))

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(date_suppression__isnull=True, supprime_par__isnull=True)
                | Q(date_suppression__isnull=False, supprime_par__isnull=False),
                name="%(class)s_supprime_par_quelqu_un",
            )
        ]

    def supprimer(self, acteur: Acteur) -> None:
        self.date_suppression, self.supprime_par = timezone.now(), acteur.compte
        self.save(update_fields=["date_suppression", "supprime_par"])


class Poste(Supprimable):
    ECRITS = ("titre", "contenu", "tags")

    titre = models.CharField(_("titre"), max_length=255, blank=True)
    contenu = models.TextField(_("contenu"))
    categorie = models.CharField(_("catégorie"), max_length=50, blank=True)
    tags = models.JSONField(_("mots-clés"), default=list, blank=True)
    pieces_jointes = models.JSONField(_("pièces jointes"), default=list, blank=True)
    statut = models.CharField(_("statut"), max_length=20, choices=Statut, default=Statut.NOUVEAU)
    approuver_par = _compte(null=True, blank=True, editable=False, verbose_name=_("approuvé par"))
    est_epingle = models.BooleanField(_("épinglé"), default=False)
    # Changed under the lock of this row, with what they count.
    nb_commentaires = models.IntegerField(_("commentaires"), default=0, editable=False)
    nb_reactions = models.IntegerField(_("réactions"), default=0, editable=False)
    recherche = models.TextField(editable=False, default="")

    objects = PosteQuerySet.as_manager()

    class Meta(Supprimable.Meta):
        verbose_name = _("publication")
        constraints = [
            *Supprimable.Meta.constraints,
            models.CheckConstraint(condition=Q(statut__in=Statut.values), name="poste_statut_connu"),
            models.CheckConstraint(
                condition=Q(statut=Statut.APPROUVER, approuver_par__isnull=False)
                | (~Q(statut=Statut.APPROUVER) & Q(approuver_par__isnull=True)),
                name="poste_approuve_par_quelqu_un",
            ),
            models.CheckConstraint(condition=Q(nb_commentaires__gte=0), name="poste_nb_commentaires_positif"),
            models.CheckConstraint(condition=Q(nb_reactions__gte=0), name="poste_nb_reactions_positif"),
        ]
        indexes = [
            models.Index(fields=["-date_creation", "-id"], name="poste_date"),
            # Holds the columns of visibility, so that anybody's list and count read the index alone.
            models.Index(fields=[*ORDRE, "statut", "compte"], condition=PRESENT, name="poste_ordre"),
            models.Index(fields=ORDRE, condition=PRESENT & Q(statut__in=PUBLICS), name="poste_public_ordre"),
            models.Index(fields=["compte", *ORDRE], condition=PRESENT, name="poste_compte_ordre"),
            models.Index(fields=["statut", *ORDRE], condition=PRESENT, name="poste_statut_ordre"),
            models.Index(fields=["categorie", *ORDRE], condition=PRESENT, name="poste_categorie_ordre"),
            models.Index(
                fields=["date_creation", "id"], condition=PRESENT & Q(statut=Statut.NOUVEAU), name="poste_a_moderer"
            ),
        ]

    def __str__(self) -> str:
        return self.titre_court

    @property
    def titre_court(self) -> str:
        """The title, or else the text, cut to 60 characters."""
        return (self.titre or self.contenu)[:60]

    @property
    def est_public(self) -> bool:
        return self.statut in PUBLICS

    def est_visible_de(self, acteur: Acteur) -> bool:
        """The rule of `visibles_par`, without a query, for a loaded row."""
        if self.date_suppression is not None or acteur.compte is None:
            return False
        return self.est_public or acteur.peut(Droit.FORUM_CONSULTER_TOUS) or acteur.possede(self)

    @property
    def textes(self) -> tuple[str, ...]:
        """The non-empty texts of its author, for the moderator hook and the search: title, content, tags."""
        return tuple(texte for texte in (self.titre, self.contenu, *self.tags) if texte)

    def indexer(self) -> None:
        """Recompute the search text; call before saving a text."""
        masquer_ecrits(self)
        self.recherche = indexable(*self.textes)


class Commentaire(Supprimable):
    ECRITS = ("contenu",)

    poste = models.ForeignKey(
        Poste, on_delete=models.PROTECT, related_name="commentaires", db_index=False, verbose_name=_("publication")
    )
    contenu = models.TextField(_("contenu"))
    recherche = models.TextField(editable=False, default="")

    objects = CommentaireQuerySet.as_manager()

    class Meta(Supprimable.Meta):
        verbose_name = _("commentaire")
        indexes = [
            models.Index(fields=["poste", "date_creation", "id"], condition=PRESENT, name="commentaire_poste_date"),
            models.Index(fields=["-date_creation", "-id"], name="commentaire_date"),
            models.Index(fields=["compte", "date_creation", "id"], condition=PRESENT, name="commentaire_compte_date"),
        ]

    def __str__(self) -> str:
        return self.contenu[:60]

    def indexer(self) -> None:
        """See `Poste.indexer`."""
        masquer_ecrits(self)
        self.recherche = indexable(self.contenu)


class Reaction(ModeleBase):
    poste = models.ForeignKey(
        Poste, on_delete=models.PROTECT, related_name="reactions", db_index=False, verbose_name=_("publication")
    )
    compte = _compte(verbose_name=_("auteur"))
    type = models.CharField(_("type"), max_length=50)

    objects = ReactionQuerySet.as_manager()

    class Meta:
        verbose_name = _("réaction")
        constraints = [models.UniqueConstraint(fields=["poste", "compte", "type"], name="reaction_unique")]
        indexes = [
            models.Index(fields=["poste", "-date_creation", "-id"], name="reaction_poste_date"),
            models.Index(fields=["compte", "-date_creation", "-id"], name="reaction_compte_date"),
        ]

    def __str__(self) -> str:
        return self.type


class DemandeDeRelecture(ModeleBase):
    """Request to the moderators to read a post again, or one of its answers.

    Written and closed under the lock of the post. Who asks is shown to nobody, moderators included.
    """

    ECRITS = ("motif",)

    poste = models.ForeignKey(
        Poste, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("publication")
    )
    commentaire = models.ForeignKey(
        Commentaire,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        null=True,
        blank=True,
        verbose_name=_("commentaire"),
    )
    compte = _compte(editable=False)
    motif = models.CharField(_("motif"), max_length=MOTIF_MAX, blank=True)
    date_fin = models.DateTimeField(null=True, blank=True, editable=False)

    objects = DemandeDeRelectureQuerySet.as_manager()

    class Meta:
        verbose_name = _("demande de relecture")
        verbose_name_plural = _("à relire")
        constraints = [
            models.UniqueConstraint(
                fields=["poste", "compte"],
                condition=OUVERTE & Q(commentaire__isnull=True),
                name="relecture_une_par_publication",
            ),
            models.UniqueConstraint(
                fields=["commentaire", "compte"],
                condition=OUVERTE & Q(commentaire__isnull=False),
                name="relecture_une_par_commentaire",
            ),
        ]
        indexes = [
            models.Index(fields=["date_creation", "id"], condition=OUVERTE, name="relecture_ouverte"),
            models.Index(fields=["poste", "compte"], condition=OUVERTE, name="relecture_poste"),
            models.Index(fields=["compte", "-date_creation", "-id"], name="relecture_compte_date"),
            models.Index(fields=["date_fin", "id"], condition=~OUVERTE, name="relecture_close"),
        ]

    def __str__(self) -> str:
        return self.vise.contenu[:60]

    @property
    def vise(self) -> Poste | Commentaire:
        return self.commentaire or self.poste


class Moderation(ModeleBase):
    """One change of a post's statut: the first starts from NOUVEAU, each goes on from where the last one led."""

    poste = models.ForeignKey(
        Poste, on_delete=models.PROTECT, related_name="moderations", db_index=False, verbose_name=_("publication")
    )
    # 1, 2, 3 … for its post. No clock of any machine decides the order.
    numero = models.PositiveIntegerField(_("numéro"), editable=False)
    compte = _compte(null=True, blank=True, verbose_name=_("par"))
    avant = models.CharField(_("avant"), max_length=20, choices=Statut)
    apres = models.CharField(_("après"), max_length=20, choices=Statut)

    objects = ModerationQuerySet.as_manager()

    class Meta:
        verbose_name = _("décision de modération")
        verbose_name_plural = _("décisions de modération")
        constraints = [
            models.UniqueConstraint(fields=["poste", "numero"], name="moderation_numero_unique"),
            models.CheckConstraint(condition=~Q(avant=F("apres")), name="moderation_change_le_statut"),
        ]

    def __str__(self) -> str:
        return f"{self.get_avant_display()} → {self.get_apres_display()}"

    @property
    def auteur_nom(self) -> str | None:
        """Full name of the account; None for the moderator hook."""
        return self.compte.nom_complet if self.compte else None


class MotSurveille(ModeleBase):
    """A word, or a phrase, that a post may not hold where posts are judged by the list."""

    ECRITS = ("mot",)

    mot = models.CharField(_("mot ou expression"), max_length=100)
    # Normal form, by which it is compared (`mots.forme`).
    forme = models.CharField(max_length=FORME_MAX, editable=False)

    class Meta:
        verbose_name = _("mot surveillé")
        verbose_name_plural = _("mots surveillés")
        constraints = [
            models.UniqueConstraint(fields=["forme"], name="mot_surveille_unique"),
            models.CheckConstraint(condition=~Q(forme=""), name="mot_surveille_lisible"),
        ]
        indexes = [models.Index(fields=["mot", "id"], name="mot_surveille_mot")]

    def __str__(self) -> str:
        return self.mot
