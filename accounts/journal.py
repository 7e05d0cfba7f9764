"""The journal that administrators read in the admin site: who changed what, and the values before and after."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.core.exceptions import FieldDoesNotExist
from django.utils.translation import gettext_noop, override

from socle.domaine.identite import sans_guest_ids

SECOND_FACTEUR = gettext_noop("second facteur")  # what an entry says was reset
Valeurs = Mapping[str, tuple[Any, Any]]  # column -> before and after
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


def libelle(modele: Any, nom: str) -> str:
    try:
        return str(modele._meta.get_field(nom).verbose_name)
    except (AttributeError, FieldDoesNotExist):  # of a table, or a column, that is no more
        return nom
