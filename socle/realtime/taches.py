"""Endless background steps of the server's loop, retried with a growing pause."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from django.conf import settings
from django.db import Error as ErreurDeBase

journal = logging.getLogger(__name__)

PANNES: tuple[type[Exception], ...] = (ErreurDeBase, OSError, TimeoutError)
if settings.REDIS_URL:
    from redis.exceptions import RedisError  # 6 MB, for who has none

    PANNES += (RedisError,)


async def sans_fin(pas: Callable[[], Awaitable[None]], quoi: str, *, pause_maximale: float) -> None:
    """Repeat a step for ever; pause after an error, from 1 s, doubling; log it, with a traceback unless an outage."""
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
