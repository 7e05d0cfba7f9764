"""What a merge has joined to another: its id leads to the one that lives on."""

import pytest
from django.db.models import F

from config.tests.outils import acteur_de
from discussions import services
from discussions.models import Discussion, Message
from discussions.tests import fabriques
from socle.domaine.acteurs import Acteur
from socle.realtime.canaux import audiences

pytestmark = pytest.mark.django_db
URL = "/api/v1/discussions/"


@pytest.fixture
def absorbee(etudiante, gestionnaire, discussion):
    """A discussion of the same report, joined to `discussion` after two messages in each."""
    absorbee = fabriques.discussion(acteur_de(etudiante), "Même sujet", discussion.signalement)
    for rang, ou in enumerate((absorbee, discussion, discussion, absorbee), 1):
        fabriques.message(acteur_de(etudiante), ou, f"message {rang}")
    fabriques.joindre(absorbee, discussion)
    return absorbee


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire"])
def test_l_identifiant_absorbe_mene_a_la_discussion_qui_demeure(client_de_personne, discussion, absorbee, persona):
    client = client_de_personne(persona)

    recu = client.get(f"{URL}{absorbee.pk}").json()["data"]

    assert recu == client.get(f"{URL}{discussion.pk}").json()["data"]
    assert (recu["id"], recu["resume"]["nombreMessages"]) == (str(discussion.pk), 4)
    assert recu["resume"]["dernierMessage"] == "message 4"


def test_ses_messages_sont_ceux_de_l_autre(api, etudiante, discussion, absorbee):
    messages = api(etudiante).get(f"{URL}{absorbee.pk}/messages").json()["data"]["items"]

    assert messages == api(etudiante).get(f"{URL}{discussion.pk}/messages").json()["data"]["items"]
    assert [(m["numeroSequence"], m["contenu"]) for m in messages] == [(n, f"message {n}") for n in (1, 2, 3, 4)]
    assert {m["discussionId"] for m in messages} == {str(discussion.pk)}


def test_la_discussion_absorbee_n_est_plus_dans_aucune_liste(api, etudiante, gestionnaire, discussion, absorbee):
    for client in (api(etudiante), api(gestionnaire)):
        for url in (URL, f"{URL}?signalementId={discussion.signalement_id}"):
            assert [item["id"] for item in client.get(url).json()["data"]["items"]] == [str(discussion.pk)]


def test_un_autre_n_entre_pas_plus_par_l_identifiant_absorbe(api, autre_etudiante, invite, absorbee):
    assert api(autre_etudiante).get(f"{URL}{absorbee.pk}").status_code == 403
    assert api(invite).post(f"{URL}{absorbee.pk}/messages", {"contenu": "x"}).json()["code"] == "GUEST_ACCESS_DENIED"


@pytest.mark.parametrize("nommee", ["l'absorbée", "celle qui demeure", "aucune"])
def test_ecrire_a_la_discussion_absorbee_ecrit_dans_l_autre(api, etudiante, discussion, absorbee, nommee):
    identifiant = {"l'absorbée": str(absorbee.pk), "celle qui demeure": str(discussion.pk), "aucune": None}[nommee]

    reponse = api(etudiante).post(f"{URL}{absorbee.pk}/messages", {"contenu": "message 5", "discussionId": identifiant})

    recu = reponse.json()["data"]
    assert (reponse.status_code, recu["discussionId"], recu["numeroSequence"]) == (201, str(discussion.pk), 5)
    message = Message.objects.get(pk=recu["id"])
    assert (message.origine_id, message.numero_origine) == (discussion.pk, 5)


def test_ecrire_a_celle_qui_demeure_ne_se_nomme_pas_par_l_absorbee(api, etudiante, discussion, absorbee):
    reponse = api(etudiante).post(f"{URL}{discussion.pk}/messages", {"contenu": "x", "discussionId": str(absorbee.pk)})

    assert reponse.status_code == 422


def test_un_message_qui_attendait_pendant_la_fusion_va_dans_l_autre(etudiante, discussion, signalement):
    autre = fabriques.discussion(acteur_de(etudiante), signalement=signalement)
    lue_avant = Discussion.objects.get(pk=autre.pk)
    fabriques.joindre(autre, discussion)

    message = services.ecrire(acteur=acteur_de(etudiante), discussion=lue_avant, contenu="Presque trop tard.")

    assert (message.discussion_id, message.numero_sequence) == (discussion.pk, 1)
    assert Message.objects.filter(discussion=F("origine")).count() == 1


def test_marquer_par_l_identifiant_absorbe_lit_tout(api, evenements, gestionnaire, discussion, absorbee):
    with evenements() as recus:
        reponse = api(gestionnaire).put(f"{URL}{absorbee.pk}/messages/lus")

    assert reponse.status_code == 200
    assert not Message.objects.filter(est_lu=False).exists()
    assert {evenement["type"] for evenement in recus} == {"message_read"}
    assert len(recus) == 4
    assert api(gestionnaire).get(f"{URL}{discussion.pk}").json()["data"]["messagesNonLusCount"] == 0


@pytest.mark.parametrize(
    ("persona", "entend"),
    [("etudiante", ["PUBLIC"]), ("gestionnaire", ["PUBLIC"]), ("autre_etudiante", []), ("invite", [])],
)
def test_le_canal_absorbe_s_ouvre_aux_participants_de_celle_qui_demeure(
    personne, discussion, absorbee, persona, entend
):
    acteur: Acteur = acteur_de(personne(persona))

    assert audiences(acteur, f"discussion:{absorbee.pk}") == entend
    assert audiences(acteur, f"discussion:{discussion.pk}") == entend


@pytest.mark.parametrize("jointes", [1, 9])
def test_ce_qui_arrive_a_celle_qui_demeure_s_ecrit_une_fois_combien_qu_elle_en_ait_absorbe(
    evenements, etudiante, gestionnaire, discussion, absorbee, jointes
):
    for _rang in range(1, jointes):
        fabriques.joindre(fabriques.discussion(acteur_de(etudiante)), discussion)

    with evenements() as recus:
        fabriques.message(acteur_de(gestionnaire), discussion)

    assert [e["canal"] for e in recus] == [f"discussion:{discussion.pk}"]
    assert recus[0]["payload"]["discussionId"] == str(discussion.pk)


def test_ses_evenements_se_rattrapent_par_l_identifiant_absorbe(api, etudiante, gestionnaire, discussion, absorbee):
    fabriques.message(acteur_de(gestionnaire), discussion, "Depuis.")

    lus = api(etudiante).get(f"/api/v1/evenements?canal=discussion:{absorbee.pk}").json()["data"]

    dits = [(e["canal"].endswith(str(absorbee.pk)), e["payload"]["contenu"]) for e in lus]
    assert dits == [(rang in (1, 4), f"message {rang}") for rang in range(1, 5)] + [(False, "Depuis.")]


def test_relier_a_une_discussion_deja_jointe_mene_jusqu_a_la_derniere(api, etudiante, discussion, absorbee):
    derniere = fabriques.discussion(acteur_de(etudiante), signalement=discussion.signalement)
    fabriques.joindre(discussion, derniere)

    for pk in (absorbee.pk, discussion.pk):
        recu = api(etudiante).get(f"{URL}{pk}").json()["data"]
        assert (recu["id"], recu["resume"]["nombreMessages"]) == (str(derniere.pk), 4)
