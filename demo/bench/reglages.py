"""The settings of a measure: the service's own, without rate limits, the access log, or the sender thread."""

from config.settings import *  # noqa: F403
from config.settings import LOGGING

DIFFUSION_ACTIVE = False
THROTTLE_ENABLED = False
LOGGING = {**LOGGING, "loggers": {**LOGGING["loggers"], "campus": {"level": "WARNING"}}}
