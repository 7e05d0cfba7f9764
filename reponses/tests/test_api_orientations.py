"""Orientations: read by everybody before a word is written, one a type, written by administrators."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from reponses.models import Orientation
from reponses.tests import fabriques

pytestmark = pytest.mark.django_db
ORIENTATIONS = "/api/v1/orientations/"
CORPS = {"type": "VOL", "texteFr": "Gardez la facture.", "texteEn": "Keep the receipt."}


def lues(client):
    return client.get(ORIENTATIONS).json()["data"]


@pytest.mark.parametrize("persona", ["anonyme", "invite", "etudiante", "gestionnaire", "admin"])
def test_chacun_les_lit_par_type(client_de_personne, persona):
    vol = fabriques.orientation("VOL", texte_en="")
    violence = fabriques.orientation("VIOLENCE", texte_fr="", texte_en="Call 112.\nNow.")

    recues = lues(client_de_personne(persona))

    assert [{nom: une[nom] for nom in ("id", "type", "texteFr", "texteEn")} for une in recues] == [
        {"id": str(violence.pk), "type": "VIOLENCE", "texteFr": None, "texteEn": "Call 112.\nNow."},
        {"id": str(vol.pk), "type": "VOL", "texteFr": "Gardez les preuves.", "texteEn": None},
    ]


def test_une_et_neuf_coutent_autant_de_requetes(api):
    couts = []
    for nombre in (1, 8):
        for rang in range(nombre):
            fabriques.orientation(f"TYPE_{nombre}_{rang}")
        with CaptureQueriesContext(connection) as requetes:
            lues(api(None))
        couts.append(len([r for r in requetes if "reponses_" in r["sql"]]))

    assert couts == [1, 1]


def test_un_administrateur_ecrit_change_et_supprime(api, admin):
    client = api(admin)

    creee = client.post(ORIENTATIONS, CORPS).json()["data"]
    une = f"{ORIENTATIONS}{creee['id']}"
    changee = client.put(une, {"texteEn": None, "type": "violence"}).json()["data"]

    assert (changee["type"], changee["texteFr"], changee["texteEn"]) == ("VIOLENCE", CORPS["texteFr"], None)
    assert client.delete(une).status_code == 204
    assert lues(client) == []


def test_un_type_n_a_qu_une_orientation(api, admin):
    violence = fabriques.orientation("VIOLENCE")
    client = api(admin)
    client.post(ORIENTATIONS, CORPS)

    refus = [client.post(ORIENTATIONS, CORPS), client.put(f"{ORIENTATIONS}{violence.pk}", {"type": "VOL"})]

    assert [(r.status_code, r.json()["code"]) for r in refus] == [(409, "CONFLICT")] * 2
    assert {r.json()["message"] for r in refus} == {"Ce type a déjà son orientation : modifiez-la."}
    assert Orientation.objects.count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        fabriques.orientation("VOL")


def test_un_texte_au_moins_est_ecrit(api, admin):
    seule = fabriques.orientation("VIOLENCE")

    refus = [
        api(admin).post(ORIENTATIONS, {"type": "VOL"}),
        api(admin).put(f"{ORIENTATIONS}{seule.pk}", {"texteFr": None}),
    ]

    assert [(r.status_code, r.json()["details"][0]["field"]) for r in refus] == [(422, "texteFr")] * 2
    with pytest.raises(IntegrityError, match="orientation_ecrite"), transaction.atomic():
        fabriques.orientation(texte_fr="")


@pytest.mark.parametrize(
    ("corps", "champ"),
    [
        ({"type": "deux mots"}, "type"),
        ({"type": None}, "type"),
        ({"texteFr": "x" * 3_001}, "texteFr"),
        ({"texteEn": "x" * 3_001}, "texteEn"),
    ],
)
def test_un_champ_faux_est_nomme(api, admin, corps, champ):
    reponse = api(admin).post(ORIENTATIONS, {**CORPS, **corps})

    assert (reponse.status_code, [d["field"] for d in reponse.json()["details"]]) == (422, [champ])
    assert not Orientation.objects.exists()


def test_un_type_que_le_service_n_admet_pas_est_refuse(api, admin, settings):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, "type_signalement": ["ACCIDENT"]}

    assert api(admin).post(ORIENTATIONS, CORPS).status_code == 422
    assert api(admin).post(ORIENTATIONS, {**CORPS, "type": "ACCIDENT"}).status_code == 201


def test_au_dela_de_la_borne_rien_ne_s_ajoute(api, admin, monkeypatch):
    monkeypatch.setattr(Orientation, "MAXIMUM", 1)
    fabriques.orientation("VIOLENCE")

    refus = api(admin).post(ORIENTATIONS, CORPS)

    assert (refus.status_code, refus.json()["code"]) == (409, "CONFLICT")
    assert Orientation.objects.count() == 1


def test_les_accolades_n_y_sont_que_des_accolades(api, admin):
    api(admin).post(ORIENTATIONS, {**CORPS, "texteFr": "{reference} et {autre}"})

    (recue,) = lues(api(None))
    assert recue["texteFr"] == "{reference} et {autre}"
