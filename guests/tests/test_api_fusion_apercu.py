"""What a merge would meet: counts, conflicts, and what is told to whom."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.services.comptes import desactiver as desactiver_compte
from config.tests.outils import acteur_de, champs_refuses
from discussions.tests import fabriques as discussions
from guests.models import SessionInvitee
from guests.tests.fabriques import desactiver
from guests.tests.outils import SESSIONS, apercevoir, conflit, fusionner
from signalements.models import Signalement
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
SIGNALEMENTS = "/api/v1/signalements/"
FAITS = {"titre": "Remarques", "description": "Devant l'amphi.", "type": "HARCELEMENT"}
INCONNU = "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"


def url(session, question=""):
    return f"{SESSIONS}/{session.guest_id}/merge-preview{question}"


def signaler(api, qui, **champs):
    recu = api(qui).post(SIGNALEMENTS, {**FAITS, "modeIdentification": "IDENTIFIE", **champs})
    assert recu.status_code == 201, recu.content
    return Signalement.objects.get(pk=recu.json()["data"]["id"])


# --- Counts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["etudiante", None])
def test_l_apercu_compte_ce_qui_est_a_l_invite(
    api, etudiante, gestionnaire, invite, autre_invite, signalement_invite, persona
):
    discussion = discussions.discussion(acteur_de(invite), signalement=signalement_invite)
    for qui in (invite, gestionnaire, invite):
        discussions.message(acteur_de(qui), discussion)
    discussions.discussion(acteur_de(gestionnaire), signalement=signalement_invite)
    fabriques.signalement(acteur_de(autre_invite))
    client = api(etudiante if persona else None)

    reponse = client.get(url(invite, f"?userId={etudiante.pk}"))

    recu = reponse.json()["data"]
    assert reponse.status_code == 200
    assert len(recu.pop("planDigest")) == 32
    assert (recu.pop("porterontVotreNom", None) is not None) == (persona is not None)
    assert recu == {
        "guestId": str(invite.guest_id),
        "userId": str(etudiante.pk),
        "canMerge": True,
        "counts": {"signalements": 1, "discussions": 1, "messages": 2, "suivis": 1},
        "conflicts": [],
        "conflictsTruncated": False,
    }


def test_apercevoir_ne_change_rien(api, etudiante, invite, signalement_invite):
    vue = timezone.now() - timedelta(days=2)
    SessionInvitee.objects.update(date_derniere_activite=vue)

    for qui, question in ((etudiante, ""), (None, f"?userId={etudiante.pk}"), (invite, f"?userId={etudiante.pk}")):
        assert api(qui).get(url(invite, question)).status_code == 200

    session = SessionInvitee.objects.get()
    assert (session.date_derniere_activite, session.statut) == (vue, "ACTIVE")


# --- Reasons --------------------------------------------------------------------------------------------------------


def test_une_meme_reference_est_un_conflit(api, etudiante, invite):
    dossier = signaler(api, etudiante)
    apporte = signaler(api, invite, reference=dossier.reference.lower(), description="Autrement.", type="VOL")

    assert apercevoir(etudiante, invite)["conflicts"] == [conflit("REFERENCE", apporte, dossier)]


@pytest.mark.parametrize(
    "champs",
    [
        {},
        {"description": "  devant   L'AMPHI  "},
        {"description": "Devant l\u2019amphi !"},
        {"description": "Devant\nl'amphi…"},
        {"description": "\uff24evant l'amphi."},
        {"type": "harcelement"},
        {"titre": "Un autre titre", "auteurPresume": "Un assistant", "aTemoins": True, "priorite": "HIGH"},
    ],
)
def test_les_memes_faits_ecrits_autrement_sont_un_conflit(api, etudiante, invite, champs):
    dossier = signaler(api, etudiante)
    apporte = signaler(api, invite, **champs)

    assert apporte.reference != dossier.reference
    assert apercevoir(etudiante, invite)["conflicts"] == [conflit("FINGERPRINT", apporte, dossier)]


@pytest.mark.parametrize(
    ("du_compte", "de_l_invite"),
    [
        ({"lieuIncident": "Amphi B"}, {"lieuIncident": " amphi  b."}),
        ({"description": "Caf\u00e9 renversé"}, {"description": "Cafe\u0301 renversé"}),
        ({"description": "Straße"}, {"description": "STRASSE"}),
        ({"description": "!!!"}, {"description": " !!! "}),
        ({"dateIncident": "2026-03-01T14:30:00Z"}, {"dateIncident": "2026-03-01T15:30:00+01:00"}),
        ({"dateIncident": None, "lieuIncident": None}, {"lieuIncident": ""}),
    ],
)
def test_lieu_date_et_forme_unicode_se_comparent_de_meme(api, etudiante, invite, du_compte, de_l_invite):
    dossier = signaler(api, etudiante, **du_compte)
    apporte = signaler(api, invite, **de_l_invite)

    assert apercevoir(etudiante, invite)["conflicts"] == [conflit("FINGERPRINT", apporte, dossier)]


@pytest.mark.parametrize(
    "champs",
    [
        {"type": "VOL"},
        {"description": "Devant la bibliothèque."},
        {"description": "!!!"},
        {"lieuIncident": "Amphi B"},
        {"dateIncident": "2026-03-01T14:30:00Z"},
    ],
)
def test_d_autres_faits_ne_sont_pas_un_conflit(api, etudiante, invite, champs):
    signaler(api, etudiante)
    signaler(api, invite, **champs)

    assert apercevoir(etudiante, invite)["conflicts"] == []


@pytest.mark.parametrize(
    "titre", ["Mon dossier", "  MON   dossier", "mon dossier !", "Mon\u00a0dossier", "Ｍon dossier"]
)
def test_un_meme_titre_est_un_conflit(etudiante, invite, titre):
    restante = discussions.discussion(acteur_de(etudiante), "Mon dossier")
    apportee = discussions.discussion(acteur_de(invite), titre)

    assert apercevoir(etudiante, invite)["conflicts"] == [conflit("SAME_TITLE", apportee, restante)]


def test_un_autre_titre_n_est_pas_un_conflit(etudiante, invite):
    discussions.discussion(acteur_de(etudiante), "Mon dossier")
    discussions.discussion(acteur_de(invite), "Mon dossier 2")

    assert apercevoir(etudiante, invite)["conflicts"] == []


def test_les_discussions_de_dossiers_en_conflit_le_sont_aussi(api, etudiante, invite):
    dossier, apporte = (signaler(api, qui) for qui in (etudiante, invite))
    restante = discussions.discussion(acteur_de(etudiante), "Suites", dossier)
    apportee = discussions.discussion(acteur_de(invite), "Questions", apporte)

    assert apercevoir(etudiante, invite)["conflicts"] == [
        conflit("FINGERPRINT", apporte, dossier),
        conflit("SAME_REPORT", apportee, restante),
    ]


def test_une_paire_n_a_que_sa_raison_la_plus_forte(api, etudiante, invite):
    dossier = signaler(api, etudiante)
    apporte = signaler(api, invite, reference=dossier.reference)
    restante, apportee = (
        discussions.discussion(acteur_de(qui), "Suites", objet)
        for qui, objet in ((etudiante, dossier), (invite, apporte))
    )

    assert apercevoir(etudiante, invite)["conflicts"] == [
        conflit("REFERENCE", apporte, dossier),
        conflit("SAME_REPORT", apportee, restante),
    ]


def test_les_conflits_suivent_l_element_la_raison_puis_l_age(api, etudiante, invite):
    semblable, meme_reference, plus_recent = (signaler(api, etudiante) for _rang in range(3))
    premier = signaler(api, invite, reference=meme_reference.reference)
    second = signaler(api, invite)
    sans, liee = (discussions.discussion(acteur_de(etudiante), "Suites", objet) for objet in (None, meme_reference))
    libre, du_dossier = (discussions.discussion(acteur_de(invite), "Suites", objet) for objet in (None, premier))

    assert apercevoir(etudiante, invite)["conflicts"] == [
        conflit("REFERENCE", premier, meme_reference),
        conflit("FINGERPRINT", premier, semblable),
        conflit("FINGERPRINT", premier, plus_recent),
        conflit("FINGERPRINT", second, semblable),
        conflit("FINGERPRINT", second, meme_reference),
        conflit("FINGERPRINT", second, plus_recent),
        conflit("SAME_TITLE", libre, sans),
        conflit("SAME_TITLE", libre, liee),
        conflit("SAME_REPORT", du_dossier, liee),
        conflit("SAME_TITLE", du_dossier, sans),
    ]


def test_un_element_n_a_que_ses_vingt_conflits_les_plus_forts(api, etudiante, invite):
    semblables = [signaler(api, etudiante) for _rang in range(22)]
    apporte = signaler(api, invite, reference=semblables[-1].reference)
    ouvertes = [discussions.discussion(acteur_de(etudiante), "Suites") for _rang in range(22)]
    apportee = discussions.discussion(acteur_de(invite), "Suites")

    assert apercevoir(etudiante, invite)["conflicts"] == [
        conflit("REFERENCE", apporte, semblables[-1]),
        *[conflit("FINGERPRINT", apporte, dossier) for dossier in semblables[:19]],
        *[conflit("SAME_TITLE", apportee, discussion) for discussion in ouvertes[:20]],
    ]


def test_un_dossier_deja_joint_n_est_plus_en_conflit(api, etudiante, invite, autre_invite):
    dossier = signaler(api, etudiante)
    signaler(api, invite)
    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")
    encore = signaler(api, autre_invite)

    assert apercevoir(etudiante, autre_invite)["conflicts"] == [conflit("FINGERPRINT", encore, dossier)]


@pytest.mark.parametrize(
    ("de_l_invite", "du_compte", "actions"),
    [
        ("ANONYME", "IDENTIFIE", ["SKIP"]),
        ("IDENTIFIE", "PSEUDONYME", ["SKIP"]),
        ("ANONYME", None, ["SKIP"]),
        (None, "ANONYME", ["SKIP"]),
        ("IDENTIFIE", "IDENTIFIE", None),
        ("ANONYME", "PSEUDONYME", None),
        ("IDENTIFIE", None, None),
        (None, None, None),
    ],
)
def test_qui_se_cache_et_qui_se_nomme_ne_se_rejoignent_pas(api, etudiante, invite, de_l_invite, du_compte, actions):
    def ouvrir(qui, mode):
        dossier = mode and signaler(api, qui, modeIdentification=mode, description=f"De {qui.pk}")
        return discussions.discussion(acteur_de(qui), "Suites", dossier)

    restante, apportee = ouvrir(etudiante, du_compte), ouvrir(invite, de_l_invite)

    attendu = conflit("SAME_TITLE", apportee, restante, **({"actions": actions} if actions else {}))
    assert apercevoir(etudiante, invite)["conflicts"] == [attendu]


def test_seul_ce_qui_est_au_compte_entre_en_conflit(api, etudiante, autre_etudiante, invite, autre_invite):
    for qui in (autre_etudiante, autre_invite, invite):
        discussions.discussion(acteur_de(qui), "Suites", signaler(api, qui))
        discussions.discussion(acteur_de(qui), "Suites")

    assert apercevoir(etudiante, invite)["conflicts"] == []


# --- Digest ---------------------------------------------------------------------------------------------------------


def test_le_condensat_ne_change_qu_avec_les_conflits(api, etudiante, invite, gestionnaire):
    dossier = signaler(api, etudiante)
    apporte = signaler(api, invite)
    premier = apercevoir(etudiante, invite)["planDigest"]
    api(gestionnaire).put(f"{SIGNALEMENTS}{dossier.pk}/statut", {"statut": "EN_COURS"})
    discussions.discussion(acteur_de(invite), "Sans pareille", apporte)

    second = apercevoir(etudiante, invite)["planDigest"]
    discussions.discussion(acteur_de(etudiante), "Suites", dossier)
    troisieme = apercevoir(etudiante, invite)["planDigest"]

    assert premier == second
    assert second != troisieme


def test_le_condensat_est_celui_de_cette_session(etudiante, invite, autre_invite):
    assert apercevoir(etudiante, invite)["planDigest"] != apercevoir(etudiante, autre_invite)["planDigest"]


# --- Who is told what -----------------------------------------------------------------------------------------------


def test_sans_jeton_rien_ne_dit_si_le_compte_existe(api, etudiante, gestionnaire, admin, invite):
    discussions.discussion(acteur_de(etudiante), "Mon dossier", signaler(api, etudiante))
    discussions.discussion(acteur_de(invite), "Mon dossier", signaler(api, invite))
    parti = str(gestionnaire.pk)
    desactiver_compte(compte=gestionnaire, acteur=acteur_de(admin))

    recus = {qui: api(None).get(url(invite, f"?userId={qui}")) for qui in (str(etudiante.pk), parti, str(uuid4()))}

    assert [(r.status_code, r.json()["data"].pop("userId")) for r in recus.values()] == [(200, qui) for qui in recus]
    nus = []
    for reponse in recus.values():
        donnees = reponse.json()["data"]
        assert donnees["conflicts"] == []
        nus.append({nom: valeur for nom, valeur in donnees.items() if nom != "userId"})
    assert nus[0] == nus[1] == nus[2]


def test_sans_jeton_le_compte_n_est_pas_cherche(api, etudiante, invite, django_assert_num_queries):
    questions = [f"?userId={qui}" for qui in (etudiante.pk, uuid4())]

    with django_assert_num_queries(10) as requetes:
        for question in questions:
            api(None).get(url(invite, question))

    assert not [r["sql"] for r in requetes if "accounts_compte" in r["sql"]]


@pytest.mark.parametrize("forme", [str, lambda pk: str(pk).upper(), lambda pk: f" {pk} "])
def test_avec_un_jeton_on_peut_dire_que_c_est_pour_soi(api, etudiante, invite, forme):
    reponse = api(etudiante).get(url(invite), {"userId": forme(etudiante.pk)})

    assert (reponse.status_code, reponse.json()["data"]["userId"]) == (200, str(etudiante.pk))


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire", "admin"])
def test_un_apercu_pour_un_autre_est_refuse_meme_a_l_equipe(client_de_personne, autre_etudiante, invite, persona):
    for vise in (autre_etudiante.pk, uuid4()):
        reponse = client_de_personne(persona).get(url(invite, f"?userId={vise}"))

        assert (reponse.status_code, reponse.json()["code"]) == (403, "PERMISSION_DENIED")


@pytest.mark.parametrize("question", ["", "?userId=", "?userId=%20", "?userId=awa", "?userId=0", "?userId={hex}"])
def test_sans_jeton_il_faut_dire_pour_qui(api, etudiante, invite, question):
    reponse = api(None).get(url(invite, question.format(hex=etudiante.pk.hex)))

    assert champs_refuses(reponse) == {"userId"}


@pytest.mark.parametrize("question", ["", "?userId=", "?userId=%20"])
def test_qui_ne_dit_rien_apprend_quoi_faire(api, invite, question):
    assert "Connectez-vous, ou dites pour quel compte." in api(None).get(url(invite, question)).text


@pytest.mark.parametrize("autre", [INCONNU, "pas-un-uuid", "%00", "{pk}", "{hex}"])
@pytest.mark.parametrize("persona", ["anonyme", "etudiante"])
def test_un_identifiant_inconnu_ou_mal_forme_est_introuvable(client_de_personne, invite, persona, autre):
    chemin = f"{SESSIONS}/{autre.format(pk=invite.pk, hex=invite.guest_id.hex)}/merge-preview?userId=awa"

    reponse = client_de_personne(persona).get(chemin)

    assert (reponse.status_code, reponse.json()["code"]) == (404, "GUEST_SESSION_NOT_FOUND")


@pytest.mark.parametrize("bearer", ["Bearer faux", "Bearer "])
def test_un_mauvais_jeton_est_refuse_meme_avec_un_bon_user_id(api, etudiante, invite, bearer):
    entetes = {"Authorization": bearer, "X-Guest-Id": str(invite.guest_id)}

    reponse = api(None).get(url(invite, f"?userId={etudiante.pk}"), headers=entetes)

    assert (reponse.status_code, reponse.json()["code"]) == (401, "TOKEN_INVALID")


@pytest.mark.parametrize("presente", ["bon", "autre", INCONNU, "pas-un-uuid"])
def test_x_guest_id_ne_change_rien_a_l_apercu(api, etudiante, invite, autre_invite, presente):
    ids = {"bon": str(invite.guest_id), "autre": str(autre_invite.guest_id)}
    chemin = url(invite, f"?userId={etudiante.pk}")

    avec = api(None).get(chemin, headers={"X-Guest-Id": ids.get(presente, presente)})

    assert (avec.status_code, avec.json()["data"]) == (200, api(None).get(chemin).json()["data"])


@pytest.mark.parametrize("persona", ["etudiante", "autre_etudiante", None])
@pytest.mark.parametrize("etat", ["MERGED", "DISABLED"])
def test_une_session_finie_ne_se_rattache_plus(api, personne, etudiante, invite, persona, etat):
    for qui in (etudiante, invite):
        signaler(api, qui)
    desactiver(invite) if etat == "DISABLED" else fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")
    compte = personne(persona or "etudiante")

    reponse = api(compte if persona else None).get(url(invite, f"?userId={compte.pk}"))

    recu = reponse.json()["data"]
    assert (reponse.status_code, recu["canMerge"], recu["conflicts"]) == (200, False, [])


@pytest.mark.parametrize(("ouvert", "etape"), [(False, "merge"), (True, "read"), (True, "create")])
def test_l_apercu_attend_l_etape_de_la_fusion(api, etudiante, invite, settings, ouvert, etape):
    settings.GUEST_MODE_ENABLED, settings.GUEST_MODE_STAGE = ouvert, etape

    reponses = [api(qui).get(url(invite, f"?userId={etudiante.pk}")) for qui in (etudiante, None)]

    assert [(r.status_code, r.json()["code"]) for r in reponses] == [(403, "GUEST_MODE_DISABLED")] * 2


# --- What will carry the person's name ------------------------------------------------------------------------------


def test_l_apercu_dit_ce_qui_portera_le_nom_du_compte(api, etudiante, gestionnaire, invite, autre_invite):
    cache = signaler(api, invite, modeIdentification="ANONYME", description="Caché.")
    signaler(api, autre_invite, description="D'une autre.")
    nommes = [signaler(api, invite, titre=f"Nommé {rang}", description=f"Nommé {rang}.") for rang in range(2)]
    for dossier in (cache, nommes[0]):
        discussions.discussion(acteur_de(invite), "Sur un dossier", dossier)
    discussions.discussion(acteur_de(gestionnaire), "De l'équipe", cache)
    libre = discussions.discussion(acteur_de(invite), "Une question")

    recu = apercevoir(etudiante, invite)["porterontVotreNom"]

    assert recu == {
        "signalements": [{"id": str(s.pk), "reference": s.reference, "titre": s.titre} for s in nommes[::-1]],
        "discussions": [{"id": str(libre.pk), "titre": "Une question"}],
        "totalSignalements": 2,
        "totalDiscussions": 1,
    }


def test_ce_que_l_apercu_nomme_est_ce_que_la_fusion_nomme(api, etudiante, gestionnaire, invite):
    for mode in ("ANONYME", "IDENTIFIE"):
        signaler(api, invite, modeIdentification=mode, description=mode)
    discussions.discussion(acteur_de(invite), "Une question")
    annonce = apercevoir(etudiante, invite)["porterontVotreNom"]

    fusionner(etudiante, invite)

    equipe = api(gestionnaire)
    listes = {"signalements": equipe.get(SIGNALEMENTS), "discussions": equipe.get("/api/v1/discussions/")}
    for nom, reponse in listes.items():
        nommes = [i["id"] for i in reponse.json()["data"]["items"] if i["acteurId"] == str(etudiante.pk)]
        assert nommes == [un["id"] for un in annonce[nom]]


def test_l_apercu_ne_nomme_que_les_derniers_et_les_compte_tous(api, etudiante, invite, monkeypatch):
    monkeypatch.setattr("guests.fusion.execution.NOMMES_MAX", 2)
    client, requetes = api(etudiante), []
    for nombre in (1, 8):
        for rang in range(nombre):
            signaler(api, invite, description=f"{nombre} {rang}")
            discussions.discussion(acteur_de(invite), f"{nombre} {rang}")
        with CaptureQueriesContext(connection) as prises:
            recu = client.get(url(invite)).json()["data"]["porterontVotreNom"]
        requetes.append(len(prises))

    assert [len(recu["signalements"]), len(recu["discussions"])] == [2, 2]
    assert (recu["totalSignalements"], recu["totalDiscussions"]) == (9, 9)
    assert requetes[0] == requetes[1]


def test_l_identifiant_d_un_autre_colle_dans_un_titre_reste_masque(api, etudiante, invite, autre_invite):
    discussions.discussion(acteur_de(invite), f"Pour {autre_invite.guest_id}")

    (nommee,) = apercevoir(etudiante, invite)["porterontVotreNom"]["discussions"]

    assert nommee["titre"] == "Pour [identifiant masqué]"


@pytest.mark.parametrize(("persona", "etat"), [(None, "ACTIVE"), ("etudiante", "DISABLED")])
def test_rien_n_est_nomme_a_qui_ne_peut_pas_rattacher(api, personne, etudiante, invite, persona, etat):
    signaler(api, invite)
    if etat == "DISABLED":
        desactiver(session=invite)

    recu = api(personne(persona or "anonyme")).get(url(invite, f"?userId={etudiante.pk}")).json()["data"]

    assert "porterontVotreNom" not in recu
