"""The settings of a service whose process dies in the middle of a creation: where is told by PANNE."""

from config import env
from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "socle.idempotence.tests.panne.PanneConfig"]
PANNE = env.texte("PANNE")
