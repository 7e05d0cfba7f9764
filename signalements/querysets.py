from collections.abc import Callable
from typing import Any

from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, SmallIntegerField, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce
from django.db.models.lookups import IsNull
from django.utils import timezone

from accounts.vocabulaire import sauf_le_nom
from equipes.models import Equipe, MembreDEquipe
from signalements.comptees import LignesComptees
from signalements.vocabulaire import (
    ALERTES,
    ALERTES_DE_DATE,
    DE_L_AUTEUR_SEUL,
    DE_L_EQUIPE_SEULE,
    IDENTIFIE,
    RECHERCHES,
    RESERVES,
    RESOLUS,
    Ouverture,
    Priorite,
    TypeEntree,
)
from socle.domaine.acteurs import Acteur, SourceActeur
from socle.domaine.droits import Droit
from socle.domaine.recherche import correspond
from socle.domaine.registre import Registre
from socle.domaine.temps import jour_du_campus
from socle.moteur.conditions import Mot, ParmiCes

# Column name -> expression for one reader; the app of the conversation fills `messages_non_lus_count`.
annotation_lecture: Registre[Callable[[Acteur], Any]] = Registre(
    "lecture d'un signalement", attendus=["messages_non_lus_count"]
)
# "cles" -> (reader) -> the keys of the reports with messages that this reader has not read, a bounded number.
avec_non_lus: Registre[Callable[[Acteur], Any]] = Registre("signalements avec du non-lu", attendus=["cles"])
# The most urgent first.
RANG_D_URGENCE = Case(
    *(When(priorite=priorite, then=Value(rang)) for rang, priorite in enumerate(reversed(Priorite))),
    output_field=SmallIntegerField(),
)
# `identite.source_montree` in SQL, for all but the owner: a guest's report that hides its author stays GUEST,
# whatever a merge has made of it since. Each condition has its index.
SOURCES = {
    SourceActeur.GUEST: Q(invite__isnull=False) | (Q(fusionne_de__isnull=False) & ~Q(mode_identification=IDENTIFIE)),
    SourceActeur.AUTH_USER: Q(invite__isnull=True) & (Q(fusionne_de__isnull=True) | Q(mode_identification=IDENTIFIE)),
}
# Written out, these lists find the partial indexes on them.
_RESOLUS = [Mot(statut) for statut in RESOLUS]
_RESERVES = [Mot(ouverture) for ouverture in RESERVES]


class SommeEntiere(Sum):
    """A sum of whole numbers, as one: PostgreSQL would answer a decimal, which is slow to read and to convert."""

    convert_value = staticmethod(lambda valeur, _expression, _connexion: valeur)

    def as_postgresql(self, compiler: Any, connection: Any, **contexte: Any) -> Any:
        texte, parametres = self.as_sql(compiler, connection, **contexte)
        return f"({texte})::bigint", parametres


class SignalementQuerySet(LignesComptees):
    def pour_lecture(self, acteur: Acteur) -> "SignalementQuerySet":
        """All that a response needs, newest first, in a number of queries that does not grow with the page."""
        lignes: SignalementQuerySet = self.vivants().select_related("gestionnaire").annotate(**_annotations(acteur))
        # The search text is longer than the report.
        lignes = lignes.defer(*RECHERCHES, *sauf_le_nom("gestionnaire"))
        return lignes.order_by("-date_creation", "-id")

    def completer(self, ligne: Any, acteur: Acteur) -> Any:
        """Set on a row just written the annotations of `pour_lecture`, in one query: its answer alone needs them."""
        annotations = _annotations(acteur)
        lues = self.order_by().filter(pk=ligne.pk).annotate(**annotations).values(*annotations).get()
        for nom, valeur in lues.items():
            setattr(ligne, nom, valeur)
        return ligne

    def visibles_par(self, acteur: Acteur) -> "SignalementQuerySet":
        """Staff see all that is open to them; anyone else their own. A report joined to another is seen as that one."""
        if acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS):
            return self.vivants().filter(self._ouverts_a(acteur) | Q(compte=acteur.compte))
        return self.vivants().de(acteur)

    def reserves(self) -> "SignalementQuerySet":
        """Filter to the cases that some of the team may not read, by the partial index on them."""
        return self.filter(ouvert_a__in=_RESERVES)

    def fermes_a(self, acteur: Acteur) -> "SignalementQuerySet":
        """Live reserved reports that this person of the team may not read; those of other teams are apart, and many."""
        visibles = self.model._base_manager.visibles_par(acteur).order_by().filter(pk=OuterRef("pk"))
        return self.vivants().reserves().filter(~Exists(visibles))

    def fermes_un_a_un(self, acteur: Acteur) -> "SignalementQuerySet":
        """Reports that this person of the staff may not read, or that lead to such a case, to be asked one by one."""
        visibles = self.model._base_manager.visibles_par(acteur).order_by()
        cas = Coalesce(OuterRef("absorbe_par"), OuterRef("pk"))
        return self.filter(~Exists(visibles.filter(pk=cas))).order_by()

    def d_autres_equipes(self, acteur: Acteur) -> "SignalementQuerySet":
        """Live reports of teams that this person is not of, and that are not theirs: many, to be asked one by one."""
        siennes = MembreDEquipe.objects.equipes_de(acteur.compte)
        lignes = self.vivants().filter(ouvert_a=Ouverture.EQUIPE, equipe__isnull=False).exclude(equipe__in=siennes)
        return lignes.exclude(compte=acteur.compte).order_by()

    def _ouverts_a(self, acteur: Acteur) -> Q:
        """Condition of the cases whose rules let this person read; they are looked up for a reserved one alone."""
        regles = self.model._meta.get_field("regles").related_model.objects.order_by()
        sienne = regles.filter(signalement=OuterRef("pk"), compte=acteur.compte)
        d_une_des_siennes = Q(equipe__in=MembreDEquipe.objects.equipes_de(acteur.compte))
        return (
            Q(ouvert_a=Ouverture.TOUS)
            | (Q(ouvert_a=Ouverture.EQUIPE) & d_une_des_siennes)
            | (Q(ouvert_a=Ouverture.SAUF) & (Q(equipe__isnull=True) | d_une_des_siennes) & ~Exists(sienne))
            | (Q(ouvert_a=Ouverture.SEULS) & Exists(sienne.filter(admis=True)))
        )

    def de(self, acteur: Acteur) -> "SignalementQuerySet":
        if acteur.invite is not None:
            return self.filter(invite=acteur.invite)
        return self.filter(compte=acteur.compte)

    def crees(self, depuis: Any, avant: Any) -> "SignalementQuerySet":
        """Filter by moment of creation, in [depuis, avant[; None does not limit."""
        lignes = self if depuis is None else self.filter(date_creation__gte=depuis)
        return lignes if avant is None else lignes.filter(date_creation__lt=avant)

    def de_source(self, source: str) -> "SignalementQuerySet":
        """Filter by the source that the team is shown (`SOURCES`)."""
        return self.filter(SOURCES[SourceActeur(source)])

    def ouverts(self) -> "SignalementQuerySet":
        """Reports neither TRAITE nor CLOTURE."""
        return self.exclude(statut__in=_RESOLUS)

    def resolus(self) -> "SignalementQuerySet":
        return self.filter(statut__in=_RESOLUS)

    def non_traites(self) -> "SignalementQuerySet":
        """The open ones, the oldest first."""
        return self.ouverts().order_by("date_creation", "id")

    def a_faire_par(self, acteur: Acteur) -> "SignalementQuerySet":
        """The open ones that this person or nobody handles; none of their own, of which they may not know who does."""
        return self.ouverts().filter(Q(gestionnaire=acteur.pk) | Q(gestionnaire=None)).exclude(compte=acteur.pk)

    def en_alerte(self) -> "SignalementQuerySet":
        """Reports whose status raises an alert, by urgency, then the oldest first."""
        return self.filter(statut__in=list(ALERTES)).order_by(RANG_D_URGENCE, "date_creation", "id")

    def en_retard(self, jour: Any = None) -> "SignalementQuerySet":
        """Reports with a promised day before this one (today), of any status, the longest first."""
        return self.filter(prochaine_echeance__lt=jour or jour_du_campus()).par_echeance()

    def entre(self, jour: Any, dernier: Any) -> "SignalementQuerySet":
        """Reports whose next promised day is one of these, the first first."""
        return self.filter(prochaine_echeance__range=(jour, dernier)).par_echeance()

    def par_echeance(self) -> "SignalementQuerySet":
        """Reports with a day still to keep, the first first."""
        return self.filter(prochaine_echeance__isnull=False).order_by("prochaine_echeance", "id")

    def non_lus_de(self, acteur: Acteur) -> "SignalementQuerySet":
        """Reports of any status with messages that this reader has not read."""
        return self.filter(ParmiCes(F("pk"), avec_non_lus["cles"](acteur)))

    def de_reference(self, reference: str) -> "SignalementQuerySet":
        """Reports that bear this reference, by its index, or to which one that bears it was joined."""
        portees = self.model._base_manager.filter(reference=reference).order_by()
        return self.filter(pk__in=portees.values_list(Coalesce("absorbe_par_id", "pk")))

    def cherches(self, question: str, acteur: Acteur) -> "SignalementQuerySet":
        """Search the texts; the presumed author too, except for who looks for themself: they may be that author.

        What is found without the author is among what is found with them, whose column is the one that has an index.
        """
        avec_auteur = correspond(question, "recherche_auteur")
        return self.filter(
            avec_auteur & correspond(question, "recherche") if acteur.compte.se_cherche(question) else avec_auteur
        )


def _annotations(acteur: Acteur) -> dict[str, Any]:
    return {nom: expression(acteur) for nom, expression in annotation_lecture.items()}


def hors_d_autres_equipes(dossiers: SignalementQuerySet, acteur: Acteur, colonne: str) -> Any:
    """Condition on rows that name a case in `colonne`: none of another team. Nothing is looked up without a team."""
    # A value, and no EXISTS, of which PostgreSQL may make a table of all the cases of the other teams, each time.
    d_une_autre = Subquery(dossiers.d_autres_equipes(acteur).filter(pk=OuterRef(colonne)).values("pk"))
    return Q(~Exists(Equipe.objects.order_by())) | Q(IsNull(d_une_autre, True))


class AlerteQuerySet(models.QuerySet[Any]):
    def ouvertes(self) -> "AlerteQuerySet":
        """Neither over nor dismissed, the oldest first."""
        return self.filter(date_fin__isnull=True, date_ecartement__isnull=True).order_by("date_creation", "id")

    def visibles_par(self, acteur: Acteur) -> "AlerteQuerySet":
        """Of the cases that this person of the team reads and did not write; nobody else sees any."""
        if not acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS):
            return self.none()
        dossiers = self.model._meta.get_field("signalement").related_model.objects.visibles_par(acteur)
        siens = dossiers.exclude(compte=acteur.compte).order_by()
        finis = siens.resolus().values("pk")
        de_date = Q(nature__in=ALERTES_DE_DATE, signalement__in=siens.values("pk"))
        return self.filter(de_date | Q(signalement__in=finis))


class OuvertureQuerySet(models.QuerySet[Any]):
    def en_cours(self, acteur: Acteur) -> "OuvertureQuerySet":
        """Openings of this person that have not ended, the latest first."""
        return self.filter(compte=acteur.pk, fin__gt=timezone.now()).order_by("-fin", "-id")


class EntreeQuerySet(models.QuerySet[Any]):
    def pour_lecture(self, *, pour_l_equipe: bool) -> "EntreeQuerySet":
        """Oldest first; internal notes, and who opened the case for a reason, are for staff only.

        Why somebody reads it again whom its author had shut out is for that author only.
        The merge line of a case that hides its author is for that author: one date on two cases would tie them.
        """
        lignes = self.select_related("compte").defer(*sauf_le_nom("compte")).order_by("date_creation", "id")
        if not pour_l_equipe:
            return lignes.exclude(type__in=DE_L_EQUIPE_SEULE)
        lignes = lignes.exclude(type=DE_L_AUTEUR_SEUL)
        return lignes.exclude(Q(type=TypeEntree.FUSION) & ~Q(signalement__mode_identification=IDENTIFIE))
