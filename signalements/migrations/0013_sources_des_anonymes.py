from collections import Counter
from datetime import date

from django.conf import settings
from django.db import migrations

from socle.domaine.migrations import sans_limite_de_temps

COLONNES = ("type", "statut", "priorite", "mode_identification", "date_creation", "date_resolution")
CELLULE = ("axe", "jour", "type", "statut", "priorite", "mode", "source")


def _deplacer(apps, de, vers):
    """Move what hides its author and came by a merge from one source to the other, cell by cell."""
    Signalement = apps.get_model("signalements", "Signalement")
    Effectif = apps.get_model("signalements", "Effectif")
    nombres, resolus, secondes = Counter(), Counter(), Counter()
    lignes = Signalement.objects.filter(absorbe_par=None, fusionne_de__isnull=False)
    lignes = lignes.exclude(mode_identification="IDENTIFIE").order_by().values_list(*COLONNES)
    for type_, statut, priorite, mode, creation, resolution in lignes.iterator(chunk_size=5_000):
        jour = creation.astimezone(settings.TIME_ZONE_CAMPUS).date()
        duree = max(int((resolution - creation).total_seconds()), 0) if resolution else 0
        for source, signe in ((de, -1), (vers, 1)):
            for cellule in (
                ("TOUT", date.min, type_, statut, priorite, mode, source),
                ("SOURCE", jour, type_, "", "", "", source),
            ):
                nombres[cellule] += signe
                resolus[cellule] += signe * bool(resolution)
                secondes[cellule] += signe * duree
    Effectif.objects.bulk_create(
        (
            Effectif(
                **dict(zip(CELLULE, cellule, strict=True)),
                nombre=nombre,
                resolus=resolus[cellule],
                secondes=secondes[cellule],
            )
            for cellule, nombre in nombres.items()
        ),
        batch_size=5_000,
    )


def garder_la_source(apps, schema_editor):
    _deplacer(apps, "AUTH_USER", "GUEST")


def suivre_le_compte(apps, schema_editor):
    _deplacer(apps, "GUEST", "AUTH_USER")


class Migration(migrations.Migration):
    dependencies = [("signalements", "0012_sources_montrees")]

    operations = [
        sans_limite_de_temps(),
        migrations.RunPython(garder_la_source, suivre_le_compte, elidable=True),
    ]
