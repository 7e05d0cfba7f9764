import pytest
from django.db import transaction

from config.tests.outils import acteur_de
from discussions import services
from discussions.models import Discussion, Lecture, Message
from discussions.tests import fabriques
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db
URL = "/api/v1/discussions/"


def en_bref(recus):
    return [(e["type"], e["canal"], e["audience"]) for e in recus]


# --- discussion_created ---------------------------------------------------------------------------------------------


def test_ouvrir_est_annonce_la_ou_le_dossier_s_entend(evenements, api, etudiante, signalement):
    with evenements() as recus:
        reponse = api(etudiante).post(URL, {"titre": "Suites", "signalementId": str(signalement.pk)})

    ouverte = reponse.json()["data"]
    assert en_bref(recus) == [
        ("discussion_created", "discussions", "PUBLIC"),
        ("discussion_created", f"signalement:{signalement.pk}", "PUBLIC"),
    ]
    attendu = {nom: v for nom, v in ouverte.items() if nom not in ("hasUnreadUpdates", "messagesNonLusCount")}
    assert [evenement["payload"] for evenement in recus] == [attendu] * 2
    assert attendu == {
        "id": ouverte["id"],
        "titre": "Suites",
        "signalementId": str(signalement.pk),
        "signalementReference": signalement.reference,
        "resume": {"nombreMessages": 0, "dernierMessage": None, "dateDernierMessage": None},
        "sourceActeur": "AUTH_USER",
        "acteurId": str(etudiante.pk),
        "estFusionne": False,
        "dateCreation": ouverte["dateCreation"],
        "dateModification": ouverte["dateModification"],
    }


def test_sans_dossier_elle_ne_s_annonce_que_sur_un_canal_ferme(evenements, etudiante):
    with evenements() as recus:
        fabriques.discussion(acteur_de(etudiante))

    assert en_bref(recus) == [("discussion_created", "discussions", "PUBLIC")]
    assert recus[0]["payload"]["signalementId"] is None


# --- message_created ------------------------------------------------------------------------------------------------


def test_ecrire_est_annonce_a_la_discussion(evenements, api, gestionnaire, discussion):
    with evenements() as recus:
        reponse = api(gestionnaire).post(f"{URL}{discussion.pk}/messages", {"contenu": "Bonjour."})

    ecrit = reponse.json()["data"]
    assert en_bref(recus) == [("message_created", f"discussion:{discussion.pk}", "PUBLIC")]
    assert recus[0]["payload"] == ecrit
    assert ecrit.keys() == {
        "id",
        "discussionId",
        "contenu",
        "auteurId",
        "auteurNom",
        "type",
        "estLu",
        "numeroSequence",
        "piecesJointes",
        "sourceActeur",
        "acteurId",
        "estFusionne",
        "dateCreation",
    }
    assert (ecrit["auteurId"], ecrit["auteurNom"]) == (str(gestionnaire.pk), "Paul Ilunga")


# --- message_read ---------------------------------------------------------------------------------------------------


def test_lire_annonce_chaque_message_devenu_lu_dans_l_ordre(evenements, api, etudiante, gestionnaire, discussion):
    ecrits = [fabriques.message(acteur_de(qui), discussion) for qui in (etudiante, gestionnaire, etudiante)]

    with evenements() as recus:
        api(gestionnaire).put(f"{URL}{discussion.pk}/messages/lus")

    assert en_bref(recus) == [("message_read", f"discussion:{discussion.pk}", "PUBLIC")] * 2
    assert [e["payload"] for e in recus] == [
        {"messageId": str(ecrits[0].pk), "estLu": True},
        {"messageId": str(ecrits[2].pk), "estLu": True},
    ]


def test_une_seconde_lecture_n_annonce_que_ce_qui_est_nouveau(evenements, etudiante, gestionnaire, admin, discussion):
    fabriques.message(acteur_de(etudiante), discussion)
    services.marquer_lus(acteur=acteur_de(admin), discussion=discussion)
    nouveau = fabriques.message(acteur_de(etudiante), discussion)

    with evenements() as recus:
        services.marquer_lus(acteur=acteur_de(gestionnaire), discussion=discussion)

    assert [e["payload"]["messageId"] for e in recus] == [str(nouveau.pk)]


# --- What no event says ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["ANONYME", "SECRET"])
def test_aucun_evenement_ne_porte_l_identite_d_un_anonyme(evenements, etudiante, gestionnaire, mode):
    dossier = signalements.signalement(acteur_de(etudiante), mode_identification=mode)

    with evenements() as recus:
        ouverte = fabriques.discussion(acteur_de(etudiante), signalement=dossier)
        fabriques.message(acteur_de(etudiante), ouverte)
        services.marquer_lus(acteur=acteur_de(gestionnaire), discussion=ouverte)

    assert [e["type"] for e in recus] == ["discussion_created", "discussion_created", "message_created", "message_read"]
    for secret in (etudiante.pk, etudiante.nom, etudiante.prenom, etudiante.email):
        assert str(secret) not in str(recus)
    assert recus[2]["payload"]["auteurNom"] == "Anonyme"
    assert recus[2]["payload"]["auteurId"] == recus[0]["payload"]["acteurId"]


@pytest.mark.parametrize("mode", ["ANONYME", "IDENTIFIE", None])
def test_aucun_evenement_ne_porte_l_identifiant_d_un_invite(evenements, invite, gestionnaire, mode):
    dossier = signalements.signalement(acteur_de(invite), mode_identification=mode) if mode else None
    secret = str(invite.guest_id)

    with evenements() as recus:
        ouverte = fabriques.discussion(acteur_de(invite), f"Dossier {secret}", dossier)
        fabriques.message(acteur_de(invite), ouverte, f"Mon identifiant est {secret}.")
        fabriques.message(acteur_de(gestionnaire), ouverte, f"Vous êtes {secret.upper()} ?")
        services.marquer_lus(acteur=acteur_de(invite), discussion=ouverte)

    assert len(recus) == (5 if mode else 4)
    for brut in (secret, secret.upper(), invite.guest_id.hex, str(invite.pk), invite.pk.hex):
        assert brut not in str([e["payload"] for e in recus])
    assert recus[0]["payload"]["titre"] == "Dossier [identifiant masqué]"


def test_la_lecture_ne_dit_pas_qui_a_lu(evenements, etudiante, gestionnaire, discussion):
    fabriques.message(acteur_de(etudiante), discussion)

    with evenements() as recus:
        services.marquer_lus(acteur=acteur_de(gestionnaire), discussion=discussion)

    assert recus[0]["payload"].keys() == {"messageId", "estLu"}


def test_un_evenement_est_en_francais_quelle_que_soit_la_langue_de_la_requete(
    evenements, api, invite, discussion_invitee
):
    with evenements() as recus:
        reponse = api(invite).post(
            f"{URL}{discussion_invitee.pk}/messages", {"contenu": "Bonjour."}, headers={"Accept-Language": "en"}
        )

    assert reponse.json()["data"]["auteurNom"] == "Guest"
    assert recus[0]["payload"]["auteurNom"] == "Invité"


# --- Rollback twins -------------------------------------------------------------------------------------------------

ACTES = {
    "ouvrir": lambda discussion, acteur: services.ouvrir(acteur=acteur, titre="Suites"),
    "ouvrir liée": lambda discussion, acteur: fabriques.discussion(acteur, signalement=discussion.signalement),
    "écrire": lambda discussion, acteur: services.ecrire(acteur=acteur, discussion=discussion, contenu="x"),
    "lire": lambda discussion, acteur: services.marquer_lus(acteur=acteur, discussion=discussion),
}


@pytest.mark.parametrize("acte", ACTES)
def test_ce_qui_aboutit_est_annonce(evenements, etudiante, gestionnaire, discussion, acte):
    fabriques.message(acteur_de(etudiante), discussion)

    with evenements() as recus, transaction.atomic():
        ACTES[acte](discussion, acteur_de(gestionnaire))

    assert recus != []


@pytest.mark.parametrize("acte", ACTES)
def test_rien_n_est_annonce_quand_la_transaction_echoue(evenements, etudiante, gestionnaire, discussion, acte):
    fabriques.message(acteur_de(etudiante), discussion)

    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        ACTES[acte](discussion, acteur_de(gestionnaire))
        raise RuntimeError

    assert recus == []
    assert [modele.objects.count() for modele in (Discussion, Message, Lecture)] == [1, 1, 0]
    assert not Message.objects.filter(est_lu=True).exists()
