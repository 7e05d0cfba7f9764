"""Free the places of accounts already deactivated, in events still to come; they go to the active who wait.

Rows whose account was deactivated before this rule: nobody is told by a socket, the next reading says it.
"""

from django.db import migrations
from django.utils import timezone

ACTIFS = ("PENDING", "CONFIRMED", "WAITLISTED", "INSCRIT")
CONFIRMES = ("CONFIRMED", "INSCRIT")


def liberer(apps, schema_editor):
    evenements = apps.get_model("calendrier", "EvenementCampus")._base_manager
    participations = apps.get_model("calendrier", "Participation")._base_manager
    maintenant = timezone.now()
    tenues = participations.filter(compte__est_actif=False, statut__in=ACTIFS)
    a_venir = evenements.exclude(statut="ANNULE").filter(date_fin__gt=maintenant)
    cles = a_venir.filter(pk__in=tenues.values("evenement")).order_by("pk").values_list("pk", flat=True)
    for cle in list(cles):
        evenement = evenements.select_for_update(of=("self",)).get(pk=cle)
        siennes = participations.filter(evenement=cle)
        tenues.filter(evenement=cle).update(statut="CANCELLED", date_modification=maintenant)
        confirmes = siennes.filter(statut__in=CONFIRMES).count()
        attendent = siennes.filter(statut="WAITLISTED", compte__est_actif=True).order_by("date_inscription", "id")
        places = evenement.nb_max_participants
        if places is not None:
            attendent = attendent[: max(0, places - confirmes)]
        promus = list(attendent.values_list("pk", flat=True))
        participations.filter(pk__in=promus).update(statut="CONFIRMED", date_modification=maintenant)
        evenement.nb_confirmes = siennes.filter(statut="CONFIRMED").count()
        evenement.save(update_fields=["nb_confirmes"])


class Migration(migrations.Migration):
    dependencies = [("calendrier", "0004_inscrits_herites")]
    operations = [migrations.RunPython(liberer, migrations.RunPython.noop)]
