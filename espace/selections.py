"""The lists of the workspace: which reports each holds, and how many, in a number of queries that does not grow."""

from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, Q, QuerySet

from accounts.models import Compte
from discussions.non_lus import dossiers_non_lus
from espace.vocabulaire import A_MOI, ANCIENS, CLOS, NON_ATTRIBUES, NON_LUS, OUVERTS, PARTIS_MAX
from signalements.effectifs import lire
from signalements.models import Signalement
from signalements.vocabulaire import RESOLUS, Axe
from socle.api.pagination import PLAFOND
from socle.domaine.acteurs import Acteur
from socle.domaine.conditions import NombreDe


class Nombre(NamedTuple):
    """How many: exact, or `PLAFOND` and more."""

    nombre: int
    plafonne: bool = False


class Selections:
    """The reports of each list for one person; what is unread is looked up once."""

    def __init__(self, acteur: Acteur) -> None:
        self.acteur = acteur
        self.non_lus: list[UUID] = dossiers_non_lus(acteur)

    def lignes(self, vue: str, tri: str) -> QuerySet[Any]:
        lues = self._de(vue, Signalement.objects.pour_lecture(self.acteur))
        return lues.order_by("date_creation", "id") if tri == ANCIENS else lues

    def _de(self, vue: str, lignes: QuerySet[Any]) -> QuerySet[Any]:
        """Narrow to a list; one's own reports are in neither of the two that would tell who handles them."""
        finis = Q(statut__in=RESOLUS)
        if vue == CLOS:
            return lignes.filter(finis)
        ouverts = lignes.exclude(finis)
        if vue == A_MOI:
            return ouverts.filter(gestionnaire=self.acteur.pk).exclude(compte=self.acteur.pk)
        if vue == NON_ATTRIBUES:
            return ouverts.filter(gestionnaire=None).exclude(compte=self.acteur.pk)
        return ouverts.filter(pk__in=self.non_lus) if vue == NON_LUS else ouverts

    def compter(self) -> tuple[dict[str, Nombre], dict[str, Any]]:
        """How many reports each list holds, and the person's free settings, read with them."""
        vivants = Signalement.objects.vivants().order_by("-date_creation", "-id")
        comptes = {
            vue: NombreDe(self._de(vue, vivants).values("pk")[: PLAFOND + 1]) for vue in (A_MOI, NON_ATTRIBUES, NON_LUS)
        }
        soi = Compte.objects.filter(pk=self.acteur.pk).order_by()
        noms = {f"n{rang}": compte for rang, compte in enumerate(comptes.values())}
        lus = soi.annotate(**noms, libres=F("preferences__parametres")).values_list(*noms, "libres").get()
        nombres = {vue: _plafonner(n) for vue, n in zip(comptes, lus, strict=False)}
        par_statut = lire("statut", axe=Axe.TOUT)
        finis = sum(mesures.nombre for (statut,), mesures in par_statut.items() if statut in RESOLUS)
        tous = sum(mesures.nombre for mesures in par_statut.values())
        return {**nombres, OUVERTS: Nombre(tous - finis), CLOS: Nombre(finis)}, lus[-1] or {}


def partis(acteur: Acteur) -> list[tuple[Compte, Nombre]]:
    """Who handles open cases and has left the team, and how many: no list of anybody's has them. Not one's own."""
    ouverts = [cle for (cle,), m in lire("gestionnaire", axe=Axe.GESTIONNAIRE).items() if m.nombre > m.resolus]
    absents = Compte.objects.filter(pk__in=ouverts).exclude(pk__in=Compte.objects.equipe_active().values("pk"))
    comptes = [(un, _ouverts_de(un, acteur)) for un in absents.order_by("nom", "prenom", "pk")[:PARTIS_MAX]]
    return [(un, nombre) for un, nombre in comptes if nombre.nombre]


def _ouverts_de(gestionnaire: Compte, acteur: Acteur) -> Nombre:
    siens = Signalement.objects.vivants().filter(gestionnaire=gestionnaire).exclude(compte=acteur.pk)
    return _plafonner(siens.exclude(statut__in=RESOLUS).order_by("-date_creation", "-id")[: PLAFOND + 1].count())


def _plafonner(compte: int) -> Nombre:
    return Nombre(min(compte, PLAFOND), compte > PLAFOND)
