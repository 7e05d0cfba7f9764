"""An app that kills its process, as the kernel would, at one step of a merge."""

import os
import signal
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import transaction

from guests.signals import etape_franchie

# After the commit, before anybody is told.
VALIDEE = "validation"


class PanneConfig(AppConfig):
    name = "guests.tests"
    label = "panne"

    def ready(self) -> None:
        etape_franchie.connect(tomber)


def tomber(sender: Any, etape: str, **kwargs: Any) -> None:
    if settings.PANNE == VALIDEE:
        transaction.on_commit(_mourir)
    elif etape == settings.PANNE:
        _mourir()


def _mourir() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
