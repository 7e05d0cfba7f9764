import pytest

from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
URL = "/api/v1/guest/suivi"
SIGNALEMENTS = "/api/v1/signalements/"


@pytest.fixture
def suivi_par_l_equipe(api, gestionnaire, signalement_invite):
    """The guest's report, after staff have worked on it."""
    url = f"{SIGNALEMENTS}{signalement_invite.pk}"
    api(gestionnaire).put(f"{url}/assigner", {"gestionnaireId": str(gestionnaire.pk)})
    api(gestionnaire).put(f"{url}/statut", {"statut": "EN_COURS"})
    api(gestionnaire).post(f"{url}/notes", {"contenu": "Note de l'équipe."})
    return signalement_invite


@pytest.mark.parametrize(("persona", "statut"), [("anonyme", 401), ("invite", 200), ("etudiante", 403), ("admin", 403)])
def test_le_suivi_est_aux_invites(client_de_personne, persona, statut):
    assert client_de_personne(persona).get(URL).status_code == statut


def test_le_suivi_resume_chaque_dossier(api, invite, suivi_par_l_equipe):
    (recu,) = api(invite).get(URL).json()["data"]["items"]

    assert recu.keys() == {
        "reference",
        "signalementId",
        "titre",
        "type",
        "statut",
        "statutCanonique",
        "dateCreation",
        "dateModification",
        "hasUnreadUpdates",
        "messagesNonLusCount",
        "discussionIds",
    }
    assert (recu["reference"], recu["signalementId"]) == (suivi_par_l_equipe.reference, str(suivi_par_l_equipe.pk))
    assert (recu["statut"], recu["messagesNonLusCount"], recu["discussionIds"]) == ("EN_COURS", 0, [])


def test_chacun_ne_suit_que_les_siens_du_plus_recent(api, invite, autre_invite, etudiante):
    ancien, recent = (fabriques.signalement(acteur_de(invite)) for _rang in range(2))
    fabriques.signalement(acteur_de(autre_invite))
    fabriques.signalement(acteur_de(etudiante))

    items = api(invite).get(URL).json()["data"]["items"]

    assert [item["signalementId"] for item in items] == [str(recent.pk), str(ancien.pk)]


def test_le_detail_ajoute_le_dossier_et_son_histoire(api, invite, suivi_par_l_equipe):
    recu = api(invite).get(f"{URL}/{suivi_par_l_equipe.reference}").json()["data"]

    assert recu["signalement"]["acteurId"] == str(invite.guest_id)
    assert recu["signalement"]["description"] == suivi_par_l_equipe.description
    assert [entree["type"] for entree in recu["timeline"]] == ["CREATION", "ASSIGNATION", "STATUT", "STATUT"]
    assert recu["discussions"] == []


@pytest.mark.parametrize("chemin", ["", "/{reference}"])
def test_le_suivi_ne_montre_rien_de_l_equipe(api, invite, gestionnaire, suivi_par_l_equipe, chemin):
    brut = api(invite).get(URL + chemin.format(reference=suivi_par_l_equipe.reference)).content.decode()

    for secret in (str(gestionnaire.pk), "Ilunga", "paul@campus.test", "Note de l'équipe.", "NOTE"):
        assert secret not in brut


def test_une_reference_se_dit_en_minuscules(api, invite, signalement_invite):
    assert api(invite).get(f"{URL}/{signalement_invite.reference.lower()}").status_code == 200


@pytest.mark.parametrize("laquelle", ["inconnue", "d'un autre invité", "d'un compte", "son id"])
def test_une_reference_d_autrui_est_introuvable_comme_une_inconnue(
    api, invite, autre_invite, signalement_invite, signalement, laquelle
):
    reference = {
        "inconnue": "SIG-2026-7K3M9QXT",
        "d'un autre invité": fabriques.signalement(acteur_de(autre_invite)).reference,
        "d'un compte": signalement.reference,
        "son id": str(signalement_invite.pk),
    }[laquelle]

    reponse = api(invite).get(f"{URL}/{reference}")
    temoin = api(invite).get(f"{URL}/SIG-2026-AAAAAAAA")

    assert (reponse.status_code, reponse.json()["code"]) == (404, "NOT_FOUND")
    assert reponse.json()["message"] == temoin.json()["message"]


def test_une_reference_mene_au_sien_qui_la_porte(api, invite, signalement_invite):
    autre = fabriques.signalement(acteur_de(invite))

    lus = [
        api(invite).get(f"{URL}/{un.reference}").json()["data"]["signalementId"] for un in (signalement_invite, autre)
    ]

    assert lus == [str(signalement_invite.pk), str(autre.pk)]


@pytest.mark.parametrize("reference", ["%00", "%C3%A9", "a%20b", "%25", "x" * 2000, "SIG-2026-7K3M9QXT%00"])
def test_une_reference_mal_formee_est_introuvable(api, invite, reference):
    reponse = api(invite).get(f"{URL}/{reference}")

    assert (reponse.status_code, reponse.json()["code"]) == (404, "NOT_FOUND")


def test_le_suivi_nomme_les_discussions_de_chaque_dossier(api, invite, gestionnaire, signalement_invite):
    sans_discussion = fabriques.signalement(acteur_de(invite))
    de_l_equipe = discussions.discussion(acteur_de(gestionnaire), signalement=signalement_invite)
    la_sienne = discussions.discussion(acteur_de(invite), signalement=signalement_invite)
    discussions.discussion(acteur_de(invite))
    discussions.message(acteur_de(gestionnaire), de_l_equipe)
    discussions.message(acteur_de(invite), la_sienne)

    recus = {item["signalementId"]: item for item in api(invite).get(URL).json()["data"]["items"]}

    avec, sans = recus[str(signalement_invite.pk)], recus[str(sans_discussion.pk)]
    assert avec["discussionIds"] == [str(de_l_equipe.pk), str(la_sienne.pk)]
    assert (avec["messagesNonLusCount"], avec["hasUnreadUpdates"]) == (1, True)
    assert (sans["discussionIds"], sans["messagesNonLusCount"], sans["hasUnreadUpdates"]) == ([], 0, False)


def test_le_detail_montre_les_discussions_comme_on_les_lit_ailleurs(api, invite, gestionnaire, signalement_invite):
    ouverte = discussions.discussion(acteur_de(gestionnaire), "Votre signalement", signalement_invite)
    discussions.message(acteur_de(gestionnaire), ouverte, "Pouvez-vous préciser l'heure ?")
    discussions.message(acteur_de(invite), ouverte, "Vers 18 h.")

    recu = api(invite).get(f"{URL}/{signalement_invite.reference}").json()["data"]

    (discussion,) = recu["discussions"]
    assert recu["discussionIds"] == [discussion["id"]] == [str(ouverte.pk)]
    assert (discussion["resume"]["nombreMessages"], discussion["resume"]["dernierMessage"]) == (2, "Vers 18 h.")
    assert (discussion["messagesNonLusCount"], recu["messagesNonLusCount"]) == (1, 1)
    assert recu["signalement"]["messagesNonLusCount"] == 1
    assert discussion == api(invite).get(f"/api/v1/discussions/{ouverte.pk}").json()["data"]


def test_un_dossier_et_neuf_coutent_autant_de_requetes(api, invite, gestionnaire, django_assert_num_queries):
    client = api(invite)

    def dossier_discute():
        ouverte = discussions.discussion(acteur_de(invite), signalement=fabriques.signalement(acteur_de(invite)))
        discussions.message(acteur_de(gestionnaire), ouverte)

    dossier_discute()
    with django_assert_num_queries(4):
        client.get(URL)
    for _rang in range(8):
        dossier_discute()
    with django_assert_num_queries(4):
        assert client.get(URL).json()["data"]["total"] == 9


def test_un_detail_coute_autant_avec_une_longue_histoire(
    api, invite, gestionnaire, signalement_invite, django_assert_num_queries
):
    client, url = api(invite), f"{URL}/{signalement_invite.reference}"

    def discuter():
        ouverte = discussions.discussion(acteur_de(invite), signalement=signalement_invite)
        discussions.message(acteur_de(gestionnaire), ouverte)

    discuter()
    with django_assert_num_queries(6):
        client.get(url)
    for statut in ("EN_COURS", "TRAITE", "CLOTURE", "EN_COURS"):
        api(gestionnaire).put(f"{SIGNALEMENTS}{signalement_invite.pk}/statut", {"statut": statut})
        discuter()
    with django_assert_num_queries(6):
        recu = client.get(url).json()["data"]
    assert (len(recu["timeline"]), len(recu["discussions"])) == (5, 5)
