"""The request that is being answered, for what must say where an act came from; none in a task or a command."""

from contextvars import ContextVar
from typing import Any

# Each request runs in a context of its own: nothing is left behind in its thread.
requete_courante: ContextVar[Any] = ContextVar("requete_courante", default=None)
