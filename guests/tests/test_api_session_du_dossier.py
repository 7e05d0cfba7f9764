"""An administrator disables the guest behind a case, and sees no more of whose it is than before."""

from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry

from accounts.tests.fabriques import admin as nouvel_admin
from accounts.tests.outils import ensemble, entrer
from config.tests.outils import acteur_de, champs_refuses, client_de
from guests import services
from guests.models import SessionInvitee
from guests.tests.fabriques import fusionner
from guests.tests.outils import colonne, ecritures
from signalements.models import Signalement
from signalements.tests import fabriques
from socle.erreurs import ErreurMetier
from socle.realtime.models import Evenement

pytestmark = pytest.mark.django_db
MOTIF = "Menaces répétées contre une étudiante."


def decider(client, signalement, statut="DISABLED", motif=MOTIF):
    url = f"/api/v1/signalements/{getattr(signalement, 'pk', signalement)}/session-invitee"
    return client.put(url, {"statut": statut, "motif": motif})


def statut_de(session):
    return SessionInvitee.objects.get(pk=session.pk).statut


# --- Who, and what --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("persona", "statut"),
    [("anonyme", 401), ("invite", 401), ("etudiante", 403), ("gestionnaire", 403), ("admin", 200)],
)
def test_qui_peut_desactiver_l_invite_d_un_dossier(client_de_personne, invite, signalement_invite, persona, statut):
    reponse = decider(client_de_personne(persona), signalement_invite)

    assert reponse.status_code == statut
    assert statut_de(invite) == ("DISABLED" if statut == 200 else "ACTIVE")


def test_l_invite_d_un_dossier_se_desactive_et_se_retablit(api, admin, invite, autre_invite, signalement_invite):
    reponses, acces = [], []
    for statut in ("DISABLED", "DISABLED", "ACTIVE"):
        reponses.append(decider(api(admin), signalement_invite, statut))
        acces.append(api(invite).get("/api/v1/guest/suivi").status_code)

    assert [reponse.json()["data"] for reponse in reponses] == [
        {"signalementId": str(signalement_invite.pk), "statut": statut} for statut in ("DISABLED", "DISABLED", "ACTIVE")
    ]
    assert acces == [403, 403, 200]
    assert statut_de(autre_invite) == "ACTIVE"


@pytest.mark.parametrize(
    ("corps", "champs"),
    [
        ({}, {"statut", "motif"}),
        ({"statut": "DISABLED"}, {"motif"}),
        ({"statut": "DISABLED", "motif": "  "}, {"motif"}),
        ({"statut": "DISABLED", "motif": None}, {"motif"}),
        ({"statut": "DISABLED", "motif": "x" * 20_001}, {"motif"}),
        ({"statut": "DISABLED", "motif": "a\x00b"}, {"motif"}),
        ({"statut": "MERGED", "motif": MOTIF}, {"statut"}),
        ({"statut": ["ACTIVE"], "motif": [MOTIF]}, {"statut", "motif"}),
    ],
)
def test_une_decision_mal_formee_est_refusee(api, admin, invite, signalement_invite, corps, champs):
    reponse = api(admin).put(f"/api/v1/signalements/{signalement_invite.pk}/session-invitee", corps)

    assert champs_refuses(reponse) == champs
    assert (statut_de(invite), LogEntry.objects.count()) == ("ACTIVE", 0)


def test_un_dossier_inconnu_est_un_404_et_celui_d_un_compte_un_409(api, admin, signalement):
    inconnu, du_compte = (decider(api(admin), lequel) for lequel in (uuid4(), signalement))

    assert (inconnu.status_code, inconnu.json()["code"]) == (404, "NOT_FOUND")
    assert (du_compte.status_code, du_compte.json()["code"]) == (409, "CONFLICT")
    assert not LogEntry.objects.exists()


def test_un_administrateur_ne_juge_pas_son_propre_dossier(api, admin, invite):
    sien = fabriques.signalement(acteur_de(admin), mode_identification="ANONYME")
    rattache = fabriques.signalement(acteur_de(invite), description="Autre chose.")
    fusionner(invite, admin)

    reponses = [decider(api(admin), dossier) for dossier in (sien, rattache)]

    assert [reponse.status_code for reponse in reponses] == [403, 403]
    assert not LogEntry.objects.exists()


# --- A merge is not seen from outside -------------------------------------------------------------------------------


def test_un_dossier_anonyme_rattache_repond_comme_s_il_ne_l_etait_pas(
    api, admin, etudiante, invite, signalement_invite, evenements
):
    traces = []
    for _rattache in (False, True):
        if _rattache:
            fusionner(SessionInvitee.objects.get(pk=invite.pk), etudiante)
        with evenements() as recus:
            reponses = [decider(api(admin), signalement_invite, statut) for statut in ("DISABLED", "ACTIVE")]
        dites = [(e["type"], e["payload"]) for e in recus if e["canal"] == "admin"]
        journal = list(LogEntry.objects.order_by("id").values_list("object_repr", "change_message"))[-2:]
        traces.append(([(r.status_code, r.json()["data"], r.json()["message"]) for r in reponses], dites, journal))

    assert traces[0] == traces[1]
    assert statut_de(invite) == "MERGED"


def test_un_dossier_identifie_rattache_n_a_plus_de_session(api, admin, etudiante, invite):
    dossier = fabriques.signalement(acteur_de(invite), mode_identification="IDENTIFIE")
    fusionner(invite, etudiante)

    assert decider(api(admin), dossier).json()["code"] == "CONFLICT"


# --- What is kept, what is said -------------------------------------------------------------------------------------


def test_la_decision_est_au_journal_avec_son_motif_et_sans_la_session(api, admin, invite, signalement_invite):
    decider(api(admin), signalement_invite, motif=f"{MOTIF} Il a publié {invite.guest_id}.")

    entree = LogEntry.objects.get()
    assert (entree.user, entree.object_id, entree.object_repr) == (
        admin,
        str(signalement_invite.pk),
        signalement_invite.reference,
    )
    client = entrer(admin.email)
    page = client.get(f"/admin/admin/logentry/{entree.pk}/change/").content.decode()
    assert "Désactivée" in page
    assert f"{MOTIF} Il a publié [identifiant masqué]." in page
    histoire = client.get(f"/admin/guests/sessioninvitee/{invite.pk}/history/")
    assert histoire.context["action_list"].paginator.count == 0
    secrets = [*ecritures(invite.guest_id), invite.pk.hex, invite.pk.hex[:8], str(invite.pk), "+243"]
    assert [secret for secret in secrets if secret in page or secret in entree.change_message] == []


def test_la_decision_est_annoncee_aux_administrateurs_et_ferme_les_sockets(
    api, admin, invite, signalement_invite, evenements
):
    with evenements() as recus:
        decider(api(admin), signalement_invite)
        decider(api(admin), signalement_invite, "ACTIVE")

    fermeture, *alertes = recus
    assert (fermeture["type"], fermeture["payload"]) == ("fermer_sockets", {"invites": [str(invite.pk)]})
    reference = signalement_invite.reference
    assert [(e["type"], e["canal"], e["payload"]) for e in alertes] == [
        ("system_alert", "admin", {"niveau": "SECURITE", "message": message})
        for message in (
            f"Rose Kabila a désactivé la session invitée du dossier {reference}. Le motif est au journal.",
            f"Rose Kabila a rétabli la session invitée du dossier {reference}. Le motif est au journal.",
        )
    ]


def test_rien_n_est_change_ni_dit_quand_le_journal_ne_peut_s_ecrire(
    admin, invite, signalement_invite, evenements, monkeypatch
):
    def refuser(*args, **options):
        raise RuntimeError

    monkeypatch.setattr(LogEntry.objects, "log_actions", refuser)

    with evenements() as recus, pytest.raises(RuntimeError):
        services.changer_statut_derriere(
            signalement=signalement_invite, statut="DISABLED", motif=MOTIF, acteur=acteur_de(admin)
        )

    assert (recus, statut_de(invite)) == ([], "ACTIVE")


# --- At once --------------------------------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", ["ANONYME", "IDENTIFIE"])
@pytest.mark.parametrize("tour", range(3))
def test_une_decision_et_une_fusion_a_la_fois_laissent_une_session_entiere(etudiante, invite, mode, tour):
    dossier = fabriques.signalement(acteur_de(invite), mode_identification=mode)
    clients = [client_de(nouvel_admin()) for _rang in range(4)]

    def rattacher():
        try:
            return fusionner(SessionInvitee.objects.get(pk=invite.pk), etudiante)
        except ErreurMetier as refus:
            return refus.code

    fusion, *reponses = ensemble([rattacher, *(lambda c=client: decider(c, dossier) for client in clients)])

    rattachee = fusion != "GUEST_SESSION_INVALID"
    assert colonne("statut", invite) == ("MERGED" if rattachee else "DISABLED")
    statuts = {reponse.status_code for reponse in reponses}
    assert statuts <= ({200} if mode == "ANONYME" or not rattachee else {409})
    assert LogEntry.objects.count() == Evenement.objects.filter(type="system_alert").count()
    assert (Signalement.objects.get().compte_id is not None) is rattachee
