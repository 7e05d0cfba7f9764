"""Where a time ends: working days of three countries, over changes of hour, and months of every length."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from echeances.jours import jour_du
from echeances.models import Delai, JourFerme
from socle.domaine.temps import jour_du_campus

pytestmark = pytest.mark.django_db


def apres(depuis, nombre, unite):
    return jour_du(
        Delai(nombre=nombre, unite=unite), depuis, frozenset(JourFerme.objects.values_list("jour", flat=True))
    )


@pytest.mark.parametrize(
    ("pays", "depuis", "attendu"),
    [
        ("", date(2026, 4, 30), date(2026, 5, 11)),  # a Thursday, and two weekends
        ("FR", date(2026, 4, 30), date(2026, 5, 13)),  # without the 1st and the 8th of May
        ("FR-57", date(2026, 4, 2), date(2026, 4, 15)),  # Moselle: Good Friday, Easter Monday
        ("FR", date(2026, 4, 2), date(2026, 4, 14)),  # Easter Monday alone
        ("CD", date(2026, 6, 29), date(2026, 7, 9)),  # the 30th of June, independence
        ("CA-QC", date(2026, 6, 23), date(2026, 7, 6)),  # the 24th of June, and the 1st of July
        ("FR", date(2026, 12, 24), date(2027, 1, 6)),  # over the new year
    ],
)
def test_sept_jours_ouvres_sautent_repos_et_feries(settings, pays, depuis, attendu):
    settings.PAYS_FERIES = pays

    assert apres(depuis, 7, "JOURS_OUVRES") == attendu


def test_les_jours_de_repos_sont_ceux_du_campus(settings):
    settings.JOURS_DE_REPOS = frozenset({5, 6})  # Friday and Saturday

    assert apres(date(2026, 3, 4), 2, "JOURS_OUVRES") == date(2026, 3, 8)  # Thursday, then Sunday


def test_un_jour_de_fermeture_ne_compte_pas(settings):
    JourFerme.objects.create(jour=date(2026, 3, 3))

    assert apres(date(2026, 3, 2), 1, "JOURS_OUVRES") == date(2026, 3, 4)


@pytest.mark.parametrize(
    ("depuis", "mois", "attendu"),
    [
        (date(2026, 1, 15), 3, date(2026, 4, 15)),
        (date(2025, 11, 30), 3, date(2026, 2, 28)),
        (date(2027, 11, 30), 3, date(2028, 2, 29)),
        (date(2026, 10, 31), 3, date(2027, 1, 31)),
        (date(2026, 12, 1), 12, date(2027, 12, 1)),
    ],
)
def test_un_mois_finit_le_meme_jour_ou_le_dernier(depuis, mois, attendu):
    assert apres(depuis, mois, "MOIS") == attendu


def test_des_jours_sont_des_jours():
    assert apres(date(2026, 2, 20), 10, "JOURS") == date(2026, 3, 2)


@pytest.mark.parametrize(
    ("fuseau", "instant", "attendu"),
    [
        ("Europe/Paris", datetime(2026, 3, 28, 23, 30, tzinfo=UTC), date(2026, 3, 29)),  # the night that clocks change
        ("Europe/Paris", datetime(2026, 10, 24, 22, 30, tzinfo=UTC), date(2026, 10, 25)),
        ("Africa/Kinshasa", datetime(2026, 3, 28, 23, 30, tzinfo=UTC), date(2026, 3, 29)),
        ("America/Montreal", datetime(2026, 3, 29, 3, 30, tzinfo=UTC), date(2026, 3, 28)),
    ],
)
def test_le_jour_est_celui_du_campus(settings, time_machine, fuseau, instant, attendu):
    settings.TIME_ZONE_CAMPUS = ZoneInfo(fuseau)
    time_machine.move_to(instant, tick=False)

    assert jour_du_campus(timezone.now()) == attendu
    assert apres(jour_du_campus(), 1, "JOURS") == attendu + timedelta(days=1)
