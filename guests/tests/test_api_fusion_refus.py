"""What refuses a merge, in which order, and that a refusal changes nothing."""

import json
import re

import pytest

from accounts.services.comptes import desactiver as desactiver_compte
from config.tests.outils import acteur_de, champs_refuses
from discussions.models import Discussion, Message
from discussions.tests import fabriques as discussions
from guests.models import SessionInvitee
from guests.tests import fabriques
from guests.tests.fabriques import desactiver
from guests.tests.outils import SESSIONS, apercevoir, conflit, demander_fusion, fusionner, lignes, resolution
from resources.models import Fichier
from resources.tests import fabriques as fichiers
from signalements.models import Signalement
from signalements.tests import fabriques as signalements
from socle.api.viewsets import ApiViewSet
from socle.erreurs import JetonInvalide

pytestmark = pytest.mark.django_db
INCONNU = "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"


# --- In what order it is refused ------------------------------------------------------------------------------------


def test_les_refus_se_suivent_dans_l_ordre_du_contrat(
    api, etudiante, autre_etudiante, invite, autre_invite, en_conflit
):
    """Each call has all the faults of those after it."""
    elle, (apporte, _dossier) = api(etudiante), en_conflit[0]
    demander_fusion(api(autre_etudiante), autre_invite, cle="prise")
    inconnue = SessionInvitee()
    inconnue.guest_id = INCONNU
    etrangere = resolution("SKIP", apporte, autre_etudiante) | {"level": "SIGNALEMENT"}
    faux = {"planDigest": "0" * 32, "resolutions": [etrangere], "acceptPolicy": "TOUT"}

    recus = [
        demander_fusion(api(None), inconnue, b"{", cle=None),
        demander_fusion(elle, inconnue, b"{", cle=None),
        demander_fusion(elle, autre_invite, b"{", cle=None),
        demander_fusion(elle, autre_invite, b"{", cle="prise"),
        demander_fusion(elle, autre_invite, b"{", cle="libre"),
        demander_fusion(elle, invite, b"{", cle="prise"),
        demander_fusion(elle, invite, b"{"),
        demander_fusion(elle, invite, b"a=1", content_type="application/x-www-form-urlencoded"),
        demander_fusion(elle, invite, faux),
        demander_fusion(elle, invite, {**faux, "acceptPolicy": "MERGE_SAFE"}),
        demander_fusion(elle, invite, {"resolutions": [etrangere]}),
        demander_fusion(elle, invite, {}),
    ]

    assert [(r.status_code, r.json()["code"]) for r in recus] == [
        (401, "AUTH_REQUIRED"),
        (404, "GUEST_SESSION_NOT_FOUND"),
        (400, "IDEMPOTENCY_KEY_REQUIRED"),
        (422, "IDEMPOTENCY_KEY_REUSED"),
        (409, "GUEST_SESSION_MERGED"),
        (422, "IDEMPOTENCY_KEY_REUSED"),
        (400, "MALFORMED_REQUEST"),
        (415, "UNSUPPORTED_MEDIA_TYPE"),
        (422, "VALIDATION_ERROR"),
        (409, "GUEST_MERGE_CONFLICT"),
        (422, "VALIDATION_ERROR"),
        (409, "GUEST_MERGE_CONFLICT"),
    ]
    assert [r.json()["message"].partition(":")[0] for r in (recus[1], recus[2], recus[4], recus[9], recus[11])] == [
        "GUEST_SESSION_NOT_FOUND",
        "IDEMPOTENCY_KEY_REQUIRED",
        "GUEST_SESSION_MERGED",
        "GUEST_MERGE_CONFLICT",
        "GUEST_MERGE_CONFLICT",
    ]


def test_une_session_desactivee_est_refusee_avant_qu_on_lise_le_corps(api, etudiante, invite):
    desactiver(invite)

    reponse = demander_fusion(api(etudiante), invite, b"{")

    assert (reponse.status_code, reponse.json()["code"]) == (403, "GUEST_SESSION_INVALID")


@pytest.mark.parametrize("autre", [INCONNU, "pas-un-uuid", "%00", "{pk}"])
def test_un_identifiant_inconnu_ou_mal_forme_est_introuvable(api, etudiante, invite, autre):
    url = f"{SESSIONS}/{autre.format(pk=invite.pk)}/merge"

    reponse = api(etudiante).post(url, headers={"Idempotency-Key": "fusion-1"})

    assert (reponse.status_code, reponse.json()["code"]) == (404, "GUEST_SESSION_NOT_FOUND")


@pytest.mark.parametrize("cle", [None, "", "   ", "a" * 256, "a\tb", "a\x7fb", "a\xa0b"])
def test_une_cle_absente_trop_longue_ou_invisible_est_refusee(api, etudiante, invite, cle):
    reponse = demander_fusion(api(etudiante), invite, cle=cle)

    assert (reponse.status_code, reponse.json()["code"]) == (400, "IDEMPOTENCY_KEY_REQUIRED")
    assert SessionInvitee.objects.get().statut == "ACTIVE"


@pytest.mark.parametrize("cle", ["1", "a" * 255, "une clé, avec des blancs !"])
def test_une_cle_de_un_a_255_caracteres_imprimables_est_prise(api, etudiante, invite, cle):
    assert demander_fusion(api(etudiante), invite, cle=cle).status_code == 200


def test_l_identifiant_invite_ne_remplace_pas_le_compte(api, invite, autre_invite):
    reponses = [demander_fusion(api(qui), invite) for qui in (None, invite, autre_invite)]

    assert [(r.status_code, r.json()["code"]) for r in reponses] == [(401, "AUTH_REQUIRED")] * 3


@pytest.mark.parametrize(("ouvert", "etape"), [(False, "merge"), (True, "read"), (True, "create")])
def test_la_fusion_attend_son_etape(api, etudiante, invite, settings, ouvert, etape):
    settings.GUEST_MODE_ENABLED, settings.GUEST_MODE_STAGE = ouvert, etape

    reponse = demander_fusion(api(etudiante), invite, cle=None)

    assert (reponse.status_code, reponse.json()["code"]) == (403, "GUEST_MODE_DISABLED")


def test_un_compte_desactive_ne_recoit_rien(api, etudiante, admin, invite, signalement_invite):
    elle = api(etudiante)
    desactiver_compte(compte=etudiante, acteur=acteur_de(admin))

    reponse = demander_fusion(elle, invite)

    assert (reponse.status_code, reponse.json()["code"]) == (401, "TOKEN_INVALID")
    with pytest.raises(JetonInvalide):
        fabriques.fusionner(invite, etudiante)
    signalement_invite.refresh_from_db()
    assert signalement_invite.invite_id == invite.pk


@pytest.mark.parametrize(
    ("corps", "champ"),
    [
        ({"acceptPolicy": "merge_all"}, "acceptPolicy"),
        ({"acceptPolicy": ""}, "acceptPolicy"),
        ({"planDigest": "0" * 65}, "planDigest"),
        ({"planDigest": ""}, "planDigest"),
        ({"planDigest": 12}, "planDigest"),
        ({"resolutions": {}}, "resolutions"),
        ({"resolutions": [{}]}, None),
        ({"resolutions": ["SKIP"]}, "resolutions.0"),
        ({"resolutions": [None]}, "resolutions.0"),
        ({"resolutions": [{"action": "MERGE"}]}, "resolutions.0.action"),
        ({"resolutions": [{"level": "MESSAGE"}]}, "resolutions.0.level"),
        ({"resolutions": [{"guestEntityId": "x"}]}, "resolutions.0.guestEntityId"),
        ({"resolutions": [{"targetEntityId": None}]}, "resolutions.0.targetEntityId"),
        ({"resolutions": [{}] * 1_001}, "resolutions"),
    ],
)
def test_un_corps_mal_forme_est_nomme(api, etudiante, invite, corps, champ):
    bonne = {"level": "DISCUSSION", "guestEntityId": INCONNU, "targetEntityId": INCONNU, "action": "SKIP"}
    if isinstance(corps.get("resolutions"), list) and champ is not None:
        corps = {"resolutions": [{**bonne, **r} if isinstance(r, dict) else r for r in corps["resolutions"]]}

    champs = champs_refuses(demander_fusion(api(etudiante), invite, corps))

    assert champs == ({champ} if champ else {f"resolutions.0.{nom}" for nom in bonne})
    assert SessionInvitee.objects.get().statut == "ACTIVE"


def test_des_conflits_qui_ont_change_depuis_l_apercu_arretent_la_fusion(api, etudiante, invite, en_conflit):
    annonce = apercevoir(etudiante, invite)
    discussions.discussion(acteur_de(etudiante), "Encore", en_conflit[0][1])
    corps = {"acceptPolicy": "MERGE_ALL", "planDigest": annonce["planDigest"]}

    arretee = demander_fusion(api(etudiante), invite, corps)
    reprise = demander_fusion(
        api(etudiante), invite, {**corps, "planDigest": apercevoir(etudiante, invite)["planDigest"]}
    )

    assert (arretee.status_code, arretee.json()["code"]) == (409, "GUEST_MERGE_CONFLICT")
    assert len(arretee.json()["details"]) == len(annonce["conflicts"]) + 1
    assert reprise.status_code == 200


# --- Conflicts without an answer ------------------------------------------------------------------------------------


def test_merge_safe_refuse_tout_et_ne_change_rien(api, etudiante, invite, en_conflit, echanges):
    elle = api(etudiante)
    avant = lignes()

    reponse = demander_fusion(elle, invite, {"acceptPolicy": "MERGE_SAFE"})

    (apporte, dossier), (de_l_invite, du_compte) = en_conflit
    assert (reponse.status_code, reponse.json()["code"]) == (409, "GUEST_MERGE_CONFLICT")
    assert reponse.json()["details"] == [
        conflit("REFERENCE", apporte, dossier),
        conflit("SAME_REPORT", de_l_invite, du_compte),
    ]
    assert lignes() == avant


def test_merge_safe_nomme_ce_qui_n_a_pas_sa_resolution(api, etudiante, invite, en_conflit):
    dossiers, echanges = en_conflit

    reponse = demander_fusion(api(etudiante), invite, {"resolutions": [resolution("KEEP_TARGET", *dossiers)]})

    assert (reponse.status_code, reponse.json()["details"]) == (409, [conflit("SAME_REPORT", *echanges)])


@pytest.mark.parametrize("champ", ["guestEntityId", "targetEntityId", "level"])
def test_une_resolution_qui_ne_nomme_aucun_conflit_est_refusee(
    api, etudiante, autre_etudiante, invite, autre_invite, en_conflit, champ
):
    dossiers, echanges = en_conflit
    d_autrui = {
        "guestEntityId": signalements.signalement(acteur_de(autre_invite), reference=dossiers[1].reference).pk,
        "targetEntityId": signalements.signalement(acteur_de(autre_etudiante), reference=dossiers[1].reference).pk,
        "level": "DISCUSSION",
    }
    fausse = {**resolution("MERGE_FIELDS", *dossiers), champ: str(d_autrui[champ])}
    bonne = resolution("SKIP", *echanges)
    elle = api(etudiante)
    avant = lignes()

    reponse = demander_fusion(elle, invite, {"acceptPolicy": "MERGE_ALL", "resolutions": [bonne, fausse]})

    assert champs_refuses(reponse) == {"resolutions.1.guestEntityId"}
    assert lignes() == avant


def test_une_seule_resolution_par_element_de_l_invite(api, etudiante, invite, en_conflit):
    dossiers, _echanges = en_conflit
    autre = signalements.signalement(acteur_de(etudiante))
    Signalement.objects.filter(pk=autre.pk).update(empreinte_faits=dossiers[0].empreinte_faits)
    deux = [resolution("SKIP", *dossiers), resolution("SKIP", dossiers[0], autre)]

    for resolutions in (deux, [deux[0], deux[0]]):
        reponse = demander_fusion(api(etudiante), invite, {"acceptPolicy": "MERGE_ALL", "resolutions": resolutions})

        assert champs_refuses(reponse) == {"resolutions.1.guestEntityId"}


def test_une_resolution_regle_toutes_les_paires_de_son_element(api, etudiante, invite):
    dossier, semblable = (signalements.signalement(acteur_de(etudiante)) for _rang in range(2))
    apporte = signalements.signalement(acteur_de(invite), reference=dossier.reference, mode_identification="IDENTIFIE")

    assert len(apercevoir(etudiante, invite)["conflicts"]) == 2
    fusionner(etudiante, invite, resolution("KEEP_TARGET", apporte, semblable))

    apporte.refresh_from_db()
    assert apporte.absorbe_par_id == semblable.pk


# --- What the guest does at that very moment ------------------------------------------------------------------------


@pytest.fixture
def fusion_au_milieu(monkeypatch, etudiante, invite):
    """The next call finds its session ACTIVE, and everything moved to the account when it comes to act."""
    autorisee = ApiViewSet.check_permissions

    def puis_fusionner(vue, request):
        autorisee(vue, request)
        if request.auth is not None and request.auth.est_invite:
            fabriques.fusionner(SessionInvitee.objects.get(pk=invite.pk), etudiante)

    monkeypatch.setattr(ApiViewSet, "check_permissions", puis_fusionner)


ACTES = {
    "message": ("post", "discussions/{discussion}/messages", {"contenu": "Trop tard."}),
    "lus": ("put", "discussions/{discussion}/messages/lus", None),
    "discussion": ("post", "discussions/", {"titre": "Trop tard", "signalementId": "{signalement}"}),
    "signalement": ("post", "signalements/", {"titre": "Vol", "description": "Un sac.", "type": "VOL"}),
    "piece": ("post", "discussions/{discussion}/messages", {"piecesJointes": ["{fichier}"]}),
    "dossier": ("get", "signalements/{signalement}", None),
    "messages": ("get", "discussions/{discussion}/messages", None),
    "fichier": ("get", "fichiers/{fichier}", None),
    "evenements": ("get", "evenements?canal=signalement:{signalement}", None),
}


@pytest.mark.parametrize("acte", ACTES)
def test_ce_que_l_invite_fait_pendant_sa_fusion_la_nomme(
    api, invite, signalement_invite, echanges, fusion_au_milieu, acte
):
    """Its rows have left before the door judges whose they are."""
    fichier = fichiers.fichier(acteur_de(invite))
    ids = {"discussion": echanges[0].pk, "signalement": signalement_invite.pk, "fichier": fichier.pk}
    methode, chemin, corps = json.loads(re.sub(r"{(\w+)}", lambda m: str(ids[m[1]]), json.dumps(ACTES[acte])))
    avant = Message.objects.count(), Signalement.objects.count(), Discussion.objects.count()

    reponse = api(invite).envoyer(methode, f"/api/v1/{chemin}", corps)

    assert (reponse.status_code, reponse.json()["code"]) == (409, "GUEST_SESSION_MERGED")
    assert (Message.objects.count(), Signalement.objects.count(), Discussion.objects.count()) == avant


def test_un_envoi_pendant_la_fusion_la_nomme(api, invite, fusion_au_milieu):
    reponse = api(invite).post("/api/v1/fichiers/upload", {"file": fichiers.envoi()})

    assert (reponse.status_code, reponse.json()["code"]) == (409, "GUEST_SESSION_MERGED")
    assert not Fichier.objects.exists()


def test_ce_qui_n_est_pas_a_l_invite_reste_un_403(api, autre_invite, signalement_invite):
    reponse = api(autre_invite).get(f"/api/v1/signalements/{signalement_invite.pk}")

    assert (reponse.status_code, reponse.json()["code"]) == (403, "GUEST_ACCESS_DENIED")
