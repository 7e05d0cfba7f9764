"""An app that kills its process, as the kernel would, in the middle of a creation under a key."""

import os
import signal
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import transaction

# The row is written and its key is not; both are, and nothing is committed; all is, and nobody has been answered.
ETAPES = ("ligne", "cle", "validation")


class PanneConfig(AppConfig):
    name = "socle.idempotence.tests"
    label = "panne_d_idempotence"

    def ready(self) -> None:
        from socle.idempotence import creation

        garder = creation._garder

        def garder_et_tomber(*args: Any) -> None:
            if settings.PANNE == "ligne":
                _mourir()
            garder(*args)
            if settings.PANNE == "cle":
                _mourir()
            transaction.on_commit(_mourir)

        creation._garder = garder_et_tomber


def _mourir() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
