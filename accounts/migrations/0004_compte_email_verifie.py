from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_roles_herites")]
    operations = [
        migrations.AddField(
            model_name="compte",
            name="email_verifie",
            field=models.BooleanField(
                db_default=False, default=False, editable=False, verbose_name="e-mail vérifié"
            ),
        )
    ]
