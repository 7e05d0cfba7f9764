import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from calendrier import services
from calendrier.models import EvenementCampus, Participation
from calendrier.tests import fabriques
from config.tests.outils import acteur_de
from socle.domaine.acteurs import ActeurCompte
from socle.realtime.canaux import audiences

pytestmark = pytest.mark.django_db


@pytest.fixture
def petit(gestionnaire):
    return fabriques.evenement(gestionnaire, nb_max_participants=1)


@pytest.fixture
def plein(petit):
    """One confirmed, two waiting, in this order."""
    return [fabriques.participation(petit) for _rang in range(3)]


def en_bref(recus):
    return [(e["type"], e["canal"], e["audience"]) for e in recus]


def canal_de(participation):
    return f"user:{participation.compte_id}"


def test_qui_entend_le_calendrier(etudiante, gestionnaire, invite):
    entendus = [audiences(acteur_de(qui), "calendriers") for qui in (etudiante, gestionnaire, invite)]

    assert entendus == [["PUBLIC"], ["PUBLIC"], []]


def test_publier_est_annonce_dans_la_forme_de_tous(evenements, api, gestionnaire):
    corps = {
        "titre": "Forum",
        "type": "REUNION",
        "dateDebut": "2027-03-01T14:00:00Z",
        "dateFin": "2027-03-01T16:00:00Z",
    }
    with evenements() as recus:
        rendu = api(gestionnaire).post("/api/v1/calendriers/", corps).json()["data"]

    assert en_bref(recus) == [("event_created", "calendriers", "PUBLIC")]
    assert recus[0]["payload"] == {nom: valeur for nom, valeur in rendu.items() if nom != "maParticipation"}


def test_modifier_est_annonce_et_ne_dit_rien_de_qui_modifie(evenements, api, gestionnaire, evenement):
    fabriques.participation(evenement, gestionnaire)

    with evenements() as recus:
        api(gestionnaire).put(f"/api/v1/calendriers/{evenement.pk}", {"titre": "Secours"})

    assert en_bref(recus) == [("event_updated", "calendriers", "PUBLIC")]
    assert (recus[0]["payload"]["titre"], "maParticipation" in recus[0]["payload"]) == ("Secours", False)


def test_ne_rien_changer_n_est_pas_annonce(evenements, evenement):
    with evenements() as recus:
        services.modifier(evenement=evenement, titre=evenement.titre)

    assert recus == []


def test_annuler_est_annonce_a_tous_et_a_qui_devait_venir(evenements, petit, plein):
    services.changer_statut(participation=plein[2], statut="PENDING")
    fabriques.participation(petit, statut="CANCELLED")

    with evenements() as recus:
        services.annuler(evenement=petit)
        services.annuler(evenement=petit)

    assert {(e["canal"], e["type"], e["audience"]) for e in recus} == {
        (canal, "event_cancelled", "PUBLIC") for canal in ("calendriers", *map(canal_de, plein))
    }
    assert len(recus) == 4
    assert [e["payload"] for e in recus] == [{"id": str(petit.pk)}] * 4


def test_les_places_qui_changent_sont_annoncees_et_la_file_ne_l_est_pas(evenements, petit, etudiante):
    with evenements() as recus:
        fabriques.participation(petit)
        fabriques.participation(petit, etudiante)
        services.desinscrire(evenement=petit, compte=etudiante)

    assert en_bref(recus) == [("event_updated", "calendriers", "PUBLIC")]
    assert (recus[0]["payload"]["nbParticipants"], recus[0]["payload"]["estComplet"]) == (1, True)


def test_une_place_qui_passe_d_une_personne_a_l_autre_n_est_dite_qu_a_celle_ci(evenements, petit, plein):
    with evenements() as recus:
        services.desinscrire(evenement=petit, compte=plein[0].compte)

    assert en_bref(recus) == [("event_updated", canal_de(plein[1]), "PUBLIC")]
    payload = recus[0]["payload"]
    assert (payload["id"], payload["maParticipation"], payload["nbParticipants"]) == (str(petit.pk), "CONFIRMED", 1)


def test_plus_de_places_previent_chaque_personne_promue(evenements, petit, plein):
    with evenements() as recus:
        services.modifier(evenement=petit, nb_max_participants=3)

    assert en_bref(recus) == [
        ("event_updated", "calendriers", "PUBLIC"),
        ("event_updated", canal_de(plein[1]), "PUBLIC"),
        ("event_updated", canal_de(plein[2]), "PUBLIC"),
    ]
    assert recus[0]["payload"]["nbParticipants"] == 3


@pytest.mark.parametrize(
    ("rang", "statut", "attendus"),
    [
        (0, "CANCELLED", [(1, "CONFIRMED"), (0, "CANCELLED")]),
        (0, "PENDING", [(1, "CONFIRMED"), (0, "PENDING")]),
        (0, "WAITLISTED", [(1, "CONFIRMED"), (0, "WAITLISTED")]),
        (2, "CANCELLED", [(2, "CANCELLED")]),
        (2, "WAITLISTED", []),
    ],
)
def test_ce_que_l_equipe_change_est_dit_aux_personnes(evenements, petit, plein, rang, statut, attendus):
    with evenements() as recus:
        services.changer_statut(participation=plein[rang], statut=statut)

    assert [(e["canal"], e["payload"]["maParticipation"]) for e in recus] == [
        (canal_de(plein[qui]), quoi) for qui, quoi in attendus
    ]


def test_prevenir_quarante_personnes_est_une_seule_ecriture(petit):
    for _rang in range(40):
        fabriques.participation(petit)

    with CaptureQueriesContext(connection) as requetes:
        services.annuler(evenement=petit)

    ecritures = [r["sql"] for r in requetes.captured_queries if r["sql"].startswith("INSERT")]
    assert len([une for une in ecritures if "realtime_evenement" in une]) == 1
    assert len(ecritures) == 2  # and that it is to be mailed


ACTES = {
    "creer": lambda evenement, participation: fabriques.evenement(evenement.organisateur),
    "modifier": lambda evenement, participation: services.modifier(evenement=evenement, nb_max_participants=2),
    "annuler": lambda evenement, participation: services.annuler(evenement=evenement),
    "inscrire": lambda evenement, participation: fabriques.participation(evenement),
    "desinscrire": lambda evenement, participation: services.desinscrire(
        evenement=evenement, compte=participation.compte
    ),
    "changer_statut": lambda evenement, participation: services.changer_statut(
        participation=participation, statut="PENDING"
    ),
}


@pytest.mark.parametrize("acte", ACTES)
def test_rien_n_est_annonce_quand_la_transaction_echoue(evenements, petit, plein, acte):
    avant = (list(EvenementCampus.objects.values()), list(Participation.objects.order_by("pk").values()))

    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        ACTES[acte](petit, plein[0])
        raise RuntimeError

    assert recus == []
    assert (list(EvenementCampus.objects.values()), list(Participation.objects.order_by("pk").values())) == avant


def test_le_canal_de_chacun_n_est_qu_a_lui(etudiante, autre_etudiante):
    assert audiences(ActeurCompte(compte=autre_etudiante), f"user:{etudiante.pk}") == []
