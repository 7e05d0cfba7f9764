from django.db import migrations, transaction
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from socle.domaine.migrations import sans_limite_de_temps

LOT = 5_000


def dater(apps, schema_editor):
    """Since the latest entry that closed it; where the history does not tell, since the latest change.

    Batch by batch, each in its transaction: interrupted, it goes on with those that have no date.
    """
    Signalement = apps.get_model("signalements", "Signalement")
    EntreeTimeline = apps.get_model("signalements", "EntreeTimeline")
    entrees = EntreeTimeline.objects.filter(signalement=OuterRef("pk"), type="STATUT", apres="CLOTURE")
    derniere = entrees.order_by("-date_creation", "-id").values("date_creation")[:1]
    clos = Signalement.objects.filter(statut="CLOTURE", date_cloture=None).order_by("pk")
    cles = list(clos.values_list("pk", flat=True))
    for debut in range(0, len(cles), LOT):
        with transaction.atomic():
            lot = Signalement.objects.filter(pk__in=cles[debut : debut + LOT], statut="CLOTURE", date_cloture=None)
            lot.update(date_cloture=Coalesce(Subquery(derniere), F("date_modification")))


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("signalements", "0017_temps_de_garde")]

    operations = [sans_limite_de_temps(), migrations.RunPython(dater, migrations.RunPython.noop, elidable=True)]
