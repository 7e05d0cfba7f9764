"""The two filters of the team's list that follow a day's work: what nobody handles, what has not been read."""

import pytest

from config.tests.outils import acteur_de
from discussions import non_lus
from discussions.tests import fabriques as discussions
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"


@pytest.fixture
def trouves(api):
    """trouves(qui, liste, **filters): the references in the answer, where its total says as many."""

    def trouves(qui, liste="", **filtres):
        recu = api(qui).get(f"{URL}{liste}", filtres).json()["data"]
        assert recu["total"] == len(recu["items"])
        return {item["reference"] for item in recu["items"]}

    return trouves


def un_message(auteur, dossier):
    discussion = discussions.discussion(acteur_de(auteur), signalement=dossier)
    return discussions.message(acteur_de(auteur), discussion)


@pytest.mark.parametrize("liste", ["", "non-traites"])
def test_ceux_que_personne_ne_traite(api, trouves, etudiante, gestionnaire, admin, liste):
    libre, pris = (fabriques.signalement(acteur_de(etudiante)) for _fois in range(2))
    api(admin).put(f"{URL}{pris.pk}/assigner", {"gestionnaireId": str(gestionnaire.pk)})

    assert trouves(admin, liste, gestionnaireId="aucun") == {libre.reference}
    assert trouves(admin, liste, gestionnaireId=str(gestionnaire.pk)) == {pris.reference}


def test_un_dossier_clos_sans_gestionnaire_est_encore_sans_gestionnaire(api, trouves, etudiante, admin):
    clos = fabriques.signalement(acteur_de(etudiante))
    api(admin).put(f"{URL}{clos.pk}/statut", {"statut": "CLOTURE"})

    assert trouves(admin, gestionnaireId="aucun") == {clos.reference}
    assert trouves(admin, "non-traites", gestionnaireId="aucun") == set()


def test_qui_est_de_l_equipe_n_apprend_pas_si_quelqu_un_traite_le_sien(trouves, gestionnaire, admin):
    le_sien = fabriques.signalement(acteur_de(gestionnaire))

    assert trouves(gestionnaire, gestionnaireId="aucun") == set()
    assert trouves(admin, gestionnaireId="aucun") == {le_sien.reference}


@pytest.mark.parametrize("liste", ["", "non-traites"])
def test_ceux_ou_un_message_attend_d_etre_lu_par_qui_demande(api, trouves, etudiante, gestionnaire, admin, liste):
    ecrit, repondu, _sans_message = (fabriques.signalement(acteur_de(etudiante)) for _fois in range(3))
    message = un_message(etudiante, ecrit)
    un_message(admin, repondu)

    assert trouves(gestionnaire, liste, nonLus="true") == {ecrit.reference, repondu.reference}
    assert trouves(admin, liste, nonLus="true") == {ecrit.reference}

    api(admin).put(f"/api/v1/discussions/{message.discussion_id}/messages/lus")

    assert trouves(admin, liste, nonLus="true") == set()
    assert trouves(gestionnaire, liste, nonLus="true") == {ecrit.reference, repondu.reference}


@pytest.mark.parametrize("statut", ["TRAITE", "CLOTURE"])
def test_un_dossier_fini_reste_a_lire(api, trouves, etudiante, admin, statut):
    fini = fabriques.signalement(acteur_de(etudiante))
    un_message(etudiante, fini)
    api(admin).put(f"{URL}{fini.pk}/statut", {"statut": statut})

    assert trouves(admin, nonLus="true") == {fini.reference}


def test_une_discussion_sans_dossier_et_un_dossier_joint_ne_troublent_pas(trouves, etudiante, admin):
    reste, joint = (fabriques.signalement(acteur_de(etudiante)) for _fois in range(2))
    une, autre = (un_message(etudiante, dossier).discussion for dossier in (reste, joint))
    discussions.message(acteur_de(etudiante), discussions.discussion(acteur_de(etudiante)))
    fabriques.joindre(joint, reste)
    discussions.joindre(autre, une)

    assert trouves(admin, nonLus="true") == {reste.reference}


def test_il_y_en_a_un_nombre_borne_les_derniers_a_avoir_bouge(monkeypatch, trouves, etudiante, admin):
    ancien, recent = (fabriques.signalement(acteur_de(etudiante)) for _fois in range(2))
    un_message(etudiante, ancien)
    un_message(etudiante, recent)

    monkeypatch.setattr(non_lus, "NON_LUS_MAX", 1)

    assert trouves(admin, nonLus="true") == {recent.reference}


def test_ils_se_croisent_avec_les_autres(trouves, etudiante, admin):
    vol, bruit = (fabriques.signalement(acteur_de(etudiante), type=type_) for type_ in ("VOL", "AUTRE"))
    for dossier in (vol, bruit):
        un_message(etudiante, dossier)

    assert trouves(admin, nonLus="true", gestionnaireId="aucun", type="vol") == {vol.reference}


def test_le_document_les_decrit(api):
    operation = api(None).get("/api/v1/openapi.json").json()["paths"]["/api/v1/signalements"]["get"]
    decrits = {un["name"]: un["schema"] for un in operation["parameters"]}

    assert sorted(decrits["nonLus"]["enum"]) == ["false", "true"]
    assert decrits["gestionnaireId"]["anyOf"][1] == {"type": "string", "enum": ["aucun"]}


@pytest.mark.parametrize("filtres", [{"nonLus": "true"}, {"gestionnaireId": "aucun"}])
def test_leur_cout_ne_suit_pas_le_nombre_de_lignes(api, etudiante, admin, django_assert_num_queries, filtres):
    client = api(admin)
    requetes = []
    for combien in (1, 8):
        for _fois in range(combien):
            un_message(etudiante, fabriques.signalement(acteur_de(etudiante)))
        client.get(URL, filtres)
        with django_assert_num_queries(5 if "nonLus" in filtres else 3) as lues:
            assert client.get(URL, filtres).json()["data"]["total"] == (1 if combien == 1 else 9)
        requetes.append(len(lues))

    assert requetes[0] == requetes[1]
