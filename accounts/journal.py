"""The journal that administrators read in the admin site: who changed what, and the values before and after."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import FieldDoesNotExist
from django.db.models import QuerySet
from django.utils.translation import gettext_noop, override

from socle.audit.models import objets_caches, objets_presents
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import sans_guest_ids
from socle.domaine.registre import Registre

SECOND_FACTEUR = gettext_noop("second facteur")  # what an entry says was reset
ADRESSE_DEMANDEE = gettext_noop("nouvelle adresse demandée")
Valeurs = Mapping[str, tuple[Any, Any]]  # column -> before and after
# Seam: words -> (acteur) -> ids of rows that the journal names and this reader must not learn about, beside those
# that the register hides.
lignes_tues: Registre[Callable[[Acteur], Iterable[Any]]] = Registre("lignes tues au lecteur du journal")
_CLES = {ADDITION: "added", CHANGE: "changed", DELETION: "deleted"}


def noter(
    ligne: Any, valeurs: Valeurs | None = None, *, par: Any, acte: int = CHANGE, tus: Iterable[str] = ()
) -> LogEntry:
    """Insert a LogEntry in the caller's transaction; only services call it, so that an act is noted once, API or admin.

    `tus` names the changed columns whose values are left out; `par` None: manage.py, on the machine, did it.
    """
    valeurs = sans_guest_ids({nom: list(paire) for nom, paire in (valeurs or {}).items()})
    with override(None):  # stored untranslated: the journal is translated for its reader
        noms = [libelle(type(ligne), nom) for nom in (*valeurs, *tus)]
        sorte = str(ligne._meta.verbose_name)
    if par is None:  # an entry needs an account: the one that it is about
        par, noms, sorte = ligne, [f"{nom} (manage.py)" for nom in noms], f"{sorte} (manage.py)"
    detail: dict[str, Any] = {"valeurs": valeurs, "tus": list(tus)}
    detail |= {"fields": noms} if acte == CHANGE else {"name": sorte, "object": str(ligne)}
    (entree,) = LogEntry.objects.log_actions(par.pk, [ligne], acte, [{_CLES[acte]: detail}])
    return entree


def cites(modele: Any) -> set[str]:
    """The ids of rows of this model that the journal names."""
    entrees = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(modele))
    return {cle for cle in entrees.order_by().values_list("object_id", flat=True).distinct() if cle}


def visibles_par(acteur: Acteur, entrees: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Filter to the entries that this administrator may read: the journal tells no more than the register."""
    tues = {str(cle) for _mots, lire in lignes_tues.items() for cle in lire(acteur)}
    for _mots, caches in objets_caches.items():
        tues |= {str(cle) for ligne in caches(acteur) for cle in ligne.values()}
    for _sorte, presents in objets_presents.items():
        cles = cites(presents(acteur).model)
        tues |= cles - {str(cle) for cle in presents(acteur).filter(pk__in=cles).values_list("pk", flat=True)}
    return entrees.exclude(object_id__in=tues)


def libelle(modele: Any, nom: str) -> str:
    try:
        return str(modele._meta.get_field(nom).verbose_name)
    except (AttributeError, FieldDoesNotExist):  # of a table, or a column, that is no more
        return nom
