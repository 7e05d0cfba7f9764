"""The settings of a measure: the service's own, without the thread that sends events."""

from config.settings import *  # noqa: F403

DIFFUSION_ACTIVE = False
