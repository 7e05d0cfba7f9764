from django.db import migrations

from socle.domaine.fige import condenser, horodatage, sans_ponctuation

LOT = 2_000


def calculer(apps, schema_editor):
    """The fingerprint of every report that is there already, a batch at a time."""
    modele = apps.get_model("signalements", "Signalement")
    lot = []
    for dossier in modele._base_manager.only("type", "date_incident", "lieu_incident", "description").iterator(LOT):
        date = horodatage(dossier.date_incident) if dossier.date_incident else None
        lieu = sans_ponctuation(dossier.lieu_incident) or None
        dossier.empreinte_faits = condenser(dossier.type, date, lieu, sans_ponctuation(dossier.description))
        lot.append(dossier)
        if len(lot) == LOT:
            modele._base_manager.bulk_update(lot, ["empreinte_faits"])
            lot = []
    modele._base_manager.bulk_update(lot, ["empreinte_faits"])


class Migration(migrations.Migration):
    dependencies = [("signalements", "0003_fusion")]
    operations = [migrations.RunPython(calculer, migrations.RunPython.noop)]
