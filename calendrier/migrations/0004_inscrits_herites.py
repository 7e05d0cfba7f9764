"""INSCRIT, the word of an earlier system, becomes CONFIRMED, and counts.

An event that had more of them than places keeps them all: its limit follows.
"""

from django.db import migrations
from django.db.models import Count, F, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce, Greatest


def migrer(apps, schema_editor):
    evenements = apps.get_model("calendrier", "EvenementCampus")._base_manager
    participations = apps.get_model("calendrier", "Participation")._base_manager
    herites = evenements.filter(participations__statut="INSCRIT").values("pk")
    concernes = list(herites.distinct().values_list("pk", flat=True))
    participations.filter(statut="INSCRIT").update(statut="CONFIRMED")
    confirmes = (
        participations.filter(evenement=OuterRef("pk"), statut="CONFIRMED")
        .order_by()
        .values("evenement")
        .annotate(nombre=Count("*"))
        .values("nombre")
    )
    nombre = Coalesce(Subquery(confirmes, output_field=IntegerField()), 0)
    for debut in range(0, len(concernes), 1_000):
        lot = evenements.filter(pk__in=concernes[debut : debut + 1_000])
        # Both columns at once: a constraint holds the number to the limit.
        lot.filter(nb_max_participants__isnull=True).update(nb_confirmes=nombre)
        lot.filter(nb_max_participants__isnull=False).update(
            nb_confirmes=nombre, nb_max_participants=Greatest(F("nb_max_participants"), nombre)
        )


class Migration(migrations.Migration):
    dependencies = [("calendrier", "0003_periode")]
    operations = [migrations.RunPython(migrer, migrations.RunPython.noop)]
