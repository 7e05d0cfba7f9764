"""The moments of mails: one's own minute of the day, drawn once, and a little chance for what leaves at once."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from avis.models import Cadence
from avis.vocabulaire import DERNIERE_HEURE, HASARD_MINUTES, PREMIERE_HEURE

_hasard = secrets.SystemRandom()


def cadences(cles: Collection[UUID]) -> dict[UUID, Cadence]:
    """Cadence of each of these accounts, drawn for who has none."""
    lues = Cadence.objects.in_bulk(cles)
    neuves = [Cadence(pk=cle, minute=tirer_une_minute()) for cle in cles if cle not in lues]
    if not neuves:
        return lues
    Cadence.objects.bulk_create(neuves, ignore_conflicts=True)
    return lues | Cadence.objects.in_bulk([une.pk for une in neuves])  # drawn by another at this moment, perhaps


def tirer_une_minute() -> int:
    """A minute of the campus's day, between the hours in which mails leave."""
    return _hasard.randrange(60 * PREMIERE_HEURE, 60 * DERNIERE_HEURE)


def tout_de_suite(depuis: datetime) -> datetime:
    """Within minutes, by chance; not in this very second, in which other things may still be said with it."""
    return depuis + timedelta(seconds=_hasard.randrange(1, 60 * HASARD_MINUTES))


def minute_de_ce_jour(depuis: datetime, minute: int) -> datetime:
    """The moment of the campus's clock, of that very day, at this minute; at once where it has passed."""
    local = depuis.astimezone(settings.TIME_ZONE_CAMPUS)
    moment = local.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0)
    return moment if moment > local else tout_de_suite(depuis)


def prochaine_minute(depuis: datetime, minute: int) -> datetime:
    """The next moment of the campus's clock at this minute of the day."""
    local = depuis.astimezone(settings.TIME_ZONE_CAMPUS)
    ce_jour = local.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0)
    return ce_jour if ce_jour > local else ce_jour + timedelta(days=1)
