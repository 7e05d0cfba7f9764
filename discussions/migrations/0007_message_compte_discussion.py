from django.conf import settings
from django.db import migrations, models

from socle.domaine.migrations import sans_limite_de_temps


class Migration(migrations.Migration):
    dependencies = [
        ("discussions", "0006_compter_les_non_lus"),
        ("guests", "0010_session_effacee"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        sans_limite_de_temps(),
        # The new one first: it is built while messages are read, and the old one goes in an instant.
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["compte", "discussion"], name="message_compte_discussion"),
        ),
        migrations.RemoveIndex(model_name="message", name="message_compte"),
    ]
