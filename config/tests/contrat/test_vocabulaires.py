"""Vocabularies that `GET /config` shows: what may be chosen here, with its word, in the reader's language."""

import pytest

from config.tests.outils import client_de
from config.tests.outils.clients import document

pytestmark = pytest.mark.django_db
OUVERTS = {"typeSignalement", "modeIdentification", "typeEvenement", "publicCible"}
OUVERTS |= {"categoriePoste", "typeReaction", "categorieRessource"}
FERMES = {"statutSignalement", "priorite", "statutPoste", "statutParticipation", "role"}


def vocabulaires(**entetes):
    reponse = client_de(None).get("/api/v1/config", headers=entetes)
    assert reponse.status_code == 200
    return reponse.json()["data"]["vocabulaires"]


def test_chacun_dit_s_il_est_ouvert_et_chaque_valeur_a_son_mot():
    lus = vocabulaires()

    assert {nom for nom, lu in lus.items() if lu["ouvert"]} == OUVERTS
    assert {nom for nom, lu in lus.items() if not lu["ouvert"]} == FERMES
    assert [un for lu in lus.values() for un in lu["valeurs"] if not un["libelle"]] == []
    assert {"valeur": "AGRESSION_SEXUELLE", "libelle": "Agression sexuelle"} in lus["typeSignalement"]["valeurs"]


def test_les_mots_sont_dans_la_langue_de_la_requete():
    (vol,) = (
        un for un in vocabulaires(**{"Accept-Language": "en"})["typeSignalement"]["valeurs"] if un["valeur"] == "VOL"
    )

    assert vol["libelle"] == "Theft"


def test_celui_que_l_exploitant_ferme_ne_montre_que_ce_qu_il_admet(settings):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, "type_signalement": ["VOL", "DEGRADATION"]}

    lu = vocabulaires()["typeSignalement"]

    assert lu == {
        "ouvert": False,
        "valeurs": [{"valeur": "VOL", "libelle": "Vol"}, {"valeur": "DEGRADATION", "libelle": "Degradation"}],
    }


@pytest.mark.parametrize("nom", sorted(FERMES))
def test_un_vocabulaire_ferme_est_une_enumeration_de_la_description(nom):
    enumerations = [set(forme["enum"]) for forme in document()["components"]["schemas"].values() if "enum" in forme]

    assert {un["valeur"] for un in vocabulaires()[nom]["valeurs"]} in enumerations


def test_chaque_type_montre_est_accepte(etudiante):
    for un in vocabulaires()["typeSignalement"]["valeurs"]:
        corps = {"titre": "Un fait", "description": "Ce matin.", "type": un["valeur"]}
        assert client_de(etudiante).post("/api/v1/signalements/", corps).status_code == 201
