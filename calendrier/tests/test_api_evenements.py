from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from calendrier.models import EvenementCampus
from calendrier.tests import fabriques
from config.tests.outils import champs_refuses

pytestmark = pytest.mark.django_db
CALENDRIERS = "/api/v1/calendriers/"
CORPS = {
    "titre": "Premiers secours",
    "type": "atelier",
    "dateDebut": "2027-03-01T14:00:00Z",
    "dateFin": "2027-03-01T18:00:00+02:00",
}
COMPLET = {
    **CORPS,
    "description": "Les gestes qui sauvent.",
    "lieu": "Salle B12",
    "estEnLigne": True,
    "lienEnLigne": "https://visio.campus.test/secours?salle=12",
    "nbMaxParticipants": 12,
    "imageUrl": "http://10.0.0.4:8080/secours.png",
    "tags": ["Santé", "secours", "Santé"],
    "publicCible": ["etudiant", "PERSONNEL"],
    "discret": True,
}
CHAMPS = {
    *COMPLET,
    "id",
    "statut",
    "statutCanonique",
    "nbParticipants",
    "placesRestantes",
    "estComplet",
    "maParticipation",
    "organisateurId",
    "dateCreation",
    "dateModification",
}


def modifier(client, evenement, **champs):
    return client.put(f"{CALENDRIERS}{evenement.pk}", champs)


def lister(client, question=""):
    return client.get(CALENDRIERS + question).json()["data"]


# --- Creating ------------------------------------------------------------------------------------------------------


def test_un_evenement_publie_est_rendu_entier(api, gestionnaire):
    reponse = api(gestionnaire).post(CALENDRIERS, COMPLET)

    rendu = reponse.json()["data"]
    assert (reponse.status_code, reponse.json()["message"]) == (201, "Événement publié.")
    assert rendu.keys() == CHAMPS
    attendu = {
        **COMPLET,
        "type": "ATELIER",
        "dateDebut": "2027-03-01T14:00:00.000Z",
        "dateFin": "2027-03-01T16:00:00.000Z",
        "tags": ["Santé", "secours"],
        "publicCible": ["ETUDIANT", "PERSONNEL"],
        "statut": "PUBLIE",
        "statutCanonique": "IN_PROGRESS",
        "nbParticipants": 0,
        "placesRestantes": 12,
        "estComplet": False,
        "maParticipation": None,
        "organisateurId": str(gestionnaire.pk),
    }
    assert {nom: rendu[nom] for nom in attendu} == attendu


def test_le_necessaire_suffit_et_ce_qui_n_est_pas_demande_ne_change_rien(api, gestionnaire, etudiante):
    intrus = {"id": str(uuid4()), "statut": "ANNULE", "organisateurId": str(etudiante.pk), "nbParticipants": 9}

    rendu = api(gestionnaire).post(CALENDRIERS, {**CORPS, **intrus, "nbMaxParticipants": None}).json()["data"]

    assert (rendu["statut"], rendu["organisateurId"], rendu["nbParticipants"]) == ("PUBLIE", str(gestionnaire.pk), 0)
    assert rendu["id"] != intrus["id"]
    assert (rendu["nbMaxParticipants"], rendu["placesRestantes"], rendu["tags"], rendu["lieu"]) == (
        None,
        None,
        [],
        None,
    )


def test_une_fin_avant_le_debut_est_dite_avec_le_reste(api, gestionnaire):
    reponse = api(gestionnaire).post(CALENDRIERS, {**COMPLET, "titre": "", "dateFin": "2027-03-01T13:59:59Z"})

    assert champs_refuses(reponse) == {"titre", "dateFin"}


@pytest.mark.parametrize(
    ("champ", "valeur"),
    [
        ("titre", "t" * 256),
        ("titre", "  "),
        ("type", "deux mots"),
        ("dateFin", "2027-03-01T14:00:00Z"),
        ("dateFin", "2027-03-01T13:59:59Z"),
        ("dateDebut", "demain"),
        ("nbMaxParticipants", 0),
        ("nbMaxParticipants", -3),
        ("nbMaxParticipants", 2**31),
        ("nbMaxParticipants", 12.0),
        ("nbMaxParticipants", "12"),
        ("nbMaxParticipants", True),
        ("estEnLigne", "oui"),
        ("lienEnLigne", "javascript:alert(1)"),
        ("lienEnLigne", "//campus.test/salle"),
        ("lienEnLigne", "https://"),
        ("lienEnLigne", "https://campus.test:porte/"),
        ("lienEnLigne", "https://[::1/"),
        ("lienEnLigne", 'https://campus.test/"onclick=x'),
        ("imageUrl", "ftp://campus.test/a.png"),
        ("imageUrl", "https://campus.test/" + "a" * 2048),
        ("tags", ["t" * 51]),
        ("tags", [""]),
        ("tags", [str(n) for n in range(21)]),
        ("tags", "secours"),
        ("publicCible", ["deux mots"]),
        ("publicCible", {"a": "b"}),
    ],
)
def test_un_champ_faux_est_nomme_et_rien_n_est_garde(api, gestionnaire, champ, valeur):
    reponse = api(gestionnaire).post(CALENDRIERS, {**COMPLET, champ: valeur})

    assert {nom.partition(".")[0] for nom in champs_refuses(reponse)} == {champ}
    assert not EvenementCampus.objects.exists()


def test_une_installation_peut_fermer_les_vocabulaires(api, gestionnaire, settings):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, "type_evenement": ["ATELIER"], "public_cible": ["ETUDIANT"]}
    client = api(gestionnaire)

    assert champs_refuses(client.post(CALENDRIERS, {**CORPS, "type": "CONCERT"})) == {"type"}
    assert champs_refuses(client.post(CALENDRIERS, {**CORPS, "publicCible": ["PERSONNEL"]})) == {"publicCible.0"}
    assert client.post(CALENDRIERS, {**CORPS, "publicCible": ["etudiant"]}).status_code == 201


# --- Changing ------------------------------------------------------------------------------------------------------


def test_modifier_change_ce_qui_est_present_et_laisse_le_reste(api, gestionnaire):
    client = api(gestionnaire)
    avant = client.post(CALENDRIERS, COMPLET).json()["data"]

    apres = client.put(f"{CALENDRIERS}{avant['id']}", {"titre": "Secours", "lieu": None, "tags": None}).json()["data"]

    assert (apres["titre"], apres["lieu"], apres["tags"]) == ("Secours", None, [])
    identiques = CHAMPS - {"titre", "lieu", "tags", "dateModification"}
    assert {n: apres[n] for n in identiques} == {n: avant[n] for n in identiques}
    assert apres["dateModification"] > avant["dateModification"]


@pytest.mark.parametrize(("envoye", "garde"), [(True, True), (False, False), (None, False)])
def test_l_equipe_dit_un_evenement_discret_et_chacun_le_lit(api, gestionnaire, etudiante, evenement, envoye, garde):
    modifier(api(gestionnaire), evenement, discret=not garde)
    rendu = modifier(api(gestionnaire), evenement, discret=envoye).json()["data"]

    lu = api(etudiante).get(f"{CALENDRIERS}{evenement.pk}").json()["data"]

    assert (rendu["discret"], lu["discret"]) == (garde, garde)


def test_null_vide_chaque_champ_facultatif(api, gestionnaire):
    client = api(gestionnaire)
    url = f"{CALENDRIERS}{client.post(CALENDRIERS, COMPLET).json()['data']['id']}"
    facultatifs = set(COMPLET) - set(CORPS)

    rendu = client.put(url, dict.fromkeys(facultatifs)).json()["data"]

    vides = dict.fromkeys(facultatifs) | {"tags": [], "publicCible": [], "estEnLigne": False, "discret": False}
    assert {nom: rendu[nom] for nom in facultatifs} == vides


def test_modifier_sans_rien_changer_ne_touche_pas_la_date(api, gestionnaire, evenement):
    rendu = modifier(api(gestionnaire), evenement, titre=evenement.titre)

    assert rendu.status_code == 200
    apres = EvenementCampus.objects.get()
    assert (apres.date_modification, apres.revision) == (evenement.date_modification, 0)


@pytest.mark.parametrize(
    ("champs", "nomme"),
    [
        ({"dateFin": "2027-03-01T14:00:00Z"}, "dateFin"),
        ({"dateDebut": "2027-03-01T16:00:00Z"}, "dateDebut"),
        ({"dateDebut": "2027-03-02T16:00:00Z", "dateFin": "2027-03-02T15:00:00Z"}, "dateFin"),
    ],
)
def test_une_fin_avant_le_debut_est_refusee_quel_que_soit_ce_qui_change(api, gestionnaire, champs, nomme):
    evenement = fabriques.du(gestionnaire, "2027-03-01T14:00:00+00:00", "2027-03-01T16:00:00+00:00")

    assert champs_refuses(modifier(api(gestionnaire), evenement, **champs)) == {nomme}


def test_un_evenement_annule_ne_se_modifie_plus_et_reste_lisible(api, gestionnaire, etudiante, participation):
    client, url = api(gestionnaire), f"{CALENDRIERS}{participation.evenement_id}"

    annulations = [client.delete(url) for _fois in range(2)]

    assert [(r.status_code, r.content) for r in annulations] == [(204, b"")] * 2
    refus = client.put(url, {"titre": "Autre"})
    assert (refus.status_code, refus.json()["code"]) == (409, "EVENT_CANCELLED")
    assert client.put(url, {"dateFin": "2020-01-01T00:00:00Z"}).status_code == 422
    lu = api(etudiante).get(url).json()["data"]
    assert (lu["statut"], lu["statutCanonique"], lu["maParticipation"]) == ("ANNULE", "CANCELLED", "CONFIRMED")
    assert client.get(f"{url}/participants").json()["data"]["total"] == 1


def test_ce_qui_n_existe_pas_est_un_404(api, gestionnaire):
    client, url = api(gestionnaire), f"{CALENDRIERS}{uuid4()}"

    reponses = [
        client.get(url),
        client.put(url, {"titre": "x"}),
        client.delete(url),
        client.post(f"{url}/inscription"),
        client.delete(f"{url}/inscription"),
        client.get(f"{url}/participants"),
        client.get(f"{url}/ics"),
        client.put(f"{CALENDRIERS}participants/{uuid4()}/statut", {"statut": "CONFIRMED"}),
    ]

    assert {(r.status_code, r.json()["code"]) for r in reponses} == {(404, "NOT_FOUND")}


# --- Reading -------------------------------------------------------------------------------------------------------


def test_la_liste_suit_la_date_et_se_filtre(api, gestionnaire, etudiante):
    demain = timezone.now() + timedelta(days=1)
    tard, tot, milieu = (
        fabriques.evenement(gestionnaire, date_debut=demain + timedelta(hours=h), type=t, titre=t)
        for h, t in ((9, "CONCERT"), (1, "ATELIER"), (5, "CONCERT"))
    )
    api(gestionnaire).delete(f"{CALENDRIERS}{tard.pk}")
    client = api(etudiante)

    vus = {q: [e["id"] for e in lister(client, q)["items"]] for q in ("", "?type=concert", "?statut=PUBLIE", "?size=1")}

    t, m, d = (str(e.pk) for e in (tot, milieu, tard))
    assert vus == {"": [t, m, d], "?type=concert": [m, d], "?statut=PUBLIE": [t, m], "?size=1": [t]}
    assert [e["id"] for e in lister(client, "?type=CONCERT&statut=ANNULE")["items"]] == [d]
    assert champs_refuses(client.get(f"{CALENDRIERS}?statut=REPORTE")) == {"statut"}


def test_a_la_meme_date_l_identifiant_departage(api, gestionnaire):
    debut = timezone.now() + timedelta(days=1)
    faits = sorted(fabriques.evenement(gestionnaire, date_debut=debut).pk for _fois in range(5))
    client = api(gestionnaire)

    pages = [lister(client, f"?size=2&page={n}")["items"] for n in range(3)]

    assert [e["id"] for items in pages for e in items] == [str(pk) for pk in faits]


def test_chacun_lit_sa_propre_participation(api, gestionnaire, etudiante, autre_etudiante, evenement):
    fabriques.participation(evenement, etudiante)
    fabriques.participation(evenement, autre_etudiante, statut="PENDING")
    fabriques.evenement(gestionnaire)

    lues = {
        qui.prenom: [e["maParticipation"] for e in lister(api(qui))["items"]]
        for qui in (etudiante, autre_etudiante, gestionnaire)
    }

    assert lues == {"Awa": ["CONFIRMED", None], "Léa": ["PENDING", None], "Paul": [None, None]}


@pytest.mark.parametrize("chemin", ["", "range?debut=2027-03-01&fin=2027-03-31", "date/2027-03-10"])
def test_une_ligne_et_neuf_coutent_autant_de_requetes(api, gestionnaire, etudiante, chemin):
    def poser(nombre):
        for _rang in range(nombre):
            un = fabriques.du(gestionnaire, "2027-03-10T10:00:00+00:00", "2027-03-10T12:00:00+00:00")
            fabriques.participation(un, etudiante)

    client, couts = api(etudiante), []
    for nombre in (1, 8):
        poser(nombre)
        with CaptureQueriesContext(connection) as requetes:
            rendus = client.get(CALENDRIERS + chemin).json()["data"]
        couts.append((len(rendus["items"] if isinstance(rendus, dict) else rendus), len(requetes)))

    assert [rendues for rendues, _cout in couts] == [1, 9]
    assert couts[0][1] == couts[1][1] <= 3


# --- What the database holds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contrainte", "champs"),
    [
        ("evenement_fin_apres_debut", {"date_fin": timezone.now() - timedelta(days=900)}),
        ("evenement_une_place_au_moins", {"nb_max_participants": 0}),
        ("evenement_confirmes_positif", {"nb_confirmes": -1}),
        ("evenement_places_tenues", {"nb_confirmes": 3, "nb_max_participants": 2}),
        ("evenement_statut_connu", {"statut": "REPORTE"}),
    ],
)
def test_la_base_refuse_ce_qui_ne_peut_pas_etre(evenement, contrainte, champs):
    with pytest.raises(IntegrityError, match=contrainte), transaction.atomic():
        EvenementCampus.objects.filter(pk=evenement.pk).update(**champs)
