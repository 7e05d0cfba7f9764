from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


def retirer_ceux_des_comptes(apps: Any, schema_editor: Any) -> None:
    """The way back has no column for them: whoever held one signs in again."""
    apps.get_model("portail", "Acces").objects.filter(invite__isnull=True).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_compte_nom_de_famille"),
        ("guests", "0009_telephone_facultatif"),
        ("portail", "0001_acces"),
    ]

    operations = [
        migrations.AddField(
            model_name="acces",
            name="session",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="accounts.session",
            ),
        ),
        migrations.AddField(
            model_name="acces",
            name="a_rattacher",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="guests.sessioninvitee",
            ),
        ),
        migrations.AlterField(
            model_name="acces",
            name="invite",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="acces",
                to="guests.sessioninvitee",
            ),
        ),
        migrations.AddIndex(
            model_name="acces",
            index=models.Index(
                condition=Q(date_fin__isnull=True), fields=["session"], name="acces_ouverts_de_comptes"
            ),
        ),
        migrations.AddIndex(
            model_name="acces",
            index=models.Index(
                condition=Q(a_rattacher__isnull=False), fields=["a_rattacher"], name="acces_a_rattacher"
            ),
        ),
        migrations.AddConstraint(
            model_name="acces",
            constraint=models.CheckConstraint(
                condition=Q(invite__isnull=False, session__isnull=True)
                | Q(invite__isnull=True, session__isnull=False),
                name="acces_d_une_seule_personne",
            ),
        ),
        migrations.AddConstraint(
            model_name="acces",
            constraint=models.CheckConstraint(
                condition=Q(a_rattacher__isnull=True)
                | Q(session__isnull=False, date_fin__isnull=True),
                name="acces_a_rattacher_ouvert",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, retirer_ceux_des_comptes),
    ]
