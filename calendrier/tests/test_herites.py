"""INSCRIT, the word of an earlier system, reads as CONFIRMED, counts, and is turned."""

from importlib import import_module

import pytest
from django.apps import apps

from calendrier import services
from calendrier.models import EvenementCampus, Participation
from calendrier.tests import fabriques
from calendrier.tests.outils import verifier_les_places

pytestmark = pytest.mark.django_db
CALENDRIERS = "/api/v1/calendriers/"


@pytest.fixture
def herite(gestionnaire, etudiante, autre_etudiante):
    """Three places, two taken under the earlier word."""
    evenement = fabriques.evenement(gestionnaire, nb_max_participants=3)
    for qui in (etudiante, autre_etudiante):
        fabriques.heritee(evenement, qui)
    return evenement


@pytest.fixture
def deborde(gestionnaire):
    """One place, and three people that the earlier system let in."""
    evenement = fabriques.evenement(gestionnaire, nb_max_participants=1)
    for _rang in range(3):
        fabriques.heritee(evenement)
    return evenement


def migrer():
    import_module("calendrier.migrations.0004_inscrits_herites").migrer(apps, None)


def test_toute_lecture_dit_confirmed_et_compte(api, gestionnaire, etudiante, herite):
    client, url = api(gestionnaire), f"{CALENDRIERS}{herite.pk}"

    lus = [
        api(etudiante).get(url).json()["data"],
        api(etudiante).get(CALENDRIERS).json()["data"]["items"][0],
        api(etudiante).get(f"{CALENDRIERS}date/{herite.date_debut:%Y-%m-%d}").json()["data"][0],
    ]
    participants = client.get(f"{url}/participants").json()["data"]["items"]
    filtres = {
        s: client.get(f"{url}/participants?statut={s}").json()["data"]["total"] for s in ("CONFIRMED", "PENDING")
    }

    assert [(e["nbParticipants"], e["placesRestantes"], e["maParticipation"]) for e in lus] == [(2, 1, "CONFIRMED")] * 3
    assert [p["statut"] for p in participants] == ["CONFIRMED"] * 2
    assert filtres == {"CONFIRMED": 2, "PENDING": 0}


def test_ce_qui_deborde_se_lit_complet(api, etudiante, deborde):
    lu = api(etudiante).get(f"{CALENDRIERS}{deborde.pk}").json()["data"]

    assert (lu["nbParticipants"], lu["nbMaxParticipants"], lu["placesRestantes"], lu["estComplet"]) == (3, 1, 0, True)


def test_une_place_heritee_est_tenue_et_se_quitte(api, herite, etudiante, autre_etudiante):
    deja = api(etudiante).post(f"{CALENDRIERS}{herite.pk}/inscription")
    statuts = [fabriques.participation(herite).statut for _rang in range(2)]

    parti = api(autre_etudiante).delete(f"{CALENDRIERS}{herite.pk}/inscription")

    assert (deja.status_code, deja.json()["code"]) == (409, "ALREADY_REGISTERED")
    assert statuts == ["CONFIRMED", "WAITLISTED"]
    assert parti.status_code == 204
    assert not Participation.objects.filter(statut="INSCRIT").exists()
    assert EvenementCampus.objects.get().nb_confirmes == 3
    verifier_les_places()


def test_personne_ne_perd_la_place_que_l_ancien_systeme_donnait(deborde):
    arrivee = fabriques.participation(deborde)

    evenement = EvenementCampus.objects.get()
    assert (evenement.nb_confirmes, evenement.nb_max_participants, arrivee.statut) == (3, 3, "WAITLISTED")
    verifier_les_places()


def test_l_equipe_change_une_participation_heritee(api, gestionnaire, herite, etudiante):
    participation = Participation.objects.get(compte=etudiante)

    rendu = api(gestionnaire).put(f"{CALENDRIERS}participants/{participation.pk}/statut", {"statut": "CANCELLED"})

    assert rendu.json()["data"]["statut"] == "CANCELLED"
    assert EvenementCampus.objects.get().nb_confirmes == 1


def test_l_ancienne_inscription_est_prevenue_d_une_annulation(evenements, herite, etudiante, autre_etudiante):
    with evenements() as recus:
        services.annuler(evenement=herite)

    assert {e["canal"] for e in recus} == {"calendriers", f"user:{etudiante.pk}", f"user:{autre_etudiante.pk}"}


def test_la_migration_tourne_ce_qui_est_stocke_et_le_compte(gestionnaire, herite, deborde, evenement):
    fabriques.participation(evenement)
    sans_limite = fabriques.evenement(gestionnaire)
    fabriques.heritee(sans_limite)
    fabriques.participation(sans_limite)
    fabriques.heritee(sans_limite)
    dates = set(Participation.objects.values_list("pk", "date_inscription"))

    migrer()
    migrer()

    assert not Participation.objects.filter(statut="INSCRIT").exists()
    assert set(Participation.objects.values_list("pk", "date_inscription")) == dates
    places = dict(EvenementCampus.objects.values_list("pk", "nb_max_participants"))
    assert [places[e.pk] for e in (herite, deborde, sans_limite, evenement)] == [3, 3, None, None]
    nombres = dict(EvenementCampus.objects.values_list("pk", "nb_confirmes"))
    assert [nombres[e.pk] for e in (herite, deborde, sans_limite, evenement)] == [2, 3, 3, 1]
    verifier_les_places()
