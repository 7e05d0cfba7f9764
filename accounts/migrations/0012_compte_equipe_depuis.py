from django.db import migrations, models


class Migration(migrations.Migration):
    """Since when somebody reads every case; of those who do today it is not known, and their creation stands for it."""

    dependencies = [("accounts", "0011_compte_efface")]

    operations = [
        migrations.AddField(
            model_name="compte", name="equipe_depuis", field=models.DateTimeField(editable=False, null=True)
        ),
    ]
