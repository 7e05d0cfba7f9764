"""The day of opening reaches a base that has lived without it, the hashes leave it, and both ways are open."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config.tests.outils.migrations import DEJA_PUBLIEES
from guests.models import SessionInvitee
from signalements.tests.test_migrations import migrer

pytestmark = DEJA_PUBLIEES

AVANT, APRES = [("guests", "0002_audit_fusion")], [("guests", "0006_sans_empreintes")]


@pytest.fixture
def d_avant(transactional_db):
    """The models as they were; whatever happens the base is up to date again afterwards."""
    yield migrer(AVANT)
    migrer(MigrationExecutor(connection).loader.graph.leaf_nodes())


def test_une_base_qui_a_vecu_recoit_les_jours_du_campus_et_perd_les_empreintes(d_avant, settings):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Africa/Kinshasa")
    Ancienne = d_avant.get_model("guests", "SessionInvitee")
    for rang, heure in enumerate((22, 23)):
        moment = datetime(2026, 3, 1, heure, 30, tzinfo=UTC)
        Ancienne.objects.create(
            guest_id_empreinte=str(rang), telephone="x", telephone_empreinte="y", date_creation=moment
        )

    migrer(APRES)

    jours = SessionInvitee.objects.order_by("guest_id_empreinte").values_list("jour", flat=True)
    assert list(jours) == [date(2026, 3, 1), date(2026, 3, 2)]

    retour = migrer(AVANT).get_model("guests", "SessionInvitee")
    assert set(retour.objects.values_list("telephone_empreinte", "appareil_empreinte")) == {("", "")}
    assert "jour" not in [champ.name for champ in retour._meta.fields]
