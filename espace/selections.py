"""The lists of the workspace: which reports each holds, and how many, in a number of queries that does not grow."""

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When

from accounts.models import Compte, Invitation, SecondFacteur
from accounts.vocabulaire import StatutInvitation
from discussions.models import Discussion
from discussions.non_lus import dossiers_non_lus
from espace.vocabulaire import (
    A_MOI,
    ANCIENS,
    APRES_CLOTURE,
    CLOS,
    EQUIPE_MAX,
    JAMAIS_LUS,
    NON_ATTRIBUES,
    NON_LUS,
    OUVERTS,
    PARTIS_MAX,
    TAILLE,
)
from signalements.compteurs.lectures import lire
from signalements.lecteurs import rouvrables, sans_lecteur
from signalements.models import AlerteDeDossier, Signalement
from signalements.vocabulaire import RESOLUS, Axe, NatureAlerte
from socle.api.pagination import PLAFOND
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit, roles_ayant
from socle.moteur.conditions import NombreDe, ParmiCes


def membres_de_l_equipe() -> list[Any]:
    """List who may enter the workspace, by name, each with `second_facteur_actif`; the first `EQUIPE_MAX`."""
    actifs = SecondFacteur.objects.filter(pk=OuterRef("pk"), date_activation__isnull=False)
    equipe = Compte.objects.filter(type_utilisateur__in=roles_ayant(Droit.ESPACE_ENTRER), est_actif=True)
    return list(equipe.annotate(second_facteur_actif=Exists(actifs)).order_by("nom", "prenom", "pk")[:EQUIPE_MAX])


def invitations_en_attente() -> list[Invitation]:
    """List the invitations that nobody has accepted, over or not, newest first; the first `EQUIPE_MAX`."""
    attendues = Invitation.objects.filter(statut=StatutInvitation.PENDING)
    return list(attendues.order_by("-date_creation", "-id")[:EQUIPE_MAX])


class Nombre(NamedTuple):
    """Count that is exact, or `PLAFOND` and more."""

    nombre: int
    plafonne: bool = False


class Comptage(NamedTuple):
    """Counts of the reports in each list; the person's free settings, read with them; the handlers of open cases."""

    nombres: dict[str, Nombre]
    parametres: dict[str, Any]
    responsables: set[str]


class Selections:
    """The reports of each list for one person; what is unread is looked up once."""

    def __init__(self, acteur: Acteur) -> None:
        self.acteur = acteur
        self.non_lus: list[UUID] = dossiers_non_lus(acteur)

    def lignes(self, vue: str, tri: str) -> QuerySet[Any]:
        lues = self._de(vue, Signalement.objects.pour_lecture(self.acteur).visibles_par(self.acteur))
        return lues.order_by("date_creation", "id") if tri == ANCIENS else lues

    def _de(self, vue: str, lignes: Any) -> QuerySet[Any]:
        """Narrow to a list; one's own reports are in neither of the two that would tell who handles them."""
        if vue == CLOS:
            return lignes.resolus()
        if vue == JAMAIS_LUS:
            return lignes.resolus().filter(pk__in=_ou_un_message_attend())
        if vue == NON_LUS:
            return lignes.filter(ParmiCes(F("pk"), self.non_lus))
        ouverts = lignes.ouverts()
        if vue == A_MOI:
            return ouverts.filter(gestionnaire=self.acteur.pk).exclude(compte=self.acteur.pk)
        if vue == NON_ATTRIBUES:
            return ouverts.filter(gestionnaire=None).exclude(compte=self.acteur.pk)
        return ouverts

    def apres_cloture(self, vue: str) -> list[Any]:
        """At most TAILLE ended cases whose author has written since, first of the list of who handles them.

        Of nobody's, and of who has left the team, in the list of those that nobody handles; in no other list.
        """
        if vue not in APRES_CLOTURE:
            return []
        return list(self._apres_cloture(vue, Signalement.objects.pour_lecture(self.acteur))[:TAILLE])

    def _apres_cloture(self, vue: str, lignes: Any) -> QuerySet[Any]:
        en_cours = AlerteDeDossier.objects.filter(nature=NatureAlerte.MESSAGE_APRES_CLOTURE, date_fin__isnull=True)
        siens = lignes.visibles_par(self.acteur).resolus().exclude(compte=self.acteur.pk)
        siens = siens.filter(pk__in=en_cours.values("signalement"))
        if vue == A_MOI:
            return siens.filter(gestionnaire=self.acteur.pk)
        # Of who has left the team, nobody else is told first.
        return siens.exclude(gestionnaire__in=Compte.objects.equipe_active().order_by().values("pk"))

    def compter(self) -> Comptage:
        """All the counts, in two statements: by the rows that a person sees, and by the counters kept of all."""
        visibles = Signalement.objects.visibles_par(self.acteur).order_by("-date_creation", "-id")
        comptes: dict[str, Any] = {
            vue: NombreDe(self._de(vue, visibles).values("pk")[: PLAFOND + 1])
            for vue in (A_MOI, NON_ATTRIBUES, NON_LUS, JAMAIS_LUS)
        }
        reserves = visibles.reserves().order_by()  # no counter holds them
        comptes[OUVERTS] = NombreDe(self._de(OUVERTS, reserves).values("pk"))
        comptes[CLOS] = NombreDe(self._de(CLOS, reserves).values("pk"))
        for vue in APRES_CLOTURE:  # first in these lists, and counted with them
            siens = self._apres_cloture(vue, Signalement.objects.order_by())
            comptes[vue] = comptes[vue] + NombreDe(siens.values("pk")[: PLAFOND + 1])
        soi = Compte.objects.filter(pk=self.acteur.pk).order_by()
        noms = {f"n{rang}": compte for rang, compte in enumerate(comptes.values())}
        lus = soi.annotate(**noms, libres=F("preferences__parametres")).values_list(*noms, "libres").get()
        nombres = {vue: _plafonner(n) for vue, n in zip(comptes, lus, strict=False)}
        tenus = lire("axe", "statut", "gestionnaire", axe__in=(Axe.TOUT, Axe.ENSEMBLE, Axe.GESTIONNAIRE))
        par_axe = [(axe, statut in RESOLUS, qui, mesures.nombre) for (axe, statut, qui), mesures in tenus.items()]
        ouverts = sum(n for axe, est_fini, _qui, n in par_axe if axe != Axe.GESTIONNAIRE and not est_fini)
        clos = sum(n for axe, est_fini, _qui, n in par_axe if axe != Axe.GESTIONNAIRE and est_fini)
        qui_en_a = {qui for axe, est_fini, qui, n in par_axe if axe == Axe.GESTIONNAIRE and n > 0 and not est_fini}
        nombres[OUVERTS] = Nombre(nombres[OUVERTS].nombre + ouverts)
        nombres[CLOS] = Nombre(nombres[CLOS].nombre + clos)
        return Comptage(nombres, lus[-1] or {}, qui_en_a)


def _ou_un_message_attend() -> Any:
    """Keys of the reports with messages of their author that nobody else has read; by the partial index on them."""
    fils = Discussion.objects.vivants().jamais_lues().filter(signalement__isnull=False)
    return fils.order_by().values("signalement")


def equipe(acteur: Acteur, responsables: Iterable[str]) -> tuple[list[Compte], list[tuple[Compte, Nombre]]]:
    """List the people who may handle a case, by name; then those who left the team and handle open ones, and how many.

    No list of anybody's has the latter's. Not one's own.
    """
    ouverts = Signalement.objects.visibles_par(acteur).ouverts().order_by()
    reserves = ouverts.reserves().filter(gestionnaire__isnull=False)  # no counter holds them
    siens = ouverts.filter(gestionnaire=OuterRef("pk")).exclude(compte=acteur.pk).values("pk")[: PLAFOND + 1]
    gerent = Q(pk__in=list(responsables)) | Q(pk__in=reserves.values("gestionnaire"))
    actifs = Compte.objects.equipe_active()
    lus = (actifs | Compte.objects.filter(gerent)).annotate(
        en_fonction=Exists(actifs.filter(pk=OuterRef("pk"))),
        restent=Case(When(en_fonction=True, then=0), default=NombreDe(siens)),
    )
    comptes = list(lus.order_by("en_fonction", "nom", "prenom", "pk")[: EQUIPE_MAX + PARTIS_MAX])
    partis = [(un, _plafonner(un.restent)) for un in comptes if not un.en_fonction][:PARTIS_MAX]
    return [un for un in comptes if un.en_fonction], [(un, nombre) for un, nombre in partis if nombre.nombre]


def sans_lecteur_pour(acteur: Acteur) -> list[Signalement]:
    """Cases that nobody may read any more, for an administrator who was not shut out of them."""
    return list(rouvrables(sans_lecteur(), acteur).only("reference")[:PARTIS_MAX])


def _plafonner(compte: int) -> Nombre:
    return Nombre(min(compte, PLAFOND), compte > PLAFOND)
