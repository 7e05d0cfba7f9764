"""The settings of a measure: the service's own, without rate limits, the access log, or the sender thread."""

from typing import Any

from config.settings import *  # noqa: F403
from config.settings import LOGGING

DIFFUSION_ACTIVE = False
THROTTLE_ENABLED = False
_loggers: Any = LOGGING["loggers"]
LOGGING = {**LOGGING, "loggers": {**_loggers, "campus": {"level": "WARNING"}}}
