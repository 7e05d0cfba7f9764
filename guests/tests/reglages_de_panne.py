"""The settings of a service whose process dies in the middle of a merge: where is told by PANNE."""

from config import env
from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "guests.tests.panne.PanneConfig"]
PANNE = env.texte("PANNE")
