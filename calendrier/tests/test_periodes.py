"""What overlaps a day, or days, of the campus."""

from zoneinfo import ZoneInfo

import pytest

from calendrier import views
from calendrier.models import EvenementCampus
from calendrier.tests import fabriques
from config.tests.outils import champs_refuses

pytestmark = pytest.mark.django_db
CALENDRIERS = "/api/v1/calendriers/"


@pytest.fixture
def poser(gestionnaire):
    """poser(a=("2027-03-10T10:00+00:00", "2027-03-10T12:00+00:00")): an event of that title."""

    def faire(**bornes):
        for titre, (debut, fin) in bornes.items():
            fabriques.du(gestionnaire, debut, fin, titre=titre)

    return faire


@pytest.fixture
def lire(api, etudiante):
    client = api(etudiante)

    def titres(chemin):
        reponse = client.get(CALENDRIERS + chemin)
        assert reponse.status_code == 200, reponse.content
        return [e["titre"] for e in reponse.json()["data"]]

    return titres


def test_un_jour_rend_ce_qui_le_touche_et_rien_d_autre(poser, lire):
    poser(
        veille=("2027-03-09T10:00+00:00", "2027-03-09T12:00+00:00"),
        finit_a_minuit=("2027-03-09T22:00+00:00", "2027-03-10T00:00+00:00"),
        nuit_d_avant=("2027-03-09T22:00+00:00", "2027-03-10T00:00:01+00:00"),
        semaine=("2027-03-08T00:00+00:00", "2027-03-15T00:00+00:00"),
        matin=("2027-03-10T00:00+00:00", "2027-03-10T08:00+00:00"),
        nuit_d_apres=("2027-03-10T23:59:59+00:00", "2027-03-11T02:00+00:00"),
        lendemain=("2027-03-11T00:00+00:00", "2027-03-11T08:00+00:00"),
    )

    # They begin together: the id decides.
    nuit = list(EvenementCampus.objects.filter(titre__in=["finit_a_minuit", "nuit_d_avant"]).order_by("pk"))
    nuit = [evenement.titre for evenement in nuit]
    attendus = ["semaine", "nuit_d_avant", "matin", "nuit_d_apres"]
    assert lire("date/2027-03-10") == attendus
    assert lire("range?debut=2027-03-10&fin=2027-03-10") == attendus
    assert lire("range?debut=2027-03-09&fin=2027-03-10") == ["semaine", "veille", *nuit, "matin", "nuit_d_apres"]
    assert lire("date/2027-05-10") == []


@pytest.mark.parametrize(
    ("fuseau", "jour", "instants"),
    [
        # Midnight in Kinshasa is 23:00 UTC of the day before.
        ("Africa/Kinshasa", "2027-03-10", ("2027-03-09T23:00", "2027-03-10T23:00")),
        ("Pacific/Honolulu", "2027-03-10", ("2027-03-10T10:00", "2027-03-11T10:00")),
        # The clocks go forward in the night: a day of 23 hours; then one of 25.
        ("Europe/Paris", "2027-03-28", ("2027-03-27T23:00", "2027-03-28T22:00")),
        ("Europe/Paris", "2027-10-31", ("2027-10-30T22:00", "2027-10-31T23:00")),
        # Midnight itself does not exist: the day begins at one o'clock.
        ("Africa/Cairo", "2027-04-30", ("2027-04-29T22:00", "2027-04-30T21:00")),
    ],
)
def test_un_jour_est_celui_du_campus(settings, poser, lire, fuseau, jour, instants):
    settings.TIME_ZONE_CAMPUS = ZoneInfo(fuseau)
    debut, fin = instants
    poser(
        juste_avant=(f"{debut[:-5]}00:00+00:00", f"{debut}:00+00:00"),
        premiere_seconde=(f"{debut}:00+00:00", f"{debut}:01+00:00"),
        derniere_seconde=(f"{fin[:-3]}:00:00+00:00", f"{fin}:01+00:00")
        if fin[-2:] != "00"
        else (_avant(fin), f"{fin}:00+00:00"),
        juste_apres=(f"{fin}:00+00:00", f"{fin}:01+00:00"),
    )

    assert lire(f"date/{jour}") == ["premiere_seconde", "derniere_seconde"]


def _avant(moment):
    """The second before a whole hour."""
    jour, heure = moment[:11], int(moment[11:13])
    return f"{jour}{heure - 1:02d}:59:59+00:00"


def test_une_periode_se_filtre(poser, lire, gestionnaire, api):
    fabriques.du(gestionnaire, "2027-03-10T10:00+00:00", "2027-03-10T12:00+00:00", titre="concert", type="CONCERT")
    annule = fabriques.du(gestionnaire, "2027-03-10T11:00+00:00", "2027-03-10T12:00+00:00", titre="annule")
    api(gestionnaire).delete(f"{CALENDRIERS}{annule.pk}")

    assert lire("date/2027-03-10") == ["concert", "annule"]
    assert lire("date/2027-03-10?statut=PUBLIE") == ["concert"]
    assert lire("range?debut=2027-03-01&fin=2027-03-31&type=atelier") == ["annule"]


@pytest.mark.parametrize(
    ("question", "nommes"),
    [
        ("", {"debut", "fin"}),
        ("debut=2027-03-01", {"fin"}),
        ("fin=2027-03-01", {"debut"}),
        ("debut=2027-03-02&fin=2027-03-01", {"fin"}),
        ("debut=2027-02-29&fin=2027-03-01", {"debut"}),
        ("debut=2027-03-01&fin=2027-13-01", {"fin"}),
        ("debut=01/03/2027&fin=2027-03-02", {"debut"}),
        ("debut=2027-03-01T00:00:00Z&fin=2027-03-02", {"debut"}),
        ("debut=2027-01-01&fin=2028-02-06", {"fin"}),
        ("debut=2027-01-01&fin=2027-01-02&statut=REPORTE", {"statut"}),
    ],
)
def test_une_periode_illisible_ou_trop_longue_est_nommee(api, etudiante, question, nommes):
    assert champs_refuses(api(etudiante).get(f"{CALENDRIERS}range?{question}")) == nommes


def test_quatre_cents_jours_se_lisent(lire):
    assert lire("range?debut=2027-01-01&fin=2028-02-05") == []


@pytest.mark.parametrize(
    "jour", ["2027-02-29", "2027-13-01", "2027-3-1", "20270301", "demain", "２027-03-01", "0000-01-01", "2027-03-01Z"]
)
def test_un_jour_illisible_est_un_422(api, etudiante, jour):
    assert champs_refuses(api(etudiante).get(f"{CALENDRIERS}date/{jour}")) == {"target_date"}


@pytest.mark.parametrize("jour", ["0001-01-01", "9999-12-31"])
def test_les_bouts_du_calendrier_se_lisent(lire, settings, jour):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Pacific/Honolulu")

    assert lire(f"date/{jour}") == []


@pytest.mark.parametrize(
    ("chemin", "nomme"), [("range?debut=2027-03-01&fin=2027-03-31", "fin"), ("date/2027-03-10", "target_date")]
)
def test_ce_qui_ne_tient_pas_dans_un_tableau_est_refuse_plutot_que_coupe(
    api, etudiante, poser, lire, monkeypatch, chemin, nomme
):
    monkeypatch.setattr(views, "EVENEMENTS_D_UNE_PERIODE", 2)
    bornes = ("2027-03-10T10:00+00:00", "2027-03-10T12:00+00:00")
    poser(un=bornes, deux=bornes)
    assert sorted(lire(chemin)) == ["deux", "un"]

    poser(trois=bornes)

    assert champs_refuses(api(etudiante).get(CALENDRIERS + chemin)) == {nomme}
    assert lire(f"{chemin}{'&' if '?' in chemin else '?'}type=CONCERT") == []
