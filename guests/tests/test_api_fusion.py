"""Merging a guest session into an account: what becomes the account's, and what a retry answers."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.tests.outils import acteur_de
from discussions.models import Discussion, Message
from discussions.tests import fabriques as discussions
from guests.fusion.retour import annuler
from guests.fusion.verification import verifier
from guests.models import AuditFusion, SessionInvitee
from guests.tests import fabriques
from guests.tests.outils import SESSIONS, apercevoir, demander_fusion, fusionner, lignes, resolution
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques as signalements
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
SIGNALEMENTS = "/api/v1/signalements/"
DISCUSSIONS = "/api/v1/discussions/"


# --- What moves -----------------------------------------------------------------------------------------------------


def lire(client, signalement, echanges):
    """What its owner is told of a case: the report, its history, the discussions and their messages."""
    chemins = [f"{SIGNALEMENTS}{signalement.pk}", f"{SIGNALEMENTS}{signalement.pk}/timeline"]
    chemins += [f"{DISCUSSIONS}{d.pk}" for d in echanges] + [f"{DISCUSSIONS}{d.pk}/messages" for d in echanges]
    recus = [client.get(chemin).json()["data"] for chemin in chemins]
    return [r.get("items", r) if isinstance(r, dict) else r for r in recus]


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire", "admin"])
def test_tout_ce_qui_est_a_l_invite_devient_au_compte(api, personne, invite, persona):
    compte, equipe = personne(persona), personne("admin" if persona == "gestionnaire" else "gestionnaire")
    dossier = signalements.signalement(acteur_de(invite))
    echanges = [discussions.discussion(acteur_de(invite), t, s) for t, s in (("Suites", dossier), ("Question", None))]
    for qui in (invite, equipe, invite):
        discussions.message(acteur_de(qui), echanges[0], f"de {qui.pk}")
    avant = lire(api(invite), dossier, echanges)

    recu = fusionner(compte, invite)

    session = SessionInvitee.objects.get()
    assert recu.pop("mergedAt").endswith("Z")
    assert recu == {
        "merged": True,
        "guestId": str(invite.guest_id),
        "userId": str(compte.pk),
        "migratedCounts": {"signalements": 1, "discussions": 2, "messages": 2, "suivis": 1},
    }
    assert (session.statut, session.fusionnee_dans_id) == ("MERGED", compte.pk)
    a_soi = {"sourceActeur": "AUTH_USER", "acteurId": str(compte.pk), "estFusionne": True}
    auteur = {"auteurId": str(compte.pk), "auteurNom": compte.nom_complet}
    signalement, historique, liee, libre, messages, aucun = avant
    assert lire(api(compte), dossier, echanges)[2:] == [
        {**liee, **a_soi},
        {**libre, **a_soi},
        [{**messages[0], **a_soi, **auteur}, messages[1], {**messages[2], **a_soi, **auteur}],
        aucun,
    ]
    apres, histoire = lire(api(compte), dossier, echanges)[:2]
    assert apres == {**signalement, **a_soi}
    assert histoire[:-1] == [{**historique[0], **auteur}]
    assert (histoire[-1]["type"], histoire[-1]["auteurId"]) == ("FUSION", str(compte.pk))
    assert api(compte).get(f"{SIGNALEMENTS}me").json()["data"]["total"] == 1


def test_le_resultat_est_ce_que_l_apercu_annoncait(etudiante, invite, echanges):
    annonce = apercevoir(etudiante, invite)

    recu = fusionner(etudiante, invite, planDigest=annonce["planDigest"])

    assert (
        annonce["counts"]
        == recu["migratedCounts"]
        == {
            "signalements": 1,
            "discussions": 2,
            "messages": 2,
            "suivis": 1,
        }
    )


def test_une_session_sans_rien_se_rattache_aussi(etudiante, invite):
    recu = fusionner(etudiante, invite)

    assert recu["migratedCounts"] == {"signalements": 0, "discussions": 0, "messages": 0, "suivis": 0}


@pytest.mark.parametrize("corps", [None, {}, {"acceptPolicy": None, "resolutions": None, "planDigest": None}])
def test_sans_corps_une_fusion_est_prudente(api, etudiante, autre_etudiante, invite, en_conflit, corps):
    refusee = demander_fusion(api(etudiante), invite, corps)
    acceptee = demander_fusion(api(autre_etudiante), invite, corps)

    assert (refusee.status_code, refusee.json()["code"]) == (409, "GUEST_MERGE_CONFLICT")
    assert acceptee.status_code == 200


def test_la_trace_dit_ce_qui_a_ete_decide_sans_rien_qui_ouvre_un_dossier(etudiante, invite, en_conflit):
    (apporte, dossier), (de_l_invite, du_compte) = en_conflit

    fusionner(etudiante, invite, resolution("KEEP_GUEST", apporte, dossier), resolution("SKIP", de_l_invite, du_compte))

    audit = AuditFusion.objects.get()
    decisions = [(d["level"], d["reason"], d["action"]) for d in audit.resume["decisions"]]
    assert decisions == [("SIGNALEMENT", "REFERENCE", "KEEP_GUEST"), ("DISCUSSION", "SAME_REPORT", "SKIP")]
    assert audit.resume["absorbedSignalements"] == [str(apporte.pk)]
    assert (audit.session_id, audit.compte_id) == (invite.pk, etudiante.pk)
    assert str(invite.guest_id) not in str([audit.resume, audit.retour])


# --- Retries --------------------------------------------------------------------------------------------------------


def test_rejouer_une_cle_rend_le_premier_resultat(api, etudiante, invite, echanges):
    premiere = demander_fusion(api(etudiante), invite)
    discussions.message(acteur_de(etudiante), echanges[0], "depuis")
    avant = lignes("accounts.Session")

    seconde = demander_fusion(api(etudiante), invite, {"acceptPolicy": "MERGE_ALL"})

    assert (premiere.status_code, seconde.status_code) == (200, 200)
    assert seconde.json()["data"] == premiere.json()["data"]
    assert "Idempotency-Replayed" not in premiere
    assert seconde["Idempotency-Replayed"] == "true"
    assert not premiere.json()["message"].startswith("GUEST_")
    assert seconde.json()["message"].startswith("GUEST_MERGE_IDEMPOTENT_REPLAY: ")
    assert lignes("accounts.Session") == avant


@pytest.mark.parametrize(
    ("corps", "type_"), [(b"{", "application/json"), (b"a=1", "text/plain"), (b'{"acceptPolicy": 3}', "")]
)
def test_une_cle_connue_rejoue_quel_que_soit_le_corps(api, etudiante, invite, corps, type_):
    premiere = demander_fusion(api(etudiante), invite)

    seconde = demander_fusion(api(etudiante), invite, corps, content_type=type_)

    assert (seconde.status_code, seconde.json()["data"]) == (200, premiere.json()["data"])


def test_une_cle_ne_sert_ni_a_un_autre_compte_ni_a_une_autre_session(
    api, etudiante, autre_etudiante, invite, autre_invite
):
    demander_fusion(api(etudiante), invite, cle="prise")
    autre_session = demander_fusion(api(etudiante), autre_invite, cle="prise")
    autre_compte = demander_fusion(api(autre_etudiante), invite, cle="prise")
    les_deux = demander_fusion(api(autre_etudiante), autre_invite, cle="prise")

    recus = [(r.status_code, r.json()["code"]) for r in (autre_session, autre_compte, les_deux)]
    assert recus == [(422, "IDEMPOTENCY_KEY_REUSED")] * 3
    assert SessionInvitee.objects.get(pk=autre_invite.pk).statut == "ACTIVE"
    assert demander_fusion(api(autre_etudiante), autre_invite, cle="libre").status_code == 200


def test_une_cle_refusee_peut_resservir(api, etudiante, invite, en_conflit):
    refusee = demander_fusion(api(etudiante), invite)
    acceptee = demander_fusion(api(etudiante), invite, {"acceptPolicy": "MERGE_ALL"})

    assert (refusee.status_code, acceptee.status_code) == (409, 200)
    assert "Idempotency-Replayed" not in acceptee


def test_la_cle_d_une_fusion_annulee_ne_sert_plus(api, etudiante, invite, signalement_invite):
    demander_fusion(api(etudiante), invite, cle="annulee")
    annuler(AuditFusion.objects.get())

    meme_cle = demander_fusion(api(etudiante), invite, cle="annulee")
    nouvelle = demander_fusion(api(etudiante), invite, cle="nouvelle")

    assert (meme_cle.status_code, meme_cle.json()["code"]) == (409, "CONFLICT")
    assert (nouvelle.status_code, "Idempotency-Replayed" in nouvelle) == (200, False)
    assert list(verifier()) == []


@pytest.mark.parametrize("persona", ["etudiante", "autre_etudiante"])
def test_une_session_ne_se_rattache_qu_une_fois(api, personne, etudiante, invite, signalement_invite, persona):
    fusionner(etudiante, invite)

    reponse = demander_fusion(api(personne(persona)), invite, cle="une-autre")

    assert (reponse.status_code, reponse.json()["code"]) == (409, "GUEST_SESSION_MERGED")
    signalement_invite.refresh_from_db()
    assert (signalement_invite.compte_id, AuditFusion.objects.count()) == (etudiante.pk, 1)


def test_les_fusions_d_un_compte_sont_limitees(api, etudiante, autre_etudiante, invite, autre_invite, settings):
    assert settings.THROTTLES["merge"] == Taux(30, 60)
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "merge": Taux(3, 86_400)}

    recus = [demander_fusion(api(etudiante), invite) for _rang in range(4)]

    assert [r.status_code for r in recus] == [200, 200, 200, 429]
    assert (recus[3].json()["code"], int(recus[3]["Retry-After"]) > 0) == ("RATE_LIMITED", True)
    assert demander_fusion(api(autre_etudiante), autre_invite, cle="autre").status_code == 200


def test_les_apercus_comptent_avec_les_fusions(api, etudiante, autre_etudiante, invite, settings):
    """By account with a bearer; without one by address, whatever account is named."""
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "merge": Taux(2, 86_400)}
    apercu = f"{SESSIONS}/{invite.guest_id}/merge-preview"

    avec = [api(qui).get(apercu).status_code for qui in (etudiante, etudiante, etudiante, autre_etudiante)]
    fusion = demander_fusion(api(etudiante), invite).status_code
    sans = [api(None).get(f"{apercu}?userId={uuid4()}").status_code for _rang in range(3)]

    assert (avec, fusion, sans) == ([200, 200, 429, 200], 429, [200, 200, 429])


# --- The people around it -------------------------------------------------------------------------------------------


def test_deux_sessions_se_rattachent_l_une_apres_l_autre_au_meme_compte(etudiante, invite, autre_invite):
    for session in (invite, autre_invite):
        signalements.signalement(acteur_de(session), description=f"De {session.pk}")
        fusionner(etudiante, session)

    assert Signalement.objects.filter(compte=etudiante, absorbe_par=None).count() == 2
    assert AuditFusion.objects.count() == 2


def test_une_cle_de_fusion_n_est_dans_aucune_autre_table(etudiante, invite, echanges):
    cle = str(uuid4())
    fabriques.fusionner(invite, etudiante, cle=cle)

    restes = [nom for nom, table in lignes("guests.AuditFusion").items() if cle in str(table)]

    assert (restes, list(verifier())) == ([], [])
    assert not any(m._base_manager.filter(invite__isnull=False) for m in (Signalement, EntreeTimeline))
    assert not any(m._base_manager.filter(invite__isnull=False) for m in (Discussion, Message))


@pytest.mark.parametrize("action", ["MERGE_FIELDS", "SKIP"])
def test_le_nombre_de_requetes_ne_suit_pas_le_nombre_de_messages(api, etudiante, invite, autre_invite, action):
    restante = discussions.discussion(acteur_de(etudiante), "Suites")
    requetes = []
    for session, nombre in ((invite, 2), (autre_invite, 40)):
        apportee = discussions.discussion(acteur_de(session), "Suites")
        for rang in range(nombre):
            discussions.message(acteur_de(session), apportee, f"{session.pk} {rang // 2}")
        corps, client = {"resolutions": [resolution(action, apportee, restante)]}, api(etudiante)
        with CaptureQueriesContext(connection) as prises:
            assert demander_fusion(client, session, corps, cle=str(uuid4())).status_code == 200
        requetes.append(len(prises))

    assert requetes[0] == requetes[1]
    assert list(verifier()) == []
