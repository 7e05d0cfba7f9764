from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from equipes.models import Equipe
from signalements.comptees import LigneComptee
from signalements.dates import decrire_l_echeance
from signalements.querysets import (
    RANG_D_URGENCE,
    SOURCES,
    AlerteQuerySet,
    EntreeQuerySet,
    OuvertureQuerySet,
    SignalementQuerySet,
)
from signalements.vocabulaire import (
    ALERTES,
    CANONIQUE,
    MOTIF_MAX,
    OUVERTURE_MINUTES,
    PAR_REGLE,
    RESERVES,
    RESOLUS,
    SANS_EQUIPE,
    SANS_HEURE,
    TITRE_SANS_TYPE,
    TOUJOURS,
    Axe,
    NatureAlerte,
    Origine,
    Ouverture,
    Priorite,
    Statut,
    TypeEntree,
)
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.identite import IDENTIFIE, masquer_ecrits
from socle.domaine.langue import traduit
from socle.domaine.modeles import Absorbable, AvecActeur, ModeleBase
from socle.domaine.recherche import indexable
from socle.domaine.temps import horodatage, jour_du_campus
from socle.domaine.texte import condenser, sans_ponctuation
from socle.realtime.vocabulaire import PUBLIC, d_equipe

# What `est_ouvert_a` looks at beside the row of a case that all of the team does not read.
LECTEURS = ("regles", "equipe__membres")
DROITS = ("compte", "ouvert_a", "equipe")
VIVANT = Q(absorbe_par__isnull=True)
ABSORBE = Q(absorbe_par__isnull=False)  # SQLite does not see it in a negation
RESERVE = Q(ouvert_a__in=[Ouverture.SAUF, Ouverture.SEULS])
D_UNE_EQUIPE = Q(equipe__isnull=False)
EN_ALERTE = Q(statut__in=list(ALERTES))
# What retention may come to: closed, and not held.
EFFACABLE = Q(date_cloture__isnull=False, gele_depuis__isnull=True)
ETAPE = ("statut", "date_resolution", "date_cloture")  # the columns that `passer_a` sets


class Signalement(LigneComptee, Absorbable, AvecActeur):
    ECRITS = (
        "titre",
        "description",
        "lieu_incident",
        "auteur_presume",
        "description_temoins",
        "bureau_genre_id",
        "gel_motif",
    )
    DE_L_EQUIPE = ("gestionnaire", "ouvert_a", "equipe", "sans_lecteur_le", "gele_depuis", "gel_motif", "gele_par")

    reference = models.CharField(_("référence"), max_length=17)
    # False for the reference of a case that the reporter brought along: only drawn ones are unique.
    reference_tiree = models.BooleanField(default=True, editable=False)
    titre = models.CharField(_("titre"), max_length=255)
    description = models.TextField(_("description"))
    type = models.CharField(_("type"), max_length=50)
    mode_identification = models.CharField(_("identification"), max_length=50)
    date_incident = models.DateTimeField(_("date de l'incident"), null=True, blank=True)
    lieu_incident = models.CharField(_("lieu"), max_length=255, blank=True)
    auteur_presume = models.CharField(_("auteur présumé"), max_length=255, blank=True)
    a_temoins = models.BooleanField(_("témoins"), default=False)
    description_temoins = models.TextField(_("description des témoins"), blank=True)
    bureau_genre_id = models.CharField(_("bureau genre"), max_length=64, blank=True)
    pieces_jointes = models.JSONField(_("pièces jointes"), default=list, blank=True)
    statut = models.CharField(_("statut"), max_length=20, choices=Statut, default=Statut.NOUVEAU)
    priorite = models.CharField(_("priorité"), max_length=10, choices=Priorite, default=Priorite.MEDIUM)
    gestionnaire = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("gestionnaire"),
    )
    # Since when it is TRAITE or CLOTURE, coming from another status.
    date_resolution = models.DateTimeField(_("résolu le"), null=True, editable=False)
    # Since when it is CLOTURE: retention counts from there. Null also where nobody knows; it is then kept.
    date_cloture = models.DateTimeField(_("clôturé le"), null=True, editable=False)
    # Fingerprint of the facts: equal for two reports of one incident, however it was typed.
    empreinte_faits = models.UUIDField(editable=False)
    # Written with the rows of `RegleDeLecture`, under the lock of the case.
    ouvert_a = models.CharField(
        _("ouvert à"), max_length=6, choices=Ouverture, default=Ouverture.TOUS, db_default=Ouverture.TOUS.value
    )
    # The team that alone reads it, but for who is named; none: all of the staff.
    equipe = models.ForeignKey(
        Equipe,
        null=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("équipe"),
    )
    # Since when nobody active may read it, as the administrators were told.
    sans_lecteur_le = models.DateTimeField(null=True, editable=False)
    # Legal hold: retention deletes nothing of this case. For staff alone.
    gele_depuis = models.DateTimeField(_("gelé le"), null=True, editable=False)
    gel_motif = models.CharField(_("motif du gel"), max_length=255, blank=True, default="", db_default="")
    gele_par = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("gelé par"),
    )
    # What is promised of it and until when (`echeances.Echeance.forme`), written from these rows under the lock of the
    # case, for its readers; and the first day of those that are still to be kept.
    echeances = models.JSONField(default=list, db_default=[], editable=False)
    prochaine_echeance = models.DateField(null=True, editable=False)
    recherche = models.TextField(editable=False, default="")
    # The same, with the presumed author, at whom a search for one's own name does not look.
    recherche_auteur = models.TextField(editable=False, default="", db_default="")

    # Of one that an administrator has opened for a reason: until when they read it, and may only send it to a team.
    ouvert_jusqu_a: datetime | None = None

    objects = SignalementQuerySet.as_manager()
    # Annotated by `pour_lecture`, for one reader.
    messages_non_lus_count = 0

    class Meta(AvecActeur.Meta):
        base_manager_name = "objects"  # so that bulk writes through `_base_manager` pass its guard too
        verbose_name = _("signalement")
        constraints = [
            *AvecActeur.Meta.constraints,
            *Absorbable.Meta.constraints,
            models.UniqueConstraint(
                fields=["reference"], condition=Q(reference_tiree=True), name="signalement_reference_unique"
            ),
            models.CheckConstraint(condition=Q(statut__in=Statut.values), name="signalement_statut_connu"),
            models.CheckConstraint(condition=Q(priorite__in=Priorite.values), name="signalement_priorite_connue"),
            models.CheckConstraint(
                condition=Q(statut__in=RESOLUS, date_resolution__isnull=False)
                | (~Q(statut__in=RESOLUS) & Q(date_resolution__isnull=True)),
                name="signalement_date_resolution",
            ),
            models.CheckConstraint(condition=Q(ouvert_a__in=Ouverture.values), name="signalement_ouverture_connue"),
            models.CheckConstraint(
                condition=RESERVE
                | (Q(ouvert_a=Ouverture.TOUS) & ~D_UNE_EQUIPE)
                | (Q(ouvert_a=Ouverture.EQUIPE) & D_UNE_EQUIPE),
                name="signalement_ouvert_a_son_equipe",
            ),
        ]
        # Partial indexes serve the lists, which hold live reports alone; those by owner cover absorbed ones too. With
        # what says who may read (whose it is, to whom it is open) a long offset and a count read the index alone.
        indexes = [
            models.Index(fields=["-date_creation", "-id"], include=DROITS, condition=VIVANT, name="signalement_date"),
            models.Index(
                fields=["compte", "-date_creation", "-id"], include=["absorbe_par"], name="signalement_compte_date"
            ),
            # In the order in which a person's own dashboard groups them (`stats`), with what it sums.
            models.Index(
                fields=["compte", "statut", "priorite", "type"],
                include=["date_creation", "date_resolution"],
                condition=VIVANT,
                name="signalement_compte_groupes",
            ),
            models.Index(
                fields=["invite", "-date_creation", "-id"],
                condition=Q(invite__isnull=False),
                name="signalement_invite_date",
            ),
            *(
                models.Index(
                    fields=[champ, "-date_creation", "-id"],
                    include=DROITS,
                    condition=VIVANT,
                    name=f"signalement_{champ}_date",
                )
                for champ in ("statut", "type", "priorite")
            ),
            models.Index(
                fields=["date_creation", "id"],
                include=DROITS,
                condition=VIVANT & ~Q(statut__in=RESOLUS),
                name="signalement_non_traite_date",
            ),
            *(
                models.Index(
                    fields=["-date_creation", "-id"],
                    include=DROITS,
                    condition=VIVANT & condition,
                    name=f"signalement_{source.lower()}",
                )
                for source, condition in SOURCES.items()
            ),
            models.Index(
                fields=["gestionnaire", "-date_creation", "-id"],
                include=DROITS,
                condition=VIVANT & Q(gestionnaire__isnull=False),
                name="signalement_gestionnaire_date",
            ),
            # Those that nobody handles: all of them, and the open ones, of which there are few.
            models.Index(
                fields=["-date_creation", "-id"],
                include=DROITS,
                condition=VIVANT & Q(gestionnaire__isnull=True),
                name="signalement_sans_gestionnaire",
            ),
            models.Index(
                fields=["date_creation", "id"],
                include=DROITS,
                condition=VIVANT & Q(gestionnaire__isnull=True) & ~Q(statut__in=RESOLUS),
                name="signalement_a_attribuer",
            ),
            # What waits for somebody: the critical ones, of which there are few, and those of who handles them,
            # the longest without a change first.
            models.Index(
                fields=["date_creation", "id"],
                include=("gestionnaire", *DROITS),
                condition=VIVANT & Q(priorite=Priorite.CRITICAL) & ~Q(statut__in=RESOLUS),
                name="signalement_critique",
            ),
            models.Index(
                fields=["gestionnaire", "date_modification", "id"],
                include=DROITS,
                condition=VIVANT & Q(gestionnaire__isnull=False) & ~Q(statut__in=RESOLUS),
                name="signalement_suivi",
            ),
            models.Index(fields=["reference"], name="signalement_reference"),
            models.Index(
                RANG_D_URGENCE, "date_creation", "id", condition=VIVANT & EN_ALERTE, name="signalement_alerte"
            ),
            models.Index(fields=["absorbe_par"], condition=ABSORBE, name="signalement_absorbe_par"),
            models.Index(
                fields=["fusionne_de"], condition=Q(fusionne_de__isnull=False), name="signalement_fusionne_de"
            ),
            # Reserved ones, few of them: what they add to a reader's numbers, and what the register hides.
            # Looked up by its first column: of a partial index that is empty, SQLite expects half of the table.
            models.Index(fields=["ouvert_a", "id"], condition=RESERVE, name="signalement_reserve"),
            # In the order in which they fall due.
            models.Index(fields=["date_cloture", "id"], condition=VIVANT & EFFACABLE, name="signalement_echeance"),
            # The first to fall due first; those that are late begin it.
            models.Index(
                fields=["prochaine_echeance", "id"],
                include=("gestionnaire", *DROITS),
                condition=VIVANT & Q(prochaine_echeance__isnull=False),
                name="signalement_prochaine_date",
            ),
            # The same of who handles them, open.
            models.Index(
                fields=["gestionnaire", "prochaine_echeance", "id"],
                include=DROITS,
                condition=VIVANT & Q(prochaine_echeance__isnull=False) & ~Q(statut__in=RESOLUS),
                name="signalement_gestionnaire_jour",
            ),
            models.Index(fields=["gele_par"], condition=Q(gele_par__isnull=False), name="signalement_gele_par"),
            # Of a team that has few of many.
            models.Index(
                fields=["equipe", "-date_creation", "-id"],
                include=("compte", "ouvert_a"),
                condition=VIVANT & D_UNE_EQUIPE,
                name="signalement_equipe_date",
            ),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def statut_canonique(self) -> str:
        return CANONIQUE[self.statut]

    @property
    def reference_declaree(self) -> bool:
        return not self.reference_tiree

    @property
    def gestionnaire_nom(self) -> str | None:
        return self.gestionnaire.nom_complet if self.gestionnaire_id and self.gestionnaire else None

    @property
    def gele_par_nom(self) -> str | None:
        return self.gele_par.nom_complet if self.gele_par_id and self.gele_par else None

    @property
    def has_unread_updates(self) -> bool:
        return self.messages_non_lus_count > 0

    @property
    def conserve_jusquau(self) -> date | None:
        """The day until which this closed case is kept at least; None where none is set. A hold does not show in it."""
        if not settings.REPORTS_KEPT_DAYS or self.date_cloture is None or self.statut != Statut.CLOTURE:
            return None
        return jour_du_campus(self.date_cloture) + timedelta(days=settings.REPORTS_KEPT_DAYS)

    @property
    def heure_incident_connue(self) -> bool:
        """False where the date says a day alone, as the portal asks for it."""
        return self.date_incident is not None and (
            self.date_incident.astimezone(settings.TIME_ZONE_CAMPUS).time() != SANS_HEURE
        )

    @property
    def est_gele(self) -> bool:
        return self.gele_depuis is not None

    def est_visible_de(self, acteur: Acteur) -> bool:
        """The rule of `visibles_par`, without a query, for a loaded row that was joined to no other."""
        if acteur.possede(self):
            return True
        return acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS) and self.est_ouvert_a(acteur)

    def est_ouvert_a(self, acteur: Acteur) -> bool:
        """The rules of the case, for somebody of the team; what `LECTEURS` names, prefetched, costs no query."""
        if self.ouvert_a == Ouverture.TOUS:
            return True
        if self.ouvert_a == Ouverture.EQUIPE:
            return self._est_de_l_equipe(acteur)
        sienne = next((regle for regle in self.regles.all() if regle.compte_id == acteur.pk), None)
        if self.ouvert_a == Ouverture.SEULS:
            return sienne is not None and sienne.admis
        return sienne is None and self._est_de_l_equipe(acteur)

    def _est_de_l_equipe(self, acteur: Acteur) -> bool:
        return self.equipe is None or self.equipe.est_lue_par(acteur.pk)

    @property
    def est_reserve(self) -> bool:
        return self.ouvert_a in RESERVES

    @property
    def est_ouvert_a_tous(self) -> bool:
        return self.ouvert_a == Ouverture.TOUS

    @property
    def audience_de_l_equipe(self) -> str:
        """The audience of what is told of it where all of the staff listens."""
        return PUBLIC if self.equipe_id is None else d_equipe(self.equipe_id)

    @property
    def est_en_retard(self) -> bool:
        return self.prochaine_echeance is not None and self.prochaine_echeance < jour_du_campus()

    @property
    def titre_montre(self) -> Any:
        """The title for a page: lazy where nobody typed it."""
        return TITRE_SANS_TYPE if self.titre == str(TITRE_SANS_TYPE) else self.titre

    @property
    def jour_a_tenir(self) -> date | None:
        """The next promised day that a list tells; of a closed case only one that has passed."""
        return self.prochaine_echeance if self.est_en_retard or self.statut != Statut.CLOTURE else None

    @property
    def attend_un_message(self) -> bool:
        """True where a date is open: a message of the team may be what keeps it."""
        return self.prochaine_echeance is not None

    def pour_l_equipe(self, acteur: Acteur | None) -> bool:
        """True for staff, except on a case of their own: there they are its owner."""
        return acteur is not None and acteur.peut(Droit.SIGNALEMENTS_LIRE_EN_EQUIPE) and not acteur.possede(self)

    @property
    def se_cache(self) -> bool:
        """True where it hides its author."""
        return self.mode_identification != IDENTIFIE

    @property
    def est_resolu(self) -> bool:
        return self.statut in RESOLUS

    @property
    def a_une_alerte(self) -> bool:
        return self.statut in ALERTES

    def passer_a(self, statut: str) -> None:
        """Set the status and its dates on the instance; the caller saves `ETAPE`."""
        if statut != Statut.CLOTURE:
            self.date_cloture = None
        elif self.date_cloture is None or self.statut != Statut.CLOTURE:
            self.date_cloture = timezone.now()
        self.statut = statut
        if statut not in RESOLUS:
            self.date_resolution = None
        elif self.date_resolution is None:
            self.date_resolution = timezone.now()

    def indexer(self, *autres_references: str) -> None:
        """Recompute the search text and the fingerprint; call before saving a text. Staff search what they may read.

        `autres_references` are those of the reports joined to this one, under which it is found too.
        """
        masquer_ecrits(self)
        references = (self.reference, *autres_references)
        self.recherche = indexable(*references, self.titre, self.description, self.lieu_incident)
        self.recherche_auteur = f"{self.recherche} {indexable(self.auteur_presume)}".strip()
        self.empreinte_faits = condenser(
            self.type,
            horodatage(self.date_incident) if self.date_incident else None,
            sans_ponctuation(self.lieu_incident) or None,
            sans_ponctuation(self.description),
        )


class AvisDeSuppression(models.Model):
    """One day's notice to the administrators: cases closed before `clos_avant` may go once the notice has run."""

    jour = models.DateField(_("jour"), primary_key=True)
    clos_avant = models.DateField(_("clos avant le"))

    class Meta:
        verbose_name = _("avis de suppression")
        verbose_name_plural = _("avis de suppression")

    def __str__(self) -> str:
        return f"{self.jour} : {self.clos_avant}"


class AlerteDeDossier(models.Model):
    """An alert that no status raises, for the team alone; over (`date_fin`) once what raised it is seen to."""

    id = models.UUIDField(primary_key=True, editable=False)  # `alertes.cle`
    # Without a constraint: it is written under the lock of a discussion, which whoever deletes the case waits for,
    # and then takes both; waiting for the case in turn would be a deadlock.
    signalement = models.ForeignKey(
        Signalement,
        on_delete=models.PROTECT,
        related_name="alertes",
        db_index=False,
        db_constraint=False,
        verbose_name=_("signalement"),
    )
    nature = models.CharField(_("nature"), max_length=30, choices=NatureAlerte)
    objet = models.UUIDField()  # of MESSAGE_APRES_CLOTURE, the message
    date_creation = models.DateTimeField(default=timezone.now, editable=False)
    date_ecartement = models.DateTimeField(null=True, editable=False)
    ecartee_par = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    date_fin = models.DateTimeField(null=True, editable=False)

    objects = AlerteQuerySet.as_manager()

    class Meta:
        verbose_name = _("alerte")
        constraints = [
            models.UniqueConstraint(
                fields=["signalement", "nature"],
                condition=Q(date_fin__isnull=True, date_ecartement__isnull=True),
                name="alerte_ouverte_unique",
            ),
            models.CheckConstraint(condition=Q(nature__in=NatureAlerte.values), name="alerte_nature_connue"),
        ]
        indexes = [
            models.Index(
                fields=["date_creation", "id"],
                condition=Q(date_fin__isnull=True, date_ecartement__isnull=True),
                name="alerte_ouverte_date",
            ),
            models.Index(fields=["signalement"], name="alerte_signalement"),
            models.Index(fields=["signalement"], condition=Q(date_fin__isnull=True), name="alerte_en_cours"),
            models.Index(fields=["ecartee_par"], condition=Q(ecartee_par__isnull=False), name="alerte_ecartee_par"),
        ]

    def __str__(self) -> str:
        return f"{self.nature} {self.pk}"


class RegleDeLecture(ModeleBase):
    """One person of the team who is shut out of a case, or (`admis`) named among its only readers."""

    signalement = models.ForeignKey(
        Signalement, on_delete=models.PROTECT, related_name="regles", db_index=False, verbose_name=_("signalement")
    )
    compte = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("personne"),
    )
    admis = models.BooleanField(_("admise"))
    origine = models.CharField(
        _("origine"), max_length=10, choices=Origine, default=Origine.EQUIPE, db_default=Origine.EQUIPE
    )
    par = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("décidé par"),
    )

    class Meta:
        verbose_name = _("règle de lecture")
        verbose_name_plural = _("règles de lecture")
        constraints = [models.UniqueConstraint(fields=["signalement", "compte"], name="regle_une_par_personne")]
        indexes = [
            models.Index(fields=["compte"], name="regle_compte"),
            models.Index(fields=["par"], condition=Q(par__isnull=False), name="regle_par"),
        ]

    def __str__(self) -> str:
        return "admise" if self.admis else "écartée"


class OuvertureMotivee(ModeleBase):
    """An hour in which an administrator who is not of its team reads a case, for a reason that its readers are told."""

    ECRITS = ("motif",)

    signalement = models.ForeignKey(
        Signalement, on_delete=models.PROTECT, related_name="ouvertures", db_index=False, verbose_name=_("signalement")
    )
    compte = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("personne"),
    )
    motif = models.CharField(_("motif"), max_length=MOTIF_MAX)
    fin = models.DateTimeField(_("fin"))

    objects = OuvertureQuerySet.as_manager()

    class Meta:
        verbose_name = _("ouverture motivée")
        verbose_name_plural = _("ouvertures motivées")
        indexes = [
            models.Index(fields=["compte", "signalement", "fin"], name="ouverture_compte"),
            models.Index(fields=["signalement"], name="ouverture_signalement"),
        ]

    def __str__(self) -> str:
        return str(self.fin)


class EntreeTimeline(ModeleBase, AvecActeur):
    """One line of a case's history; an internal note is one that only staff see."""

    ECRITS = ("contenu",)

    signalement = models.ForeignKey(
        Signalement, on_delete=models.PROTECT, related_name="timeline", db_index=False, verbose_name=_("signalement")
    )
    type = models.CharField(_("type"), max_length=20, choices=TypeEntree)
    avant = models.CharField(_("avant"), max_length=20, blank=True)
    apres = models.CharField(_("après"), max_length=20, blank=True)
    # The text of a note, the name of who was assigned, of a team and on a second line why: for staff. The name of a
    # file, as others than its owner read it.
    contenu = models.TextField(_("contenu"), blank=True)

    objects = EntreeQuerySet.as_manager()

    class Meta(AvecActeur.Meta):
        verbose_name = _("entrée d'historique")
        verbose_name_plural = _("entrées d'historique")
        indexes = [
            models.Index(fields=["signalement", "date_creation", "id"], name="entree_signalement_date"),
            models.Index(fields=["compte"], name="entree_compte"),
            models.Index(fields=["invite"], condition=Q(invite__isnull=False), name="entree_invite"),
            models.Index(fields=["fusionne_de"], condition=Q(fusionne_de__isnull=False), name="entree_fusionne_de"),
        ]

    def __str__(self) -> str:
        return self.get_type_display()

    @property
    def ancien_statut(self) -> str | None:
        return self.avant or None if self.type == TypeEntree.STATUT else None

    @property
    def nouveau_statut(self) -> str | None:
        return self.apres or None if self.type in (TypeEntree.STATUT, TypeEntree.CREATION) else None

    @property
    def est_d_une_regle(self) -> bool:
        return self.type == TypeEntree.ASSIGNATION and self.apres == PAR_REGLE

    def decrire(self, *, pour_l_equipe: bool, tape: "Tape" = str) -> str:
        """The sentence of this line, in the active language; the handler's name only with `pour_l_equipe`.

        `tape` renders what people typed in it: a page sets that apart from the words of ours.
        """
        if self.type == TypeEntree.NOTE:
            return tape(self.contenu)
        if self.type in _MOTIVEES:
            return _MOTIVEES[self.type](self.contenu, tape)
        if self.type == TypeEntree.ECHEANCE:
            return decrire_l_echeance(self.apres, self.avant, self.contenu, tape)
        if self.type in _A_QUI:
            if pour_l_equipe:
                return _A_QUI[self.type](self.contenu, tape)
            return traduit(_A_UN_TIERS[self.type, not self.contenu])
        if self.type in _PIECES:
            return str(_(_PIECES[self.type])) % {"nom": tape(self.contenu)}
        if self.type in _CHANGEMENTS:
            phrase, valeurs = _CHANGEMENTS[self.type]
            return str(_(phrase)) % {"avant": valeurs(self.avant).label, "apres": valeurs(self.apres).label}
        return traduit(_PHRASES[self.type])


class Effectif(models.Model):
    """Delta row of one cell of the counters, or of a cell on each of several axes; `plie`: the folded sum of one."""

    axe = models.CharField(max_length=12, choices=Axe)
    jour = models.DateField(default=TOUJOURS)
    type = models.CharField(max_length=50, default="", blank=True)
    statut = models.CharField(max_length=20, default="", blank=True)
    priorite = models.CharField(max_length=10, default="", blank=True)
    mode = models.CharField(max_length=50, default="", blank=True)
    source = models.CharField(max_length=10, default="", blank=True)
    gestionnaire = models.CharField(max_length=36, default="", blank=True)
    equipe = models.UUIDField(default=SANS_EQUIPE, db_default=SANS_EQUIPE)
    nombre = models.BigIntegerField()
    resolus = models.BigIntegerField()
    secondes = models.BigIntegerField()
    plie = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["axe", "jour", "type", "statut", "priorite", "mode", "source", "gestionnaire", "equipe"],
                condition=Q(plie=True),
                name="effectif_ligne_pliee_unique",
            )
        ]
        indexes = [
            # With all that is summed: the cells of a span of days lie all over the table.
            models.Index(
                fields=["axe", "jour"],
                include=[
                    "type",
                    "statut",
                    "priorite",
                    "mode",
                    "source",
                    "gestionnaire",
                    "equipe",
                    "nombre",
                    "resolus",
                    "secondes",
                ],
                name="effectif_axe_jour_equipes",
            ),
            models.Index(fields=["id"], condition=Q(plie=False), name="effectif_a_plier"),
        ]

    def __str__(self) -> str:
        return f"{self.axe} {self.jour}"


Tape = Callable[[str], str]
_CHANGEMENTS: dict[str, tuple[str, Any]] = {
    TypeEntree.STATUT: (gettext_noop("Statut : %(avant)s → %(apres)s."), Statut),
    TypeEntree.PRIORITE: (gettext_noop("Priorité : %(avant)s → %(apres)s."), Priorite),
}


def _decrire_l_assignation(nom: str, tape: Tape) -> str:
    return str(_("Dossier confié à %(nom)s.")) % {"nom": tape(nom)} if nom else traduit(_RENDU)


def _decrire_l_equipe(contenu: str, tape: Tape) -> str:
    """The line of a case that changed teams: a name, none for all of the staff, and why."""
    nom, motif = contenu.split("\n", 1)
    if not nom:
        return str(_("Dossier ouvert à toute l'équipe : %(motif)s")) % {"motif": tape(motif)}
    return str(_("Dossier confié à l'équipe « %(nom)s » : %(motif)s")) % {"nom": tape(nom), "motif": tape(motif)}


def _decrire_l_ouverture(motif: str, tape: Tape) -> str:
    return str(_("Dossier ouvert par l'administration pour %(n)d minutes : %(motif)s")) % {
        "n": OUVERTURE_MINUTES,
        "motif": tape(motif),
    }


def _decrire_la_lecture_rendue(motif: str, tape: Tape) -> str:
    """The line of a case whose author had shut somebody out, and why that is so no more; the list says who is."""
    phrase = _("L'administration est revenue sur qui ne doit pas lire ce dossier : %(motif)s")
    return str(phrase) % {"motif": tape(motif)}


_RENDU = gettext_noop("Dossier rendu à l'équipe.")
# The same for all who read the line.
_MOTIVEES: dict[str, Callable[[str, Tape], str]] = {
    TypeEntree.OUVERTURE: _decrire_l_ouverture,
    TypeEntree.LECTURE_RENDUE: _decrire_la_lecture_rendue,
}
# The same for staff, from what the line holds, and for anybody else, whether it holds nothing.
_A_QUI: dict[str, Callable[[str, Tape], str]] = {
    TypeEntree.ASSIGNATION: _decrire_l_assignation,
    TypeEntree.EQUIPE: _decrire_l_equipe,
}
_A_UN_TIERS: dict[tuple[str, bool], str] = {
    (TypeEntree.ASSIGNATION, False): gettext_noop("Dossier confié à une personne de l'équipe."),
    (TypeEntree.ASSIGNATION, True): _RENDU,
    (TypeEntree.EQUIPE, False): gettext_noop("Dossier confié à d'autres personnes de l'équipe."),
}
_PIECES: dict[str, str] = {
    TypeEntree.PIECE_SUPPRIMEE: gettext_noop("Pièce jointe supprimée : %(nom)s."),
    TypeEntree.PIECE_RETABLIE: gettext_noop("Pièce jointe rétablie : %(nom)s."),
}
_PHRASES: dict[str, str] = {
    TypeEntree.CREATION: gettext_noop("Signalement reçu."),
    TypeEntree.FUSION: gettext_noop("Dossier rattaché à un compte."),
    TypeEntree.ALERTE_ECARTEE: gettext_noop("Alerte écartée."),
    TypeEntree.RETRAIT: gettext_noop("Retrait de soi-même : cette personne ne lit plus ce dossier."),
}
