"""Upkeep, each minute, of the team's unread: how far all that each may read is read, but for what it names."""

import logging
import time
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from accounts.models import Compte
from discussions.models import Arriere, Discussion, Releve
from discussions.querysets import VERROU_DES_RELEVES, annotation_lecture
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.domaine.droits import Droit, roles_ayant
from socle.domaine.fusions import LIGNES_MAX
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.taches.entretien import chaque_minute, purges, supprimer

journal = logging.getLogger("campus.discussions")
LOT = 10_000  # discussions taken down in one transaction
PEU = 1_000  # fewer are left for later: a reading looks at each of them
SECONDES = 20  # of each minute: the other steps wait meanwhile
# What moved since is looked at each time: a transaction that dates a row is over by then, on a clock that is wrong too.
RECUL = timedelta(hours=1)
# Where so many of the last PROCHES are unread, reading them from the last on is soon done.
PROCHES, ASSEZ = 25_000, 10_000
REVOIR = timedelta(hours=1)


@chaque_minute("Messages lus, relevés")
def relever_tous() -> None:
    """Move each reader's `Releve` on, who is longest behind first; what SECONDES do not suffice for waits a minute."""
    fin = time.monotonic() + SECONDES
    passe = timezone.now() - RECUL
    Releve.objects.filter(jusqu_a__gt=passe).update(jusqu_a=passe)  # of a clock that was ahead, and has been set
    for compte in _lecteurs().order_by(F("releve__jusqu_a").asc(nulls_first=True), "pk"):
        try:
            while relever(ActeurCompte(compte=compte)):
                if time.monotonic() > fin:
                    return
        except DatabaseError as panne:  # the others do not wait for this one
            journal.warning("un relevé est remis à la minute prochaine (%s)", type(panne).__name__)


def relever(acteur: Acteur) -> bool:
    """Take down one more LOT of this reader's discussions; False where few are left, or too many are unread.

    Of those that they may read: by teams, most are nothing to them. Whoever comes to read more is told of apart
    (`ArriereQuerySet.reprendre`, `ReleveQuerySet.recommencer`); who reads less, when they read.
    """
    releve = Releve.objects.filter(compte=acteur.pk).first() or Releve(compte=acteur.compte)
    if releve.pas_avant is not None and releve.pas_avant > timezone.now():
        return False
    fin = _fin_du_lot(releve.jusqu_a or _membre_depuis(acteur))
    if fin is None:
        return False
    if releve.jusqu_a is None and _en_a_beaucoup(acteur):
        Releve.objects.update_or_create(compte=acteur.compte, defaults={"pas_avant": timezone.now() + REVOIR})
        return False
    _relever(acteur, fin)
    return True


@transaction.atomic
def _relever(acteur: Acteur, fin: datetime) -> None:
    _exclure_les_fusions()
    releve, _neuf = Releve.objects.select_for_update().get_or_create(compte=acteur.compte)
    depuis = releve.jusqu_a or _membre_depuis(acteur)
    if depuis >= fin:  # another process did it meanwhile
        return
    du_lot = _lisibles(acteur).filter(date_modification__gte=depuis, date_modification__lt=fin)
    comptees = du_lot.annotate(n=annotation_lecture["messages_non_lus_count"](acteur)).filter(n__gt=0)
    lignes = [
        Arriere(compte=acteur.compte, discussion_id=cle, moment=moment)
        for cle, moment in comptees.values_list("pk", "date_modification")
    ]
    Arriere.objects.bulk_create(
        lignes, LIGNES_MAX, update_conflicts=True, unique_fields=["discussion", "compte"], update_fields=["moment"]
    )
    releve.jusqu_a, releve.pas_avant = fin, None
    releve.save(update_fields=["jusqu_a", "pas_avant"])


def _fin_du_lot(depuis: datetime) -> datetime | None:
    """The end, not included, of the next LOT of those that have not moved for long; None where they are few."""
    suivantes = Discussion.objects.vivants().filter(
        date_modification__gte=depuis, date_modification__lt=timezone.now() - RECUL
    )
    moments = list(suivantes.order_by("date_modification", "id").values_list("date_modification", flat=True)[:LOT])
    if len(moments) < PEU:
        return None
    fin: datetime = moments[-1] + timedelta(microseconds=1)  # with all that moved at that very moment
    return fin


def _en_a_beaucoup(acteur: Acteur) -> bool:
    """True for who reads little of what comes: nothing of theirs is taken down, and nothing need be."""
    proches = Discussion.objects.vivants().order_by("-date_modification", "-id").values("pk")[:PROCHES]
    comptees = _lisibles(acteur).filter(pk__in=proches)
    non_lues = comptees.annotate(n=annotation_lecture["messages_non_lus_count"](acteur)).filter(n__gt=0)
    return bool(non_lues[:ASSEZ].count() == ASSEZ)


def _lisibles(acteur: Acteur) -> Any:
    return Discussion.objects.order_by().visibles_par(acteur)


def _membre_depuis(acteur: Acteur) -> datetime:
    compte = acteur.compte
    depuis: datetime = compte.equipe_depuis or compte.date_creation
    return depuis


def _lecteurs() -> Any:
    return Compte.objects.filter(type_utilisateur__in=_roles(), est_actif=True)


def _roles() -> list[str]:
    return roles_ayant(Droit.DISCUSSIONS_CONSULTER_TOUTES)


def _exclure_les_fusions() -> None:
    """Exclude merges until the commit: what they join or give back is counted as it was, or again (`reprendre`)."""
    if connection.vendor == "postgresql":
        with connection.cursor() as curseur:
            curseur.execute("SELECT pg_advisory_xact_lock(%s)", [VERROU_DES_RELEVES])


@purges("Relevés de qui n'est plus de l'équipe")
def releves(*, simulation: bool) -> int:
    """Delete them with all that they hold: nothing of theirs is left behind a `Releve`, nor without one."""
    with transaction.atomic():
        partis = Releve.objects.exclude(compte__type_utilisateur__in=_roles(), compte__est_actif=True)
        des_partis = Arriere.objects.filter(Exists(partis.filter(compte=OuterRef("compte"))))
        if simulation:
            return partis.count() + des_partis.count()
        cles = verrouiller_dans_l_ordre(partis.values_list("pk", flat=True), exclusif=True)
        arrieres = supprimer(Arriere.objects.filter(compte__in=cles), simulation=False)
        return arrieres + supprimer(Releve.objects.filter(pk__in=cles), simulation=False)


@purges("Arriérés où plus rien n'est à lire")
def arrieres(*, simulation: bool) -> int:
    """Sweep the `Arriere` rows with nothing unread, or closed since: many are written for all, and all are read."""
    return sum(_sans_rien_a_lire(compte, simulation=simulation) for compte in _lecteurs())


@transaction.atomic
def _sans_rien_a_lire(compte: Compte, *, simulation: bool) -> int:
    _exclure_les_fusions()
    acteur = ActeurCompte(compte=compte)
    a_lire = _lisibles(acteur).arrierees_de(acteur).order_by()
    siens = Arriere.objects.filter(compte=compte)
    return supprimer(siens.exclude(discussion__in=list(a_lire.values_list("pk", flat=True))), simulation=simulation)
