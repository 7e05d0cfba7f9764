"""Browser sessions are found by a keyed hash of the cookie's key, and nobody is thrown out.

Backwards they are deleted: no key can be had from its hash. The hash is written out here, so that it stays what it was.
"""

import hmac

from django.conf import settings
from django.db import migrations
from django.utils import timezone

LOT = 500
DEJA = 40  # characters of a hash; a key of Django's own has 32


def _condenser(cle):
    return hmac.digest(settings.HASH_KEY.encode(), f"session-de-page\x00{cle}".encode(), "sha256").hex()[:DEJA]


def condenser_les_cles(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":  # its pages would keep the former keys
        with schema_editor.connection.cursor() as curseur:
            curseur.execute("PRAGMA secure_delete = ON")
    Session = apps.get_model("sessions", "Session")
    Session.objects.filter(expire_date__lte=timezone.now()).delete()
    lues = list(Session.objects.values_list("session_key", flat=True))
    anciennes = [cle for cle in lues if len(cle) != DEJA]
    for debut in range(0, len(anciennes), LOT):
        lot = Session.objects.filter(session_key__in=anciennes[debut : debut + LOT])
        neuves = [
            Session(session_key=_condenser(une.session_key), session_data=une.session_data, expire_date=une.expire_date)
            for une in lot
        ]
        lot.delete()
        Session.objects.bulk_create(neuves)


def oublier(apps, schema_editor):
    apps.get_model("sessions", "Session").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_compte_equipe_depuis"), ("sessions", "0001_initial")]

    operations = [migrations.RunPython(condenser_les_cles, oublier)]
