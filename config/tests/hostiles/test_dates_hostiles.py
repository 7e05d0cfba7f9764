"""Dates at the ends of the calendar, and those that are none."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from config.tests.outils.hostiles import Appel, Operation, champs_nommes
from signalements.models import Signalement
from socle.domaine import temps

pytestmark = pytest.mark.django_db

DATES_FAUSSES = [
    "2026-02-30T10:00:00Z",
    "2025-02-29T10:00:00Z",
    "2026-13-01T10:00:00Z",
    "2026-03-01T24:30:00Z",
    "2026-03-01T10:60:00Z",
    "2026-03-01T10:00:61Z",
    "2026-03-01T10:00:00+25:00",
    "0000-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "9999-12-31T23:59:59.999999-00:01",
    "２026-03-01T10:00:00Z",
    "2026-03-01T10:00:00Z\x00",
    "demain",
    "",
    "1772359200",
    "12:30:00",
    "T",
    "a" * 100_000,
]


@pytest.mark.parametrize("date", DATES_FAUSSES, ids=lambda date: date[:32] or "vide")
def test_une_date_qui_n_existe_pas_est_nommee(date):
    appel = Appel(Operation("POST", "/api/v1/signalements"))

    reponse = appel.avec("dateIncident", date)

    assert (reponse.status_code, champs_nommes(reponse)) == (422, {"dateIncident"})
    assert not Signalement.objects.exists()


@pytest.mark.parametrize(
    ("date", "lue"),
    [
        ("2026-03-01T14:30:00", "2026-03-01T14:30:00.000Z"),
        (" 2026-03-01T14:30:00Z ", "2026-03-01T14:30:00.000Z"),
        ("2026-03-01T14:30:00+01:00", "2026-03-01T13:30:00.000Z"),
        ("2024-02-29T23:30:00-01:00", "2024-03-01T00:30:00.000Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ],
)
def test_une_date_se_lit_en_utc_et_se_relit_de_meme(date, lue):
    appel = Appel(Operation("POST", "/api/v1/signalements"))

    cree = appel.avec("dateIncident", date).json()["data"]
    relu = appel.client.get(f"/api/v1/signalements/{cree['id']}").json()["data"]

    assert (cree["dateIncident"], relu["dateIncident"]) == (lue, lue)


LE_SOIR = datetime(2026, 3, 1, 23, 30, tzinfo=ZoneInfo("Europe/Paris"))


class Horloge(datetime):
    @classmethod
    def now(cls, tz=None):
        return LE_SOIR.astimezone(tz)


@pytest.mark.parametrize(
    ("date", "statut"),
    [
        ("2026-03-02T23:59:59+01:00", 201),
        ("2026-03-02T22:59:59Z", 201),
        ("2026-03-03T00:00:00+01:00", 422),
        ("2062-03-01T10:00:00Z", 422),
        ("9999-12-31T23:59:59Z", 422),
    ],
)
def test_un_incident_est_au_plus_tard_de_demain(settings, monkeypatch, date, statut):
    """By the calendar of the campus, whatever zone the date is said in."""
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Europe/Paris")
    monkeypatch.setattr(temps, "datetime", Horloge)

    reponse = Appel(Operation("POST", "/api/v1/signalements")).avec("dateIncident", date)

    assert reponse.status_code == statut
    if statut == 422:
        assert [(un["field"], un["code"]) for un in reponse.json()["details"]] == [("dateIncident", "avenir")]


def test_un_signalement_recu_avant_cette_regle_se_relit_encore(api, etudiante):
    cree = api(etudiante).post("/api/v1/signalements", {"titre": "Vol", "description": "Volé.", "type": "VOL"})
    cle = cree.json()["data"]["id"]
    Signalement.objects.filter(pk=cle).update(date_incident=timedelta(days=20_000) + LE_SOIR)

    assert api(etudiante).get(f"/api/v1/signalements/{cle}").status_code == 200
