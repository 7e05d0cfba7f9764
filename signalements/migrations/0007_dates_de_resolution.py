from django.db import migrations
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from socle.domaine.migrations import sans_limite_de_temps

RESOLUS = ("TRAITE", "CLOTURE")


def dater(apps, schema_editor):
    """Since the latest entry from another status; where the history does not tell, since the latest change."""
    Signalement = apps.get_model("signalements", "Signalement")
    EntreeTimeline = apps.get_model("signalements", "EntreeTimeline")
    entrees = EntreeTimeline.objects.filter(signalement=OuterRef("pk"), type="STATUT", apres__in=RESOLUS)
    derniere = entrees.exclude(avant__in=RESOLUS).order_by("-date_creation", "-id").values("date_creation")[:1]
    Signalement.objects.filter(statut__in=RESOLUS, date_resolution=None).update(
        date_resolution=Coalesce(Subquery(derniere), F("date_modification"))
    )


class Migration(migrations.Migration):
    dependencies = [("signalements", "0006_date_resolution")]

    operations = [sans_limite_de_temps(), migrations.RunPython(dater, migrations.RunPython.noop, elidable=True)]
