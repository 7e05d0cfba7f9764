"""A report that a merge has joined to another: its id leads to the case."""

import pytest

from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from resources.tests import fabriques as fichiers
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques
from socle.realtime.canaux import audiences

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"


@pytest.fixture
def absorbe(etudiante, signalement):
    """Another report of the student about the same facts, joined to `signalement`."""
    absorbe = fabriques.signalement(acteur_de(etudiante))
    fabriques.joindre(absorbe, signalement)
    return absorbe


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire"])
@pytest.mark.parametrize("suite", ["", "/timeline"])
def test_l_identifiant_absorbe_mene_au_dossier(client_de_personne, signalement, absorbe, persona, suite):
    client = client_de_personne(persona)

    recu = client.get(f"{URL}{absorbe.pk}{suite}").json()["data"]

    assert recu == client.get(f"{URL}{signalement.pk}{suite}").json()["data"]
    assert recu["id"] == str(signalement.pk) if suite == "" else len(recu) == 2


def test_un_autre_n_y_entre_pas(api, autre_etudiante, invite, absorbe):
    assert api(autre_etudiante).get(f"{URL}{absorbe.pk}").status_code == 403
    assert api(invite).get(f"{URL}{absorbe.pk}/timeline").json()["code"] == "GUEST_ACCESS_DENIED"


@pytest.mark.parametrize(
    ("persona", "liste"), [("etudiante", "me"), ("gestionnaire", ""), ("gestionnaire", "non-traites")]
)
def test_un_dossier_absorbe_n_est_plus_dans_aucune_liste(client_de_personne, signalement, absorbe, persona, liste):
    page = client_de_personne(persona).get(f"{URL}{liste}").json()["data"]

    assert [item["id"] for item in page["items"]] == [str(signalement.pk)]
    assert page["total"] == 1


def test_les_fichiers_d_un_dossier_joint_se_lisent_par_celui_qui_demeure(
    api, gestionnaire, etudiante, autre_etudiante, signalement
):
    piece = fichiers.fichier(acteur_de(etudiante))
    absorbe = fabriques.signalement(acteur_de(etudiante), pieces_jointes=[piece.pk])
    fabriques.joindre(absorbe, signalement)
    # A joined case of one's own opens nothing of others'.
    sien, reste = (fabriques.signalement(acteur_de(autre_etudiante)) for _rang in range(2))
    fabriques.joindre(sien, reste)

    statuts = {
        qui.email: api(qui).get(f"/api/v1/fichiers/{piece.pk}").status_code for qui in (gestionnaire, autre_etudiante)
    }

    assert statuts == {gestionnaire.email: 200, autre_etudiante.email: 403}


def test_agir_par_l_identifiant_absorbe_agit_sur_le_dossier(api, gestionnaire, signalement, absorbe):
    equipe = api(gestionnaire)

    reponses = [
        equipe.put(f"{URL}{absorbe.pk}/statut", {"statut": "EN_COURS"}),
        equipe.put(f"{URL}{absorbe.pk}/priorite", {"priorite": "HIGH"}),
        equipe.put(f"{URL}{absorbe.pk}/assigner", {"gestionnaireId": str(gestionnaire.pk)}),
        equipe.post(f"{URL}{absorbe.pk}/notes", {"contenu": "À rappeler."}),
    ]

    assert [reponse.status_code for reponse in reponses] == [200, 200, 200, 201]
    assert {reponse.json()["data"]["id"] for reponse in reponses[:3]} == {str(signalement.pk)}
    signalement.refresh_from_db()
    absorbe.refresh_from_db()
    assert (signalement.statut, signalement.priorite, signalement.gestionnaire) == ("EN_COURS", "HIGH", gestionnaire)
    assert (absorbe.statut, absorbe.priorite, absorbe.gestionnaire) == ("NOUVEAU", "MEDIUM", None)
    assert not EntreeTimeline.objects.filter(signalement=absorbe).exists()


def test_un_acte_qui_attendait_pendant_la_fusion_touche_le_dossier(etudiante, gestionnaire, signalement):
    autre = fabriques.signalement(acteur_de(etudiante))
    lu_avant = Signalement.objects.get(pk=autre.pk)
    fabriques.joindre(autre, signalement)

    fabriques.services.changer_statut(signalement=lu_avant, statut="TRAITE", acteur=acteur_de(gestionnaire))

    signalement.refresh_from_db()
    autre.refresh_from_db()
    assert (lu_avant.pk, signalement.statut, autre.statut) == (signalement.pk, "TRAITE", "NOUVEAU")


def test_discuter_d_un_dossier_absorbe_c_est_discuter_du_dossier(api, etudiante, gestionnaire, signalement, absorbe):
    recu = api(etudiante).post("/api/v1/discussions/", {"titre": "Suites", "signalementId": str(absorbe.pk)})
    ouverte = recu.json()["data"]

    trouvees = api(gestionnaire).get(f"/api/v1/discussions/?signalementId={absorbe.pk}").json()["data"]["items"]

    assert (recu.status_code, ouverte["signalementId"]) == (201, str(signalement.pk))
    assert ouverte["signalementReference"] == signalement.reference
    assert [item["id"] for item in trouvees] == [ouverte["id"]]


@pytest.mark.parametrize(
    ("persona", "entend"),
    [("etudiante", ["PUBLIC"]), ("gestionnaire", ["PUBLIC", "PERSONNEL"]), ("autre_etudiante", []), ("invite", [])],
)
def test_le_canal_absorbe_s_ouvre_a_qui_entend_le_dossier(personne, signalement, absorbe, persona, entend):
    acteur = acteur_de(personne(persona))

    assert audiences(acteur, f"signalement:{absorbe.pk}") == entend
    assert audiences(acteur, f"signalement:{signalement.pk}") == entend


@pytest.mark.parametrize("joints", [1, 9])
def test_ce_qui_arrive_au_dossier_s_ecrit_une_fois_combien_qu_il_en_ait_absorbe(
    evenements, api, etudiante, gestionnaire, signalement, absorbe, joints
):
    for _rang in range(1, joints):
        fabriques.joindre(fabriques.signalement(acteur_de(etudiante)), signalement)
    canal = [f"signalement:{signalement.pk}"]

    with evenements() as recus:
        api(gestionnaire).put(f"{URL}{absorbe.pk}/statut", {"statut": "EN_COURS"})
        api(gestionnaire).post(f"{URL}{absorbe.pk}/notes", {"contenu": "À rappeler."})
        discussions.discussion(acteur_de(gestionnaire), signalement=signalement)

    par_type = {}
    for evenement in recus:
        par_type.setdefault((evenement["type"], evenement["audience"]), []).append(evenement["canal"])
    assert par_type == {
        ("signalement_statut_updated", "PUBLIC"): [*canal, "signalements"],
        ("stats_updated", "PUBLIC"): ["dashboard"],
        ("signalement_timeline_updated", "PUBLIC"): canal,
        ("signalement_note_added", "PERSONNEL"): canal,
        ("signalement_timeline_updated", "PERSONNEL"): canal,
        ("discussion_created", "PUBLIC"): ["discussions", *canal],
    }
    assert {e["payload"]["id"] for e in recus if e["type"] == "signalement_statut_updated"} == {str(signalement.pk)}


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire"])
def test_les_evenements_du_dossier_se_rattrapent_par_l_identifiant_absorbe(
    client_de_personne, gestionnaire, signalement, absorbe, persona
):
    fabriques.services.changer_statut(signalement=signalement, statut="EN_COURS", acteur=acteur_de(gestionnaire))

    par_lui, par_le_dossier = (
        client_de_personne(persona).get(f"/api/v1/evenements?canal=signalement:{pk}").json()["data"]
        for pk in (absorbe.pk, signalement.pk)
    )

    avant_d_etre_joint = [e for e in par_lui if e["canal"] == f"signalement:{absorbe.pk}"]
    assert [e["type"] for e in avant_d_etre_joint] == ["signalement_timeline_updated"]
    assert [e for e in par_lui if e not in avant_d_etre_joint] == par_le_dossier
    assert [int(e["eventId"]) for e in par_lui] == sorted(int(e["eventId"]) for e in par_lui)
    assert par_le_dossier[-1]["type"] == "signalement_timeline_updated"
