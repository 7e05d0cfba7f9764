from django.db import migrations, models

import socle.domaine.temps


class Migration(migrations.Migration):
    dependencies = [("guests", "0002_audit_fusion")]

    operations = [
        migrations.AddField(
            "sessioninvitee",
            "jour",
            models.DateField(default=socle.domaine.temps.jour_du_campus, editable=False, verbose_name="ouverte le"),
        ),
    ]
