import pytest
from django.db import connection
from django.db.models import F

from signalements.models import Signalement
from socle.moteur.conditions import ParmiCellesDe

pytestmark = pytest.mark.django_db


def test_parmi_les_cles_d_une_requete(signalement, signalement_invite):
    cles = Signalement.objects.filter(pk=signalement.pk).order_by().values("pk")

    trouves = Signalement.objects.filter(ParmiCellesDe(F("pk"), cles)).order_by()
    autres = Signalement.objects.exclude(ParmiCellesDe(F("pk"), cles)).order_by()

    assert [un.pk for un in trouves] == [signalement.pk]
    assert [un.pk for un in autres] == [signalement_invite.pk]


@pytest.mark.postgres
def test_ses_cles_sont_lues_avant_le_reste(signalement):
    cles = Signalement.objects.order_by().values("pk")

    requete = str(Signalement.objects.filter(ParmiCellesDe(F("pk"), cles)).query)

    assert connection.vendor == "postgresql"
    assert "= ANY(ARRAY(SELECT" in requete
