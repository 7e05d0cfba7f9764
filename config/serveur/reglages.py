"""Register entry of the settings, written when they are not what they were at the last start."""

import logging
from typing import Any

from django.conf import settings
from django.db import Error as ErreurDeBase

from config import env
from socle.audit.models import Trace
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte
from socle.domaine.chiffrement import empreinte

journal = logging.getLogger("campus.serveur")
# Of each process or of each machine, not of the site.
A_PART = {"HOST", "PORT", "DATA_DIR", "PROMETHEUS_MULTIPROC_DIR"}


def etat() -> dict[str, str]:
    """The version, and the settings that were given: numbers, choices, yes and no; a fingerprint of any other."""
    donnes = {nom: valeur for nom, valeur in env.donnes.items() if nom not in A_PART}
    lus = {nom: v if nom in env.lisibles else f"#{empreinte('reglage', v)[:12]}" for nom, v in sorted(donnes.items())}
    return {"VERSION": settings.VERSION, **lus}


def consigner_les_changements() -> None:
    """Insert a trace where something differs from the last one; a base that is away only leaves a line in the log."""
    try:
        _consigner(etat())
    except ErreurDeBase as panne:
        journal.warning("Réglages non écrits au registre (%s).", type(panne).__name__)


def _consigner(present: dict[str, str]) -> None:
    derniere = Trace.objects.filter(acte=Acte.REGLAGES_CHANGES).order_by("-date", "-id").first()
    avant: dict[str, Any] = derniere.details["etat"] if derniere is not None else {}
    changes = sorted(nom for nom in avant.keys() | present.keys() if avant.get(nom) != present.get(nom))
    if changes:
        consigner(Acte.REGLAGES_CHANGES, par=None, changes=changes, etat=present)
