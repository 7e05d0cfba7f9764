"""The settings of a measure: the service's own, without the thread that sends events, without rate limits."""

from config.settings import *  # noqa: F403

DIFFUSION_ACTIVE = False
THROTTLE_ENABLED = False
