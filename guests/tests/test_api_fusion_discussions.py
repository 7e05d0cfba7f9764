"""What a merge makes of two discussions of one subject."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Compte
from config.tests.outils import acteur_de
from discussions.models import Discussion, Message
from discussions.tests import fabriques
from guests.models import AuditFusion
from guests.tests.outils import apercevoir, conflit, fusionner, resolution
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db
URL = "/api/v1/discussions/"
JOINTURES = ("KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS")
DEBUT = datetime(2026, 3, 1, 8, tzinfo=UTC)


def ecrire(discussion, *paroles):
    """`(who, at what minute, what)`, in the order of the conversation."""
    ecrits = []
    for qui, minute, contenu, *type_ in paroles:
        message = fabriques.message(acteur_de(qui), discussion, contenu, **dict(zip(["type"], type_, strict=False)))
        Message.objects.filter(pk=message.pk).update(date_creation=DEBUT + timedelta(minutes=minute))
        ecrits.append(message)
    return ecrits


def lire(client, discussion):
    """`[(number, content)]` as a client reads them."""
    recus = client.get(f"{URL}{discussion.pk}/messages?size=100").json()["data"]["items"]
    return [(r["numeroSequence"], r["contenu"]) for r in recus]


@pytest.fixture
def deux(invite, etudiante):
    """A discussion of the guest and one of the account, of nearly the same title, about no report."""
    return tuple(
        fabriques.discussion(acteur_de(qui), titre)
        for qui, titre in ((invite, "Éclairage du chemin"), (etudiante, "éclairage  du chemin !"))
    )


# --- The four actions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "titre"),
    [
        ("KEEP_TARGET", "éclairage  du chemin !"),
        ("KEEP_GUEST", "Éclairage du chemin"),
        ("MERGE_FIELDS", "éclairage  du chemin !"),
    ],
)
def test_joindre_garde_une_discussion_de_tous_les_messages(api, etudiante, gestionnaire, invite, deux, action, titre):
    apportee, restante = deux
    ecrire(apportee, (invite, 1, "un"), (gestionnaire, 3, "trois"), (invite, 5, "cinq"))
    ecrire(restante, (etudiante, 2, "deux"), (gestionnaire, 4, "quatre"), (etudiante, 6, "x" * 300))

    fusionner(etudiante, invite, resolution(action, *deux))

    elle = api(etudiante)
    (recue,) = elle.get(URL).json()["data"]["items"]
    assert (recue["id"], recue["titre"]) == (str(restante.pk), titre)
    assert recue["resume"] == {
        "nombreMessages": 6,
        "dernierMessage": "x" * 199 + "…",
        "dateDernierMessage": "2026-03-01T08:06:00.000Z",
    }
    attendus = list(enumerate(["un", "deux", "trois", "quatre", "cinq", "x" * 300], 1))
    assert lire(elle, restante) == lire(elle, apportee) == lire(api(gestionnaire), restante) == attendus
    assert elle.get(f"{URL}{apportee.pk}").json()["data"] == elle.get(f"{URL}{restante.pk}").json()["data"]


def test_un_titre_repris_se_retrouve_a_la_fusion_suivante(etudiante, invite, autre_invite, deux):
    fusionner(etudiante, invite, resolution("KEEP_GUEST", *deux))
    Discussion.objects.filter(pk=deux[1].pk, titre="Éclairage du chemin").get()

    nouvelle = fabriques.discussion(acteur_de(autre_invite), "ÉCLAIRAGE DU CHEMIN")

    assert apercevoir(etudiante, autre_invite)["conflicts"] == [conflit("SAME_TITLE", nouvelle, deux[1])]


def test_skip_garde_deux_discussions_du_compte(api, etudiante, invite, deux):
    apportee, restante = deux
    ecrire(apportee, (invite, 1, "un"))
    ecrire(restante, (etudiante, 2, "deux"))

    fusionner(etudiante, invite, resolution("SKIP", *deux))

    elle = api(etudiante)
    assert (lire(elle, apportee), lire(elle, restante)) == ([(1, "un")], [(1, "deux")])
    assert elle.get(URL).json()["data"]["total"] == 2


def test_merge_all_joint_dans_celle_du_compte(api, etudiante, invite, deux):
    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    (recue,) = api(etudiante).get(URL).json()["data"]["items"]
    assert (recue["id"], recue["titre"]) == (str(deux[1].pk), "éclairage  du chemin !")


@pytest.mark.parametrize("action", JOINTURES)
def test_plusieurs_discussions_de_l_invite_se_joignent_a_la_meme(api, etudiante, invite, deux, action):
    apportee, restante = deux
    encore = fabriques.discussion(acteur_de(invite), "Eclairage du chemin".replace("E", "É"))
    ecrire(apportee, (invite, 1, "un"), (invite, 4, "quatre"), (invite, 5, "pareil"))
    ecrire(encore, (invite, 3, "trois"), (invite, 6, "Pareil"))
    ecrire(restante, (etudiante, 2, "deux"))

    fusionner(etudiante, invite, resolution(action, *deux), resolution("MERGE_FIELDS", encore, restante))

    attendus = [(1, "un"), (2, "deux"), (3, "trois"), (4, "quatre"), (5, "pareil")]
    assert [lire(api(etudiante), d) for d in (apportee, encore, restante)] == [attendus] * 3


def test_ecrire_dans_la_discussion_jointe_c_est_ecrire_dans_l_autre(api, etudiante, invite, deux):
    apportee, restante = deux
    ecrire(apportee, (invite, 1, "un"))
    fusionner(etudiante, invite, resolution("KEEP_TARGET", *deux))

    recu = api(etudiante).post(f"{URL}{apportee.pk}/messages", {"contenu": "deux", "discussionId": str(apportee.pk)})

    assert (recu.status_code, recu.json()["data"]["numeroSequence"]) == (201, 2)
    assert recu.json()["data"]["discussionId"] == str(restante.pk)


# --- Messages -------------------------------------------------------------------------------------------------------


def test_deux_messages_pareils_d_une_personne_n_en_font_qu_un(api, etudiante, invite, gestionnaire, deux):
    apportee, restante = deux
    ecrire(
        apportee,
        (invite, 1, "La lampe est  CASSÉE"),
        (gestionnaire, 2, "Je passe mardi."),
        (invite, 3, "Merci"),
        (invite, 9, "Merci !"),
    )
    ecrire(
        restante,
        (etudiante, 4, "la lampe est cassée"),
        (gestionnaire, 5, "je passe MARDI."),
        (gestionnaire, 6, "Merci"),
        (etudiante, 7, "merci", "SYSTEME"),
        (etudiante, 8, "merci"),
    )

    fusionner(etudiante, invite, resolution("MERGE_FIELDS", *deux))

    assert [contenu for _numero, contenu in lire(api(etudiante), restante)] == [
        "la lampe est cassée",
        "je passe MARDI.",
        "Merci",
        "merci",
        "merci",
        "Merci !",
    ]
    assert [numero for numero, _contenu in lire(api(etudiante), restante)] == [1, 2, 3, 4, 5, 6]


def test_deux_messages_pareils_d_une_meme_discussion_restent_deux(api, etudiante, invite, deux):
    apportee, restante = deux
    ecrire(apportee, (invite, 1, "Alors ?"), (invite, 4, "Alors ?"), (invite, 5, "Alors ?"))
    ecrire(restante, (etudiante, 2, "Alors ?"), (etudiante, 3, "alors ?"))

    fusionner(etudiante, invite, resolution("KEEP_TARGET", *deux))

    assert lire(api(etudiante), restante) == [(1, "Alors ?"), (2, "alors ?"), (3, "Alors ?")]


def test_un_doublon_ecarte_reste_en_base_et_dans_la_trace(etudiante, invite, deux):
    apportee, restante = deux
    (double,) = ecrire(apportee, (invite, 1, "Bonjour."))
    ecrire(restante, (etudiante, 2, "Bonjour."))

    fusionner(etudiante, invite, resolution("KEEP_TARGET", *deux))

    double.refresh_from_db()
    assert (double.discussion_id, double.compte_id) == (apportee.pk, etudiante.pk)
    assert AuditFusion.objects.get().resume["deduplicatedMessages"] == [str(double.pk)]
    assert AuditFusion.objects.get().resume["migratedCounts"]["messages"] == 1


def test_une_horloge_qui_recule_ne_melange_pas_une_conversation(api, etudiante, invite, deux):
    apportee, restante = deux
    ecrire(apportee, (invite, 10, "question"), (invite, 1, "reponse"), (invite, 12, "suite"))
    ecrire(restante, (etudiante, 5, "cinq"), (etudiante, 11, "onze"))

    fusionner(etudiante, invite, resolution("KEEP_TARGET", *deux))

    assert [c for _n, c in lire(api(etudiante), restante)] == ["cinq", "question", "reponse", "onze", "suite"]


# --- What was read --------------------------------------------------------------------------------------------------


def test_ce_qui_etait_lu_le_reste_pour_chacun(api, etudiante, invite, gestionnaire, admin):
    Compte.objects.update(equipe_depuis=DEBUT)
    apportee, restante = (fabriques.discussion(acteur_de(qui), "Suites") for qui in (invite, etudiante))
    ecrire(apportee, (invite, 1, "i1"), (gestionnaire, 3, "g3"), (invite, 5, "i5"))
    ecrire(restante, (etudiante, 2, "e2"), (gestionnaire, 4, "g4"), (etudiante, 6, "e6"))
    for qui, discussion in ((gestionnaire, apportee), (etudiante, restante), (invite, apportee)):
        api(qui).put(f"{URL}{discussion.pk}/messages/lus")
    ecrire(apportee, (gestionnaire, 7, "g7"), (invite, 8, "i8"))
    ecrire(restante, (gestionnaire, 9, "g9"))

    fusionner(etudiante, invite, resolution("MERGE_FIELDS", apportee, restante))

    comptes = {qui: api(qui).get(f"{URL}{restante.pk}").json()["data"] for qui in (etudiante, gestionnaire, admin)}
    assert {qui: c["messagesNonLusCount"] for qui, c in comptes.items()} == {etudiante: 2, gestionnaire: 3, admin: 9}
    assert all(c["hasUnreadUpdates"] for c in comptes.values())
    recus = api(etudiante).get(f"{URL}{restante.pk}/messages").json()["data"]["items"]
    assert {r["contenu"]: r["estLu"] for r in recus} == {
        "i1": True,
        "e2": False,
        "g3": True,
        "g4": True,
        "i5": True,
        "e6": False,
        "g7": False,
        "i8": False,
        "g9": False,
    }
    for qui in comptes:
        api(qui).put(f"{URL}{restante.pk}/messages/lus")
        assert api(qui).get(f"{URL}{restante.pk}").json()["data"]["messagesNonLusCount"] == 0


@pytest.mark.parametrize(("lue", "attendus"), [("apportee", [True, False]), ("restante", [True, True])])
def test_un_doublon_lu_le_reste_et_lui_seul(api, etudiante, gestionnaire, invite, lue, attendus):
    """Two equal messages of one discussion are two: that the guest's was read says nothing of the second."""
    discussions = {
        nom: fabriques.discussion(acteur_de(q), "Suites") for nom, q in (("apportee", invite), ("restante", etudiante))
    }
    apportee, restante = discussions.values()
    ecrire(apportee, (invite, 1, "Alors ?"))
    ecrire(restante, (etudiante, 2, "Alors ?"), (etudiante, 3, "Alors ?"))
    api(gestionnaire).put(f"{URL}{discussions[lue].pk}/messages/lus")

    fusionner(etudiante, invite, resolution("KEEP_TARGET", apportee, restante))

    recus = api(etudiante).get(f"{URL}{restante.pk}/messages").json()["data"]["items"]
    assert [r["estLu"] for r in recus] == attendus


def test_le_personnel_qui_recoit_sa_session_garde_la_marque_la_plus_avancee(api, gestionnaire, admin, invite):
    """The manager has read as a guest and as staff: the further of both marks holds."""
    dossier = signalements.signalement(acteur_de(invite))
    lues_par_l_invite, lues_par_elle = (fabriques.discussion(acteur_de(invite), t, dossier) for t in ("Un", "Deux"))
    for discussion, premier in ((lues_par_l_invite, gestionnaire), (lues_par_elle, invite)):
        second = invite if premier is gestionnaire else gestionnaire
        ecrire(discussion, (admin, 1, "un"))
        api(premier).put(f"{URL}{discussion.pk}/messages/lus")
        ecrire(discussion, (admin, 2, "deux"))
        api(second).put(f"{URL}{discussion.pk}/messages/lus")
        ecrire(discussion, (admin, 3, "trois"))

    fusionner(gestionnaire, invite)

    recues = api(gestionnaire).get(f"{URL}?signalementId={dossier.pk}").json()["data"]["items"]
    assert [d["messagesNonLusCount"] for d in recues] == [1, 1]


def test_deux_dossiers_qui_restent_deux_ne_se_rejoignent_pas_par_une_discussion_sans_dossier(api, invite, etudiante):
    """The first takes the account's discussion to its case; the second, of another case, stays apart."""
    dossiers = [
        signalements.signalement(acteur_de(invite), description=texte, mode_identification="IDENTIFIE")
        for texte in ("Un sac.", "Un vélo.")
    ]
    for dossier in dossiers:
        fabriques.discussion(acteur_de(invite), "Suivi", dossier)
    libre = fabriques.discussion(acteur_de(etudiante), "Suivi !")

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    totaux = [
        api(etudiante).get(f"/api/v1/discussions/?signalementId={dossier.pk}").json()["data"]["items"]
        for dossier in dossiers
    ]
    assert [len(items) for items in totaux] == [1, 1]
    assert totaux[0][0]["id"] == str(libre.pk)
