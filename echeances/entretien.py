"""Steps of each minute: what a date has others told, and the cases that were open when the dates began."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from echeances.models import ChoixDesDates, Echeance
from echeances.services import rappeler, reprendre
from echeances.vocabulaire import PARTOUT_SU, PREMIERE_HEURE
from signalements.models import Signalement
from socle.domaine.temps import jour_du_campus
from socle.taches.entretien import chaque_minute

LOT = 200  # dates, or cases, of one minute: what is left waits for the next


@chaque_minute("Dates promises rappelées")
def rappeler_les_dates() -> None:
    """In the hours of the campus's day: a date turns at midnight, and nobody is to be woken for it."""
    if timezone.now().astimezone(settings.TIME_ZONE_CAMPUS).hour < PREMIERE_HEURE:
        return
    for cle in list(Echeance.objects.a_rappeler(jour_du_campus()).values_list("pk", flat=True)[:LOT]):
        rappeler(cle)


@chaque_minute("Dossiers ouverts datés")
def dater_les_dossiers_ouverts() -> None:
    """Go on where the last minute stopped, the oldest first, until none is left that was open then."""
    with transaction.atomic():
        choisis = ChoixDesDates.objects.select_for_update().filter(accepte=True, est_repris=False)
        choix = choisis.filter(date_choix__lte=timezone.now() - PARTOUT_SU).first()
        if choix is None:
            return
        ouverts: Any = Signalement.objects.vivants().ouverts()
        ouverts = ouverts.filter(date_creation__lte=choix.date_choix + PARTOUT_SU)
        if choix.reprise_date is not None:
            plus_tard = Q(date_creation=choix.reprise_date, id__gt=choix.reprise_id)
            ouverts = ouverts.filter(Q(date_creation__gt=choix.reprise_date) | plus_tard)
        lot = list(ouverts.order_by("date_creation", "id")[:LOT])
        reprendre(lot, jour_du_campus(choix.date_choix))
        choix.est_repris = len(lot) < LOT
        if lot:
            choix.reprise_date, choix.reprise_id = lot[-1].date_creation, lot[-1].pk
        choix.save(update_fields=["est_repris", "reprise_date", "reprise_id"])
