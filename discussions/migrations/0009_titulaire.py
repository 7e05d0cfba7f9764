from uuid import UUID

from django.db import migrations, models

from socle.domaine.migrations import sans_limite_de_temps

PERSONNE = UUID(int=0)
_ECRIRE = """
UPDATE discussions_discussion SET titulaire = COALESCE(
    (SELECT COALESCE(s.compte_id, s.invite_id) FROM signalements_signalement s WHERE s.id = signalement_id),
    compte_id, invite_id
)
"""


def ecrire(apps, schema_editor):
    schema_editor.execute(_ECRIRE)


class Migration(migrations.Migration):
    """Whose case each discussion is: the report's owner, without a report who opened it."""

    dependencies = [("discussions", "0008_participants"), ("signalements", "0022_effectifs_couverts")]

    operations = [
        sans_limite_de_temps(),
        migrations.AddField(
            model_name="discussion",
            name="titulaire",
            field=models.UUIDField(default=PERSONNE, editable=False),
            preserve_default=False,
        ),
        migrations.RunPython(ecrire, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="discussion",
            index=models.Index(fields=["titulaire"], name="discussion_titulaire"),
        ),
    ]
