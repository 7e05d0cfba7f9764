"""Sessions that are there already take the day on which they were opened."""

from django.conf import settings
from django.db import migrations
from django.db.models.functions import TruncDate

from socle.domaine.migrations import sans_limite_de_temps


def dater(apps, schema_editor):
    ouverture = TruncDate("date_creation", tzinfo=settings.TIME_ZONE_CAMPUS)
    apps.get_model("guests", "SessionInvitee").objects.update(jour=ouverture)


class Migration(migrations.Migration):
    dependencies = [("guests", "0003_session_jour")]

    operations = [sans_limite_de_temps(), migrations.RunPython(dater, migrations.RunPython.noop, elidable=True)]
