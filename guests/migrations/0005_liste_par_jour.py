import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('guests', '0004_jours_des_sessions'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='sessioninvitee',
            name='session_invitee_date',
        ),
        migrations.RemoveIndex(
            model_name='sessioninvitee',
            name='session_invitee_statut_date',
        ),
        migrations.AlterField(
            model_name='sessioninvitee',
            name='date_derniere_activite',
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.AlterField(
            model_name='sessioninvitee',
            name='date_fusion',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='sessioninvitee',
            name='fusionnee_dans',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='sessioninvitee',
            index=models.Index(fields=['-jour', 'id'], name='session_invitee_jour'),
        ),
        migrations.AddIndex(
            model_name='sessioninvitee',
            index=models.Index(fields=['statut', '-jour', 'id'], name='session_invitee_statut_jour'),
        ),
    ]
