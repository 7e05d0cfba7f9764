"""The lists of the workspace: which reports each holds, and how many, in a number of queries that does not grow."""

from collections.abc import Collection, Iterable
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce, Greatest

from accounts.models import Compte, Invitation, SecondFacteur
from accounts.services.comptes import tenus_par
from accounts.vocabulaire import StatutInvitation, sauf_le_nom
from discussions.models import Discussion
from discussions.non_lus import dossiers_non_lus
from espace.vocabulaire import (
    A_FAIRE,
    A_MOI,
    APRES_CLOTURE,
    CLOS,
    DE_DATE,
    EN_RETARD,
    EQUIPE_MAX,
    JAMAIS_LUS,
    NON_ATTRIBUES,
    NON_LUS,
    OUVERTS,
    PARTIS_MAX,
)
from homonymes.permissions import a_decider
from signalements.compteurs.lectures import lire
from signalements.lecteurs import deplacables, sans_lecteur
from signalements.models import AlerteDeDossier, Signalement
from signalements.vocabulaire import BIENTOT as PROCHE
from signalements.vocabulaire import RESOLUS, Axe, NatureAlerte
from socle.api.pagination import PLAFOND
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit, roles_ayant
from socle.domaine.temps import jour_du_campus
from socle.moteur.conditions import NombreDe, ParmiCellesDe, ParmiCes
from socle.moteur.lectures import preparee

# Of a case: what was last done with it that its author may see, or written in one of its discussions.
DERNIERE_ACTIVITE = Greatest(
    F("date_modification"),
    Coalesce(
        Subquery(
            Discussion.objects.vivants()
            .filter(signalement=OuterRef("pk"))
            .order_by("-date_modification")
            .values("date_modification")[:1]
        ),
        F("date_modification"),
    ),
)


def membres_de_l_equipe() -> list[Any]:
    """List who may enter the workspace, by name, each with `second_facteur_actif`; the first `EQUIPE_MAX`."""
    actifs = SecondFacteur.objects.filter(pk=OuterRef("pk"), date_activation__isnull=False)
    equipe = Compte.objects.filter(type_utilisateur__in=roles_ayant(Droit.ESPACE_ENTRER), est_actif=True)
    return list(equipe.annotate(second_facteur_actif=Exists(actifs)).order_by("nom", "prenom", "pk")[:EQUIPE_MAX])


def anciens_membres() -> list[Compte]:
    """List the accounts of the team that are deactivated, and not erased, by name; the first `EQUIPE_MAX`."""
    equipe = Compte.objects.filter(type_utilisateur__in=roles_ayant(Droit.ESPACE_ENTRER))
    anciens = equipe.filter(est_actif=False, date_effacement__isnull=True)
    return list(anciens.order_by("nom", "prenom", "pk")[:EQUIPE_MAX])


def invitations_en_attente() -> list[Invitation]:
    """List the invitations that nobody has accepted, over or not, newest first, each with its sender; `EQUIPE_MAX`."""
    attendues = Invitation.objects.filter(statut=StatutInvitation.PENDING).select_related("invitee_par")
    attendues = attendues.defer(*sauf_le_nom("invitee_par"))
    return list(attendues.order_by("-date_creation", "-id")[:EQUIPE_MAX])


def dossiers_tenus(acteur: Acteur, compte: Compte) -> Any:
    """Filter to the open cases that this account handles, and this reader may read, the latest first; not one's own."""
    return _tenus_par(acteur, [compte.pk]).order_by("-date_creation", "-id")


@tenus_par("dossiers")
def combien_en_tiennent(acteur: Acteur, comptes: Collection[UUID]) -> dict[UUID, int]:
    """Map the accounts that hold any to the number of their `dossiers_tenus`, in one query."""
    tenus = _tenus_par(acteur, comptes).order_by().values_list("gestionnaire")
    return dict(tenus.annotate(Count("pk")))


def _tenus_par(acteur: Acteur, comptes: Collection[UUID]) -> Any:
    tenus = Signalement.objects.visibles_par(acteur).ouverts().filter(gestionnaire__in=comptes)
    return tenus.exclude(compte=acteur.pk)


def combien_en_tient(acteur: Acteur, compte: Compte) -> "Nombre":
    """Count of `dossiers_tenus`."""
    return _plafonner(dossiers_tenus(acteur, compte)[: PLAFOND + 1].count())


class Nombre(NamedTuple):
    """Count that is exact, or `PLAFOND` and more."""

    nombre: int
    plafonne: bool = False


class Comptage(NamedTuple):
    """Counts of the reports in each list; the person's free settings, read with them; the handlers of open cases."""

    nombres: dict[str, Nombre]
    parametres: dict[str, Any]
    responsables: set[str]


COMPTEES = (A_MOI, NON_ATTRIBUES, NON_LUS, JAMAIS_LUS, *DE_DATE, OUVERTS, CLOS)  # A_FAIRE is two of them


class Selections:
    """The reports of each list for one person; what is unread is looked up once."""

    def __init__(
        self, acteur: Acteur, lignes: Any = None, *, non_lus: Any = None, jours: tuple[Any, Any] | None = None
    ) -> None:
        """`lignes`: the columns that a page needs of a case, where those of a list are too many.

        Of a prepared read, `non_lus` and `jours` (today, and the last day that is near) are their placeholders.
        """
        self.acteur = acteur
        self.non_lus = dossiers_non_lus(acteur) if non_lus is None else non_lus
        self._jour: Any
        self._dernier: Any
        self._jour, self._dernier = _jours() if jours is None else jours
        self._colonnes = lignes

    @cached_property
    def _lignes(self) -> Any:
        if self._colonnes is not None:
            return self._colonnes.visibles_par(self.acteur)
        toutes = Signalement.objects.pour_lecture(self.acteur).annotate(activite=DERNIERE_ACTIVITE)
        return toutes.visibles_par(self.acteur)

    def lignes(self, vue: str) -> QuerySet[Any]:
        """Read a list, in no order of its own."""
        return self._de(vue, self._lignes)

    def par_responsable(self) -> tuple[Any, Any]:
        """Read one's own open cases, the longest without a change first, then nobody's, the longest received first."""
        siens = self._de(A_MOI, self._lignes).order_by("date_modification", "id")
        return siens, self._de(NON_ATTRIBUES, self._lignes).order_by("date_creation", "id")

    def _de(self, vue: str, lignes: Any) -> QuerySet[Any]:
        """Narrow to a list; one's own reports are in neither of the two that would tell who handles them."""
        if vue == CLOS:
            return lignes.resolus()
        if vue == JAMAIS_LUS:
            return lignes.resolus().filter(ParmiCellesDe(F("pk"), _ou_un_message_attend()))
        if vue in DE_DATE:
            return lignes.en_retard(self._jour) if vue == EN_RETARD else lignes.entre(self._jour, self._dernier)
        if vue == NON_LUS:
            return lignes.filter(ParmiCes(F("pk"), self.non_lus))
        if vue == A_FAIRE:
            return lignes.a_faire_par(self.acteur)
        responsables = {A_MOI: Q(gestionnaire=self.acteur.pk), NON_ATTRIBUES: Q(gestionnaire=None)}
        if vue in responsables:
            return lignes.ouverts().filter(responsables[vue]).exclude(compte=self.acteur.pk)
        return lignes.ouverts()

    def apres_cloture(self, vue: str, lignes: Any = None) -> QuerySet[Any]:
        """Ended cases whose author has written since, newest first, for the list of who handles them.

        Of nobody's, and of who has left the team, for the list of those that nobody handles.
        """
        en_cours = AlerteDeDossier.objects.filter(nature=NatureAlerte.MESSAGE_APRES_CLOTURE, date_fin__isnull=True)
        siens = (self._lignes if lignes is None else lignes).resolus().exclude(compte=self.acteur.pk)
        siens = siens.filter(ParmiCellesDe(F("pk"), en_cours.order_by().values("signalement"))).order_by(
            "-date_creation", "-id"
        )
        soi = Q(gestionnaire=self.acteur.pk)
        # Of who has left the team, nobody else is told first.
        actifs = Compte.objects.equipe_active().order_by().values("pk")
        if vue == A_MOI:
            return siens.filter(soi)
        sans_responsable = Q(gestionnaire=None) | ~Q(gestionnaire__in=actifs)
        return siens.filter(soi | sans_responsable if vue == A_FAIRE else sans_responsable)

    def nombres(self) -> dict[str, Any]:
        """The count of each list of `COMPTEES` as an expression."""
        visibles = Signalement.objects.visibles_par(self.acteur).order_by("-date_creation", "-id")
        reserves = visibles.reserves().order_by()  # those of the last two that no counter holds
        comptes: dict[str, Any] = {
            vue: NombreDe(
                self._de(vue, reserves).values("pk")
                if vue in (OUVERTS, CLOS)
                else self._de(vue, visibles).values("pk")[: PLAFOND + 1]
            )
            for vue in COMPTEES
        }
        for vue in APRES_CLOTURE:  # first in these lists, and counted with them
            siens = self.apres_cloture(vue, Signalement.objects.visibles_par(self.acteur)).order_by()
            comptes[vue] = comptes[vue] + NombreDe(siens.values("pk")[: PLAFOND + 1])
        return comptes

    def compter(self) -> Comptage:
        """All the counts, in two statements: by the rows that a person sees, and by the counters kept of all."""
        *lus, libres = _comptes(self.acteur, self.non_lus, self._jour, self._dernier).premiere()
        nombres = {vue: _plafonner(n) for vue, n in zip(COMPTEES, lus, strict=True)}
        tenus = lire(
            "axe", "statut", "gestionnaire", axe__in=(Axe.TOUT, Axe.ENSEMBLE, Axe.GESTIONNAIRE), lecteur=self.acteur
        )
        par_axe = [(axe, statut in RESOLUS, qui, mesures.nombre) for (axe, statut, qui), mesures in tenus.items()]
        ouverts = sum(n for axe, est_fini, _qui, n in par_axe if axe != Axe.GESTIONNAIRE and not est_fini)
        clos = sum(n for axe, est_fini, _qui, n in par_axe if axe != Axe.GESTIONNAIRE and est_fini)
        qui_en_a = {qui for axe, est_fini, qui, n in par_axe if axe == Axe.GESTIONNAIRE and n > 0 and not est_fini}
        nombres[OUVERTS] = Nombre(nombres[OUVERTS].nombre + ouverts)
        nombres[CLOS] = Nombre(nombres[CLOS].nombre + clos)
        deux = nombres[A_MOI], nombres[NON_ATTRIBUES]
        total = _plafonner(sum(un.nombre for un in deux))
        nombres[A_FAIRE] = Nombre(total.nombre, total.plafonne or any(un.plafonne for un in deux))
        return Comptage(nombres, libres or {}, qui_en_a)


@preparee
def _comptes(acteur: Acteur, non_lus: list[UUID], jour: date, dernier: date) -> QuerySet[Any]:
    """One row: the counts of `COMPTEES`, then the person's free settings."""
    comptes = Selections(acteur, non_lus=non_lus, jours=(jour, dernier)).nombres()
    noms = {f"n{rang}": compte for rang, compte in enumerate(comptes.values())}
    soi = Compte.objects.filter(pk=acteur.pk).order_by()
    return soi.annotate(**noms, libres=F("preferences__parametres")).values_list(*noms, "libres")


def _jours() -> tuple[date, date]:
    """Today, and the last day that is near."""
    jour = jour_du_campus()
    return jour, jour + PROCHE


def _ou_un_message_attend() -> Any:
    """Keys of the reports with messages of their author that nobody else has read; by the partial index on them."""
    fils = Discussion.objects.vivants().jamais_lues().filter(signalement__isnull=False)
    return fils.order_by().values("signalement")


def equipe(acteur: Acteur, responsables: Iterable[str]) -> tuple[list[Compte], list[tuple[Compte, Nombre]]]:
    """List the people who may handle a case, by name; then those who left the team and handle open ones, and how many.

    No list of anybody's has the latter's. Not one's own.
    """
    comptes = _equipe(acteur, [UUID(cle) for cle in responsables]).tranche(0, EQUIPE_MAX + PARTIS_MAX)
    partis = [(un, _plafonner(un.restent)) for un in comptes if not un.en_fonction][:PARTIS_MAX]
    return [un for un in comptes if un.en_fonction], [(un, nombre) for un, nombre in partis if nombre.nombre]


@preparee
def _equipe(acteur: Acteur, responsables: list[UUID]) -> QuerySet[Any]:
    """People who may handle a case, and others who handle an open one, annotated `en_fonction` and `restent`."""
    ouverts = Signalement.objects.visibles_par(acteur).ouverts().order_by()
    reserves = ouverts.reserves().filter(gestionnaire__isnull=False)  # no counter holds them
    siens = ouverts.filter(gestionnaire=OuterRef("pk")).exclude(compte=acteur.pk).values("pk")[: PLAFOND + 1]
    gerent = Q(ParmiCes(F("pk"), responsables)) | Q(pk__in=reserves.values("gestionnaire"))
    actifs = Compte.objects.equipe_active()
    lus = (actifs | Compte.objects.filter(gerent)).annotate(
        en_fonction=Exists(actifs.filter(pk=OuterRef("pk"))),
        restent=Case(When(en_fonction=True, then=0), default=NombreDe(siens)),
    )
    return lus.order_by("en_fonction", "nom", "prenom", "pk")


def noms_a_verifier(acteur: Acteur) -> int:
    """Number of names that wait for this administrator to say who they are of; 0 for anybody else."""
    return int(a_decider(acteur).count()) if acteur.peut(Droit.SIGNALEMENTS_ROUVRIR) else 0


def sans_lecteur_pour(acteur: Acteur) -> list[Signalement]:
    """Cases that nobody may read any more, for an administrator who was not shut out of them."""
    if not acteur.peut(Droit.SIGNALEMENTS_ROUVRIR):
        return []
    return list(deplacables(sans_lecteur(), acteur).only("reference", "equipe")[:PARTIS_MAX])


def _plafonner(compte: int) -> Nombre:
    return Nombre(min(compte, PLAFOND), compte > PLAFOND)
