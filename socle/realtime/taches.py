"""Background steps of the server's loop: they may fail, and never end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from django.db import Error as ErreurDeBase
from redis.exceptions import RedisError

journal = logging.getLogger(__name__)

PANNES = (ErreurDeBase, RedisError, OSError, TimeoutError)


async def sans_fin(pas: Callable[[], Awaitable[None]], quoi: str, *, pause_maximale: float) -> None:
    """Repeat a step; an outage costs one line and a pause that grows, anything else is told in full."""
    pause = 1.0
    while True:
        try:
            await pas()
            pause = 1.0
        except Exception as erreur:
            inattendue = None if isinstance(erreur, PANNES) else erreur
            journal.warning("%s : %s.", quoi, type(erreur).__name__, exc_info=inattendue)
            await asyncio.sleep(pause)
            pause = min(2 * pause, pause_maximale)
