from collections import Counter
from datetime import date

from django.conf import settings
from django.db import migrations

from socle.domaine.migrations import sans_limite_de_temps

COLONNES = (
    "type",
    "statut",
    "priorite",
    "mode_identification",
    "invite_id",
    "gestionnaire_id",
    "date_creation",
    "date_resolution",
)
TOUJOURS = date.min


def _jour(moment):
    return moment.astimezone(settings.TIME_ZONE_CAMPUS).date()


def _cellules(ligne):
    """`(axe, jour, type, statut, priorite, mode, source, gestionnaire)` of each cell that this report counts in."""
    type_, statut, priorite, mode, invite, gestionnaire, creation, resolution = ligne
    source, cree = "GUEST" if invite else "AUTH_USER", _jour(creation)
    yield "TOUT", TOUJOURS, type_, statut, priorite, mode, source, ""
    yield "JOUR", cree, type_, "", "", "", "", ""
    yield "STATUT", cree, type_, statut, "", "", "", ""
    yield "PRIORITE", cree, type_, "", priorite, "", "", ""
    yield "MODE", cree, type_, "", "", mode, "", ""
    yield "SOURCE", cree, type_, "", "", "", source, ""
    if resolution:
        yield "RESOLUTION", _jour(resolution), type_, "", "", "", "", ""
    if gestionnaire:
        yield "GESTIONNAIRE", TOUJOURS, "", statut, "", "", "", str(gestionnaire)


def compter(apps, schema_editor):
    Signalement = apps.get_model("signalements", "Signalement")
    Effectif = apps.get_model("signalements", "Effectif")
    nombres, resolus, secondes = Counter(), Counter(), Counter()
    lignes = Signalement.objects.filter(absorbe_par=None).order_by().values_list(*COLONNES)
    for ligne in lignes.iterator(chunk_size=5_000):
        *_reste, creation, resolution = ligne
        for cellule in _cellules(ligne):
            nombres[cellule] += 1
            if resolution:
                resolus[cellule] += 1
                secondes[cellule] += max(int((resolution - creation).total_seconds()), 0)
    colonnes = ("axe", "jour", "type", "statut", "priorite", "mode", "source", "gestionnaire")
    Effectif.objects.bulk_create(
        (
            Effectif(
                **dict(zip(colonnes, cellule, strict=True)),
                nombre=nombre,
                resolus=resolus[cellule],
                secondes=secondes[cellule],
                plie=True,
            )
            for cellule, nombre in nombres.items()
        ),
        batch_size=5_000,
    )


def oublier(apps, schema_editor):
    apps.get_model("signalements", "Effectif").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("signalements", "0008_effectif")]

    operations = [sans_limite_de_temps(), migrations.RunPython(compter, oublier, elidable=True)]
