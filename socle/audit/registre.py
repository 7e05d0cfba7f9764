"""Functions that the apps call: `consigner` an act, `consulter` one thing, `montrer` the rows of a list."""

import threading
import time
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from socle.api.reseau import adresse_client
from socle.audit.greffe import greffe
from socle.audit.models import Trace
from socle.audit.vocabulaire import POUR_L_EXPLOITANT, Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.identite import sans_guest_ids
from socle.domaine.provenance import requete_courante
from socle.moteur.ecritures import inserer

# A look is one row as long as it goes on: a page asks several doors for one case, and reads itself again each minute.
OUVERT_SECONDES = 300.0  # without a look, after which the next is another
MONTRE_SECONDES = 3600.0  # the longest that one row stands for
RETENUS = 20_000  # keys of about 450 bytes: 9 MB at the most
DETAIL_MAX = 300  # characters of a criterion


def consigner(
    acte: Acte,
    /,
    *,
    par: Acteur | Any | None,
    objet: UUID | None = None,
    sorte: Sorte | str = "",
    **details: Any,
) -> None:
    """Insert the trace of an act in the caller's transaction; `par` is an actor, an account, or None for nobody."""
    compte = par.compte if isinstance(par, Acteur) else par
    inserer(_trace(acte, compte, objet, sorte, details))


def relever(acte: Acte, objet: UUID, sorte: Sorte, /, **details: Any) -> None:
    """Note what somebody unknown did about this, by the clerk: the request costs as much as one that notes nothing."""
    greffe.deposer([_trace(acte, None, objet, sorte, details)])


def est_surveille(acteur: Acteur) -> bool:
    """True for who reads what is not theirs: the team. What people do in their own cases is nobody's to read."""
    return acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS) or acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES)


def consulter(
    acteur: Acteur, acte: Acte, objet: UUID | None, sorte: Sorte | str = Sorte.SIGNALEMENT, /, **details: Any
) -> None:
    """Note that staff have opened this, or listen to it; ServiceIndisponible (503) where that cannot be written.

    Without an object it is what `details` say, as a search of the register itself.
    """
    compte = acteur.compte
    cle = (acte, compte.pk, objet, _d_ou(), *map(str, details.items()))
    if not _memoire.est_nouveau(cle, OUVERT_SECONDES, MONTRE_SECONDES):
        return
    _deposer([_trace(acte, compte, objet, sorte, details)], [cle])


def consulter_le_registre(acteur: Acteur, criteres: Mapping[str, str]) -> None:
    """Record a read of the register under the object that it asked about, so that both are hidden together."""
    details = dict(sans_guest_ids(dict(criteres)))
    objet = _cle(criteres.get("objetId", ""))
    if objet is not None:
        del details["objetId"]
    consulter(acteur, Acte.REGISTRE_CONSULTE, objet, _sorte_de(objet), **details)


def montrer(
    acteur: Acteur,
    dossiers: Iterable[UUID],
    criteres: Mapping[str, Any],
    *,
    sur: UUID | None = None,
    actes: tuple[Acte, Acte] = (Acte.SIGNALEMENTS_CHERCHES, Acte.SIGNALEMENT_MONTRE),
) -> None:
    """Note that a list has shown staff these cases, or their evidence, and by which criteria they were looked for.

    `sur` is the case that the criteria name, if they name one; `actes` are what was looked for, and shown.
    """
    if not est_surveille(acteur):
        return
    compte = acteur.compte
    cherche, montre = actes
    cherches = {nom: _lisible(valeur) for nom, valeur in criteres.items() if valeur not in (None, "", [], ())}
    # What is noted, by the key under which it is remembered: what was looked for, then each case.
    notes: list[tuple[tuple[Any, ...], Acte, UUID | None, Sorte | str]] = []
    if cherches:
        notes.append(((cherche, compte.pk, *sorted(cherches.items())), cherche, sur, ""))
    for dossier in dossiers:
        notes.append(((montre, compte.pk, dossier), montre, dossier, Sorte.SIGNALEMENT))
    if neuves := [note for note in notes if _memoire.est_nouveau(note[0], MONTRE_SECONDES)]:
        cles = [note[0] for note in neuves]
        try:
            details = sans_guest_ids(cherches)
            traces = [_trace(acte, compte, un, sorte or _sorte_de(un), details) for _rappel, acte, un, sorte in neuves]
        except BaseException:  # of the base: asked again, it is to be noted then
            _memoire.oublier(cles)
            raise
        _deposer(traces, cles)


def _d_ou() -> str:
    """The address of the request: the same person from elsewhere is another look."""
    requete = requete_courante.get()
    return adresse_client(requete) if requete is not None else ""


def _cle(texte: str) -> UUID | None:
    try:
        return UUID(texte)
    except ValueError:
        return None


def _sorte_de(objet: UUID | None) -> str:
    """The kind under which this id was last recorded; that of a case where it never was.

    A question about an id that leads to nothing is thus hidden, as one about a case that is closed to its reader is,
    and of a case that was deleted.
    """
    if objet is None:
        return ""
    notees = Trace.objects.filter(objet=objet).exclude(sorte="").order_by("-date", "-id")
    return notees.values_list("sorte", flat=True).first() or Sorte.SIGNALEMENT


def _deposer(traces: list[Trace], cles: list[tuple[Any, ...]]) -> None:
    try:
        greffe.exiger()
    except BaseException:
        _memoire.oublier(cles)
        raise
    greffe.deposer(traces)


def _trace(acte: Acte, compte: Any, objet: UUID | None, sorte: Sorte | str, details: Mapping[str, Any]) -> Trace:
    requete = None if acte in POUR_L_EXPLOITANT else requete_courante.get()
    return Trace(
        acte=acte,
        acteur=compte.pk if compte is not None else None,
        role=compte.role if compte is not None else "",
        objet=objet,
        sorte=sorte,
        adresse=adresse_client(requete) if requete is not None else "",
        requete=getattr(requete, "id_requete", ""),
        details={nom: _lisible(valeur) for nom, valeur in details.items()},
    )


def _lisible(valeur: Any) -> Any:
    if valeur is None or isinstance(valeur, bool | int):
        return valeur
    if isinstance(valeur, date | datetime):
        return valeur.isoformat()
    if isinstance(valeur, list | tuple):
        return [_lisible(element) for element in valeur]
    if isinstance(valeur, dict):
        return {str(nom): _lisible(contenu) for nom, contenu in valeur.items()}
    return str(valeur).replace("\x00", "")[:DETAIL_MAX]


class Memoire:
    """Memory of what this process noted a short while ago; where it forgets, a row more is written, never one less."""

    def __init__(self) -> None:
        # The moment when each is forgotten, and the last to which it may be put off.
        self._vus: dict[tuple[Any, ...], tuple[float, float]] = {}
        self._verrou = threading.Lock()

    def est_nouveau(self, cle: tuple[Any, ...], secondes: float, au_plus: float = 0.0) -> bool:
        """True where it was not noted these last seconds; each time puts that off, up to `au_plus` after the first."""
        maintenant = time.monotonic()
        with self._verrou:
            fin, limite = self._vus.get(cle, (0.0, 0.0))
            if fin > maintenant:
                self._vus[cle] = (max(fin, min(maintenant + secondes, limite)), limite)
                return False
            if len(self._vus) >= RETENUS:
                self._vus = {c: fins for c, fins in self._vus.items() if fins[0] > maintenant}
                if len(self._vus) >= RETENUS:
                    self._vus.clear()
            self._vus[cle] = (maintenant + secondes, maintenant + au_plus)
            return True

    def oublier(self, cles: Iterable[tuple[Any, ...]]) -> None:
        with self._verrou:
            for cle in cles:
                self._vus.pop(cle, None)

    def vider(self) -> None:
        with self._verrou:
            self._vus.clear()


_memoire = Memoire()


def recommencer() -> None:
    """Forget what was noted and what waits, between two tests."""
    _memoire.vider()
    greffe.oublier()
