"""The register for a collector: what each seal holds, in the order of the seals, none left out.

Traces are committed in another order than that of their keys; a seal names what was committed when it was made, so
whoever has read a seal has nothing to come back for.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.db import InterfaceError, OperationalError, connection

from socle.audit.models import Sceau, Trace
from socle.domaine.temps import horodatage

PAUSE = 10  # seconds between two looks for a new seal, which is made each minute
SCEAUX_LUS = 10  # at once, of a thousand lines at most each


def dernier_sceau() -> int:
    """Number of the last seal, 0 before the first."""
    numero: int | None = Sceau.objects.order_by("-numero").values_list("numero", flat=True).first()
    return numero or 0


def suivre(apres: int, attendre: Callable[[], bool]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Each seal after this number with its lines, the oldest first; `attendre` pauses where there is none, or stops."""
    while True:
        suivants = _suivants(apres)
        yield from suivants
        if suivants:
            apres = suivants[-1][0]
        elif not attendre():
            return


def _suivants(apres: int) -> list[tuple[int, list[dict[str, Any]]]]:
    """The next seals; none where the database is away, which is asked again."""
    try:
        sceaux = list(Sceau.objects.filter(numero__gt=apres).order_by("numero")[:SCEAUX_LUS])
        return [(sceau.numero, _lignes(sceau)) for sceau in sceaux]
    except (OperationalError, InterfaceError):
        connection.close()
        return []


def _lignes(sceau: Sceau) -> list[dict[str, Any]]:
    return [en_ligne(trace, sceau.numero) for trace in Trace.objects.filter(pk__in=sceau.traces).order_by("id")]


def en_ligne(trace: Trace, sceau: int | None = None) -> dict[str, Any]:
    """A trace as a JSON object, with the number of its seal where that is known."""
    ligne = {**trace.en_clair(), "id": trace.pk, "date": horodatage(trace.date)}
    return ligne if sceau is None else {**ligne, "sceau": sceau}


def lire_la_reprise(fichier: Path) -> int | None:
    """Number that `noter_la_reprise` kept; None without a file; ValueError for one that holds something else."""
    return int(fichier.read_text(encoding="ascii")) if fichier.exists() else None


def noter_la_reprise(fichier: Path, numero: int) -> None:
    """Keep this number; a stop leaves the file as it was, or whole."""
    neuf = fichier.with_name(f"{fichier.name}.neuf")
    neuf.write_text(str(numero), encoding="ascii")
    os.replace(neuf, fichier)
