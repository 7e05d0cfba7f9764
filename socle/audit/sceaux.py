"""Seal what was written, and verify the chain."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Min
from django.utils import timezone

from socle.audit.models import Sceau, Trace
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte
from socle.domaine.chiffrement import empreinte

LOT = 1_000
# A row may be committed this long after its date: no transaction lasts longer, and clocks differ by less.
RETARD = timedelta(minutes=15)


def sceller(*, depuis_toujours: bool = False) -> int:
    """Seal the committed traces that no seal names, a thousand a seal; return how many.

    Of two at once one gets each number, and the other leaves the rest to it. What came late is only looked for
    `depuis_toujours`.
    """
    total = 0
    while nombre := _sceller_un_lot(depuis_toujours):
        total += nombre
        if nombre < LOT:
            break
    return total


def _sceller_un_lot(depuis_toujours: bool) -> int:
    dernier = Sceau.objects.order_by("-numero").first()
    depuis = None if dernier is None or depuis_toujours else _scelle_jusqu_a(dernier) - RETARD
    cles = list(islice(_non_scellees(depuis), LOT))
    if not cles:
        return 0
    lot = list(Trace.objects.filter(pk__in=cles).order_by("id"))
    numero, precedent = (dernier.numero + 1, dernier.empreinte) if dernier is not None else (1, "")
    sceau = Sceau(numero=numero, date=timezone.now(), precedent=precedent, traces=[trace.pk for trace in lot])
    sceau.empreinte = calculer(sceau, lot)
    try:
        with transaction.atomic():
            sceau.save(force_insert=True)
    except IntegrityError:  # another process has just sealed
        return 0
    return len(lot)


def _scelle_jusqu_a(dernier: Sceau) -> datetime:
    """The moment up to which all is sealed, but for what comes late.

    After a full seal more may wait, as old as what is in it: of days without a worker, say.
    """
    if len(dernier.traces) < LOT:
        return dernier.date
    premiere: datetime | None = Trace.objects.filter(pk__in=dernier.traces).aggregate(n=Min("date"))["n"]
    return min(dernier.date, premiere or dernier.date)


def _non_scellees(depuis: datetime | None) -> Iterator[int]:
    """The keys of the traces that no seal names, in their order."""
    traces, sceaux = Trace.objects.order_by("id"), Sceau.objects.order_by()
    if depuis is not None:
        traces, sceaux = traces.filter(date__gte=depuis), sceaux.filter(date__gte=depuis - RETARD)
    connues = Marques()
    for cles in sceaux.values_list("traces", flat=True).iterator(chunk_size=LOT):
        connues.noter(cles)
    for cle in traces.values_list("pk", flat=True).iterator(chunk_size=LOT):
        if not connues.a(cle):
            yield cle


class Marques:
    """A set of keys as a map of bits: a million of them in 125 KB."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self.nombre = 0

    def noter(self, cles: list[int]) -> list[int]:
        """Add these; return those that were there already."""
        doubles = []
        for cle in cles:
            octet, bit = divmod(cle, 8)
            if octet >= len(self._bits):
                self._bits.extend(bytes(octet + 1 - len(self._bits)))
            if self._bits[octet] >> bit & 1:
                doubles.append(cle)
            else:
                self._bits[octet] |= 1 << bit
                self.nombre += 1
        return doubles

    def a(self, cle: int) -> bool:
        octet, bit = divmod(cle, 8)
        return octet < len(self._bits) and bool(self._bits[octet] >> bit & 1)


def calculer(sceau: Sceau, traces: list[Trace]) -> str:
    """Keyed hash of a link: who has the database alone cannot make one."""
    entete = [sceau.numero, sceau.date.astimezone(UTC).isoformat(), sceau.precedent]
    contenu = [*entete, *([trace.pk, trace.en_clair()] for trace in traces)]
    return empreinte("audit", json.dumps(contenu, sort_keys=True, separators=(",", ":")))


def consigner_la_purge(jusque: int) -> None:
    """Note that retention takes the seals up to this one, with a proof that who has the database alone cannot make."""
    consigner(Acte.REGISTRE_PURGE, par=None, jusque=jusque, preuve=_preuve_de_purge(jusque))


def _preuve_de_purge(jusque: int) -> str:
    return empreinte("purge-du-registre", str(jusque))


def _fut_purge(numero: int) -> bool:
    """True where a purge was to take this seal; one that was interrupted has left later ones."""
    purges = Trace.objects.filter(acte=Acte.REGISTRE_PURGE).order_by("-date", "-id").values_list("details", flat=True)
    return any(
        isinstance(jusque := dites.get("jusque"), int)
        and jusque >= numero
        and dites.get("preuve") == _preuve_de_purge(jusque)
        for dites in purges.iterator(chunk_size=LOT)
    )


@dataclass
class EtatDesSceaux:
    traces: int = 0
    scellees: int = 0
    tete: Sceau | None = None


def verifier(etat: EtatDesSceaux, *, tetes: dict[int, str] | None = None) -> Iterator[str]:
    """Walk the chain and yield a sentence for each thing that is wrong; `etat` is filled on the way.

    `tetes` are heads noted elsewhere, number -> hash, which must still be there: an end cut off shows no other way.
    """
    attendues = dict(tetes or {})
    connues = Marques()
    precedent: Sceau | None = None
    for sceau in Sceau.objects.order_by("numero").iterator(chunk_size=50):
        yield from _verifier_un(sceau, precedent, connues)
        if attendues.pop(sceau.numero, sceau.empreinte) != sceau.empreinte:
            yield f"Le sceau {sceau.numero} n'est plus celui qui a été noté."
        precedent = sceau
    for numero in sorted(attendues):
        yield f"Le sceau {numero}, qui a été noté, a disparu."
    etat.tete, etat.scellees = precedent, connues.nombre
    # A service that stands still seals nothing: what its last seal was too early for is not touched, it waits.
    limite = (timezone.now() if precedent is None else _scelle_jusqu_a(precedent)) - RETARD
    for pk, date in Trace.objects.order_by("id").values_list("pk", "date").iterator(chunk_size=LOT):
        etat.traces += 1
        if not connues.a(pk) and date < limite:
            yield f"La trace {pk}, du {date:%Y-%m-%d %H:%M}, n'est dans aucun sceau."


def _verifier_le_premier(sceau: Sceau) -> Iterator[str]:
    if sceau.numero == 1 and sceau.precedent:
        yield "Le sceau 1 en suit un autre, qui a disparu."
    if sceau.numero > 1 and not _fut_purge(sceau.numero - 1):
        yield f"Le registre commence au sceau {sceau.numero}, et aucune purge n'a retiré ceux d'avant."


def _verifier_un(sceau: Sceau, precedent: Sceau | None, connues: Marques) -> Iterator[str]:
    numero = sceau.numero
    if precedent is None:
        yield from _verifier_le_premier(sceau)
    if precedent is not None and sceau.numero != precedent.numero + 1:
        yield f"Des sceaux manquent avant le sceau {numero}."
    elif precedent is not None and sceau.precedent != precedent.empreinte:
        yield f"Le sceau {numero} ne suit pas celui qui le précède."
    for double in connues.noter(sceau.traces):
        yield f"La trace {double} est dans deux sceaux."
    lues: dict[Any, Trace] = Trace.objects.in_bulk(sceau.traces)
    for cle in sceau.traces:
        if cle not in lues:
            yield f"La trace {cle}, du sceau {numero}, a disparu."
    traces = [lues[cle] for cle in sceau.traces if cle in lues]
    if len(traces) == len(sceau.traces) and calculer(sceau, traces) != sceau.empreinte:
        yield f"Le sceau {numero} ne correspond plus à ses traces : l'une d'elles a changé."
