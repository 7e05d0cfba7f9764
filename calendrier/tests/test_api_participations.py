from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tests import fabriques as comptes
from calendrier import services
from calendrier.models import EvenementCampus, Participation
from calendrier.tests import fabriques
from calendrier.tests.outils import confirmes, en_ordre, verifier_les_places
from config.tests.outils import champs_refuses

pytestmark = pytest.mark.django_db
CALENDRIERS = "/api/v1/calendriers/"


def inscrire(client, evenement):
    return client.post(f"{CALENDRIERS}{evenement.pk}/inscription")


def partir(client, evenement):
    return client.delete(f"{CALENDRIERS}{evenement.pk}/inscription")


def poser_statut(client, participation, statut):
    return client.put(f"{CALENDRIERS}participants/{participation.pk}/statut", {"statut": statut})


def lire(client, evenement):
    return client.get(f"{CALENDRIERS}{evenement.pk}").json()["data"]


def code(reponse):
    return reponse.status_code, reponse.json()["code"]


@pytest.fixture
def petit(gestionnaire):
    """An event of two places."""
    return fabriques.evenement(gestionnaire, nb_max_participants=2)


@pytest.fixture
def plein(petit):
    """Two confirmed, three waiting, in this order."""
    return [fabriques.participation(petit) for _rang in range(5)]


@pytest.fixture(autouse=True)
def _toujours_justes(request):
    """After each test, every event counts what it holds."""
    yield
    verifier_les_places()


# --- Registering and leaving ---------------------------------------------------------------------------------------


def test_s_inscrire_repond_la_participation(api, etudiante, evenement):
    reponse = inscrire(api(etudiante), evenement)

    rendu, fait = reponse.json()["data"], Participation.objects.get()
    assert reponse.status_code == 201
    assert {nom: rendu[nom] for nom in ("id", "eventId", "userId", "statut", "nom", "prenom", "email")} == {
        "id": str(fait.pk),
        "eventId": str(evenement.pk),
        "userId": str(etudiante.pk),
        "statut": "CONFIRMED",
        "nom": "Diop",
        "prenom": "Awa",
        "email": "awa@campus.test",
    }
    assert rendu["dateInscription"].endswith("Z")
    lu = lire(api(etudiante), evenement)
    assert (lu["nbParticipants"], lu["maParticipation"], lu["placesRestantes"]) == (1, "CONFIRMED", None)


def test_les_places_prises_on_attend(api, etudiante, autre_etudiante, gestionnaire):
    evenement = fabriques.evenement(gestionnaire, nb_max_participants=1)

    statuts = [inscrire(api(qui), evenement).json()["data"]["statut"] for qui in (etudiante, autre_etudiante)]

    lu = lire(api(autre_etudiante), evenement)
    assert statuts == ["CONFIRMED", "WAITLISTED"]
    assert (lu["nbParticipants"], lu["placesRestantes"], lu["estComplet"]) == (1, 0, True)
    assert lu["maParticipation"] == "WAITLISTED"


@pytest.mark.parametrize("statut", ["CONFIRMED", "PENDING", "WAITLISTED"])
def test_s_inscrire_deux_fois_est_refuse(api, etudiante, evenement, statut):
    fabriques.participation(evenement, etudiante, statut=statut)

    assert code(inscrire(api(etudiante), evenement)) == (409, "ALREADY_REGISTERED")
    assert Participation.objects.count() == 1


def test_apres_etre_parti_on_revient_au_bout_de_la_file(api, etudiante, petit):
    sienne = fabriques.participation(petit, etudiante)
    autres = [fabriques.participation(petit) for _rang in range(3)]
    client = api(etudiante)

    partir(client, petit)
    revenue = inscrire(client, petit).json()["data"]

    assert revenue["id"] == str(sienne.pk)
    assert revenue["statut"] == "WAITLISTED"
    assert en_ordre(petit, "WAITLISTED") == [autres[2].pk, sienne.pk]
    assert en_ordre(petit, "CONFIRMED") == [autres[0].pk, autres[1].pk]


def test_partir_donne_la_place_a_la_premiere_personne_qui_attend(api, petit, plein):
    reponse = partir(api(plein[0].compte), petit)

    assert (reponse.status_code, reponse.content) == (204, b"")
    assert en_ordre(petit, "CONFIRMED") == [plein[1].pk, plein[2].pk]
    assert en_ordre(petit, "WAITLISTED") == [plein[3].pk, plein[4].pk]


def test_quitter_la_file_ne_donne_rien_a_personne(api, petit, plein):
    partir(api(plein[3].compte), petit)

    assert en_ordre(petit, "CONFIRMED") == [plein[0].pk, plein[1].pk]
    assert en_ordre(petit, "WAITLISTED") == [plein[2].pk, plein[4].pk]


def test_rien_a_quitter_est_un_404(api, etudiante, evenement):
    client = api(etudiante)
    inscrire(client, evenement)

    assert partir(client, evenement).status_code == 204
    assert code(partir(client, evenement)) == (404, "NOT_FOUND")
    assert code(partir(api(comptes.compte()), evenement)) == (404, "NOT_FOUND")


def test_on_ne_s_inscrit_ni_a_un_evenement_annule_ni_a_un_evenement_termine(api, etudiante, petit, evenement):
    services.annuler(evenement=petit)
    fabriques.terminer(evenement)
    client = api(etudiante)

    assert code(inscrire(client, petit)) == (409, "EVENT_CANCELLED")
    termine = inscrire(client, evenement)
    assert code(termine) == (409, "CONFLICT")
    assert "terminé" in termine.json()["message"]
    assert not Participation.objects.exists()


def test_on_s_inscrit_encore_a_un_evenement_commence(api, etudiante, gestionnaire):
    commence = fabriques.evenement(gestionnaire, date_debut=timezone.now() - timedelta(hours=1))

    assert inscrire(api(etudiante), commence).status_code == 201


@pytest.mark.parametrize("acte", [services.annuler, fabriques.terminer])
def test_quitter_ce_qui_n_aura_plus_lieu_ne_promeut_personne(api, petit, plein, acte):
    acte(evenement=petit)

    assert partir(api(plein[0].compte), petit).status_code == 204
    assert en_ordre(petit, "CONFIRMED") == [plein[1].pk]
    assert len(en_ordre(petit, "WAITLISTED")) == 3


# --- The limit -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("limite", "promus"), [(3, 1), (4, 2), (9, 3), (None, 3)])
def test_plus_de_places_en_donne_a_qui_attend(api, gestionnaire, petit, plein, limite, promus):
    rendu = api(gestionnaire).put(f"{CALENDRIERS}{petit.pk}", {"nbMaxParticipants": limite}).json()["data"]

    assert rendu["nbParticipants"] == 2 + promus
    assert en_ordre(petit, "CONFIRMED") == [p.pk for p in plein[: 2 + promus]]


def test_qui_gere_et_attend_lit_sa_promotion(api, gestionnaire, petit, plein):
    fabriques.participation(petit, gestionnaire)

    rendu = api(gestionnaire).put(f"{CALENDRIERS}{petit.pk}", {"nbMaxParticipants": 6}).json()["data"]

    assert rendu["maParticipation"] == "CONFIRMED"


def test_moins_de_places_que_de_confirmes_est_refuse(api, gestionnaire, petit, plein):
    client = api(gestionnaire)

    refus = client.put(f"{CALENDRIERS}{petit.pk}", {"nbMaxParticipants": 1, "titre": "Autre"})

    assert code(refus) == (409, "CONFLICT")
    assert lire(client, petit)["titre"] == "Premiers secours"
    assert client.put(f"{CALENDRIERS}{petit.pk}", {"nbMaxParticipants": 2}).status_code == 200


def test_une_limite_nouvelle_ne_renvoie_personne(api, gestionnaire, evenement):
    for _rang in range(3):
        fabriques.participation(evenement)

    refus, pose = (api(gestionnaire).put(f"{CALENDRIERS}{evenement.pk}", {"nbMaxParticipants": n}) for n in (2, 3))

    assert (refus.status_code, pose.status_code) == (409, 200)
    assert pose.json()["data"]["estComplet"] is True


def test_une_date_repoussee_rouvre_la_file(api, gestionnaire, petit, plein):
    fabriques.terminer(petit)
    services.desinscrire(evenement=petit, compte=plein[0].compte)
    fin = (timezone.now() + timedelta(days=2)).isoformat()

    api(gestionnaire).put(f"{CALENDRIERS}{petit.pk}", {"dateFin": fin})

    assert en_ordre(petit, "CONFIRMED") == [plein[1].pk, plein[2].pk]


# --- Staff ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statut", ["PENDING", "CONFIRMED", "CANCELLED", "WAITLISTED"])
@pytest.mark.parametrize("avant", ["PENDING", "CONFIRMED", "CANCELLED", "WAITLISTED"])
def test_l_equipe_pose_tout_statut_ou_il_y_a_de_la_place(api, gestionnaire, evenement, avant, statut):
    participation = fabriques.participation(evenement, statut=avant)

    reponse = poser_statut(api(gestionnaire), participation, statut)

    assert (reponse.status_code, reponse.json()["data"]["statut"]) == (200, statut)
    assert confirmes(evenement) == (statut == "CONFIRMED")


@pytest.mark.parametrize("statut", ["PENDING", "CANCELLED", "WAITLISTED"])
def test_une_place_retiree_par_l_equipe_va_a_la_personne_suivante(api, gestionnaire, petit, plein, statut):
    reponse = poser_statut(api(gestionnaire), plein[0], statut)

    assert reponse.json()["data"]["statut"] == statut
    assert en_ordre(petit, "CONFIRMED") == [plein[1].pk, plein[2].pk]


def test_qui_est_mis_en_attente_l_est_au_bout_de_la_file(api, gestionnaire, petit, plein):
    poser_statut(api(gestionnaire), plein[0], "WAITLISTED")

    assert en_ordre(petit, "WAITLISTED") == [plein[3].pk, plein[4].pk, plein[0].pk]


def test_qui_est_mis_en_attente_quand_il_reste_des_places_passe_avant_qui_arrive_ensuite(
    api, gestionnaire, etudiante, petit
):
    attend = fabriques.participation(petit, statut="WAITLISTED")
    fabriques.participation(petit, statut="PENDING")
    assert en_ordre(petit, "WAITLISTED") == []

    premiere = fabriques.participation(petit, statut="WAITLISTED")
    arrivee = inscrire(api(etudiante), petit).json()["data"]

    assert en_ordre(petit, "CONFIRMED") == [attend.pk, premiere.pk]
    assert arrivee["statut"] == "WAITLISTED"


def test_pas_de_place_qui_n_existe_pas(api, gestionnaire, petit, plein):
    client = api(gestionnaire)

    refus = poser_statut(client, plein[4], "CONFIRMED")

    assert code(refus) == (409, "CONFLICT")
    assert en_ordre(petit, "WAITLISTED") == [p.pk for p in plein[2:]]
    assert poser_statut(client, plein[0], "CONFIRMED").status_code == 200


def test_l_equipe_ne_touche_pas_aux_participations_d_un_evenement_annule(api, gestionnaire, petit, plein):
    services.annuler(evenement=petit)

    assert code(poser_statut(api(gestionnaire), plein[0], "CANCELLED")) == (409, "EVENT_CANCELLED")


@pytest.mark.parametrize("statut", ["INSCRIT", "confirmed", "", None, 1])
def test_un_statut_inconnu_est_refuse_en_disant_lesquels(api, gestionnaire, participation, statut):
    reponse = poser_statut(api(gestionnaire), participation, statut)

    assert champs_refuses(reponse) == {"statut"}
    if isinstance(statut, str):
        assert "PENDING, CONFIRMED, CANCELLED, WAITLISTED" in reponse.json()["details"][0]["message"]


def test_le_meme_statut_ne_change_rien(api, gestionnaire, participation):
    avant = Participation.objects.values().get()

    assert poser_statut(api(gestionnaire), participation, "CONFIRMED").status_code == 200
    assert Participation.objects.values().get() == avant


# --- The list of participants ----------------------------------------------------------------------------------------


def test_les_participants_sont_rendus_dans_l_ordre_et_se_filtrent(api, gestionnaire, petit, plein):
    client, url = api(gestionnaire), f"{CALENDRIERS}{petit.pk}/participants"

    tous = client.get(url).json()["data"]
    attendent = client.get(f"{url}?statut=WAITLISTED&size=2").json()["data"]

    assert [p["id"] for p in tous["items"]] == [str(p.pk) for p in plein]
    assert (attendent["total"], [p["id"] for p in attendent["items"]]) == (3, [str(p.pk) for p in plein[2:4]])
    assert champs_refuses(client.get(f"{url}?statut=INSCRIT")) == {"statut"}


def test_un_participant_et_neuf_coutent_autant_de_requetes(api, gestionnaire, evenement):
    client, couts = api(gestionnaire), []
    for nombre in (1, 8):
        for _rang in range(nombre):
            fabriques.participation(evenement)
        with CaptureQueriesContext(connection) as requetes:
            rendus = client.get(f"{CALENDRIERS}{evenement.pk}/participants").json()["data"]["items"]
        couts.append((len(rendus), len(requetes)))

    assert couts == [(1, 4), (9, 4)]


# --- What an act costs -----------------------------------------------------------------------------------------------


def test_promouvoir_une_personne_ou_quarante_coute_autant_de_requetes(gestionnaire):
    couts = []
    for nombre in (1, 40):
        evenement = fabriques.evenement(gestionnaire, nb_max_participants=1)
        for _rang in range(nombre + 1):
            fabriques.participation(evenement)
        with CaptureQueriesContext(connection) as requetes:
            services.modifier(evenement=evenement, nb_max_participants=None)
        assert confirmes(evenement) == nombre + 1
        couts.append(len(requetes))

    assert couts[0] == couts[1]


def test_annuler_pour_une_personne_ou_quarante_coute_autant_de_requetes(gestionnaire):
    couts = []
    for nombre in (1, 40):
        evenement = fabriques.evenement(gestionnaire)
        for _rang in range(nombre):
            fabriques.participation(evenement)
        with CaptureQueriesContext(connection) as requetes:
            services.annuler(evenement=evenement)
        couts.append(len(requetes))

    assert couts[0] == couts[1]


@pytest.mark.parametrize(
    ("contrainte", "champs"),
    [("participation_unique", {}), ("participation_statut_connu", {"compte": None, "statut": "ABSENT"})],
)
def test_la_base_refuse_une_seconde_participation_et_un_statut_inconnu(participation, contrainte, champs):
    autre = comptes.compte()
    qui = participation.compte if "compte" not in champs else autre
    double = Participation(evenement=participation.evenement, compte=qui, statut=champs.get("statut", "CONFIRMED"))

    with pytest.raises(IntegrityError) as refus, transaction.atomic():
        double.save()

    assert contrainte in str(refus.value) or "evenement_id, calendrier_participation.compte_id" in str(refus.value)
    assert EvenementCampus.objects.get().nb_confirmes == 1
