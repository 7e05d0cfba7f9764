"""Choice of the engine, made as the process starts: ours, or the same doors by the ORM and DRF alone."""

from django.conf import settings

ORDINAIRE: bool = settings.ORDINAIRE
