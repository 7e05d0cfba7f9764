"""The operator's view of merges: what was, whether it holds, and the way back."""

import json
from datetime import timedelta
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.tests.outils import acteur_de
from discussions import services as conversations
from discussions.models import Discussion, Lecture, Message
from discussions.tests import fabriques as discussions
from guests.fusion.verification import verifier
from guests.models import AuditFusion, SessionInvitee
from guests.tests.fabriques import fusionner, session_invitee
from guests.tests.outils import tout_ce_qui_est_stocke
from signalements import services as services_signalements
from signalements.compteurs.recompte import ecarts
from signalements.compteurs.suivi import suivre_lignes
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques as signalements
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.identite import pseudonyme

pytestmark = pytest.mark.django_db
FAITS = {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL", "mode_identification": "IDENTIFIE"}


def commander(*arguments):
    sortie = StringIO()
    call_command("merge_audit", *map(str, arguments), stdout=sortie)
    return sortie.getvalue()


def lire(*arguments):
    return json.loads(commander(*arguments, "--json"))


def refuser(*arguments):
    """`(exit code, words)` of a command that fails."""
    with pytest.raises(CommandError) as refus:
        commander(*arguments)
    return refus.value.returncode, str(refus.value)


@pytest.fixture
def conversation(invite, etudiante, gestionnaire):
    """The same case on both sides, each with its discussion; both were answered."""
    deux = []
    for qui in (invite, etudiante):
        dossier = signalements.signalement(acteur_de(qui), **FAITS)
        discussion = discussions.discussion(acteur_de(qui), "Suivi", dossier)
        discussions.message(acteur_de(qui), discussion, "Bonjour.")
        discussions.message(acteur_de(gestionnaire), discussion, f"Reçu, {dossier.reference}.")
        deux.append((dossier, discussion))
    return deux


@pytest.fixture
def audit(conversation, invite, etudiante):
    """The case of the guest has become the account's, as one."""
    fusionner(invite, etudiante, cle="cle-de-la-fusion")
    return AuditFusion.objects.get()


# --- list, show -----------------------------------------------------------------------------------------------------


def test_list_montre_chaque_fusion_sans_rien_qui_ouvre_un_dossier(audit, invite, etudiante):
    texte = commander("list")

    assert str(audit.pk) in texte
    assert str(etudiante.pk) in texte
    assert "1 fusion(s)" in texte
    for secret in (str(invite.guest_id), invite.guest_id.hex, etudiante.email):
        assert secret not in texte + json.dumps(lire("list"))


def test_list_en_json_a_les_champs_du_contrat(audit, invite, etudiante):
    (fusion,) = lire("list")

    assert fusion.keys() == {
        "id", "guestId", "sessionId", "userId", "mergeRequestId", "summary", "createdAt", "revertedAt"
    }  # fmt: skip
    assert fusion["guestId"] == pseudonyme("invite", invite.pk)
    assert (fusion["userId"], fusion["mergeRequestId"]) == (str(etudiante.pk), "cle-de-la-fusion")
    assert fusion["summary"]["migratedCounts"] == {"signalements": 1, "discussions": 1, "messages": 1, "suivis": 1}
    assert fusion["revertedAt"] is None


@pytest.mark.parametrize("critere", ["invite", "session", "compte", "courriel", "jour", "instant"])
def test_list_se_restreint(audit, invite, autre_invite, etudiante, autre_etudiante, critere):
    fusionner(autre_invite, autre_etudiante)
    AuditFusion.objects.exclude(pk=audit.pk).update(date_creation=timezone.now() - timedelta(days=40))
    options = {
        "invite": ("--guest", invite.guest_id),
        "session": ("--guest", invite.pk),
        "compte": ("--user", etudiante.pk),
        "courriel": ("--user", etudiante.email.upper()),
        "jour": ("--since", (timezone.now() - timedelta(days=2)).date()),
        "instant": ("--since", (timezone.now() - timedelta(hours=1)).isoformat()),
    }

    trouvees = lire("list", *options[critere])

    assert [fusion["id"] for fusion in trouvees] == [str(audit.pk)]
    assert len(lire("list")) == 2


@pytest.mark.parametrize(
    ("demande", "code"),
    [
        # On a command line argparse itself exits 2; called from code it raises.
        (("list", "--guest", "x"), 1),
        (("list", "--since", "2026-02-31"), 1),
        (("show", "x"), 1),
        (("list", "--user", "awa"), 2),
        (("show", uuid4()), 2),
        (("revert", uuid4()), 2),
    ],
    ids=["guest", "since", "show", "user", "show-inconnue", "revert-inconnue"],
)
def test_une_demande_mal_faite_est_expliquee(demande, code):
    with pytest.raises(CommandError) as refus:
        commander(*demande)

    assert str(refus.value)
    assert refus.value.returncode == code


def test_show_dit_ce_qui_est_advenu(audit, conversation):
    (dossier, discussion), (cas, _sienne) = conversation

    texte = commander("show", audit.pk)

    for attendu in (
        "cle-de-la-fusion",
        "MERGE_FIELDS",
        "FINGERPRINT",
        str(dossier.pk),
        str(cas.pk),
        str(discussion.pk),
    ):
        assert attendu in texte
    assert lire("show", audit.pk)["summary"] == audit.resume


# --- verify ---------------------------------------------------------------------------------------------------------


def test_verify_ne_trouve_rien_quand_tout_est_juste(audit):
    assert "1 fusion(s), toutes justes." in commander("verify")
    assert lire("verify") == {"ok": True, "problems": []}


def sans_trace(audit):
    AuditFusion.objects.all().delete()


def mal_possede(audit):
    EntreeTimeline.objects.filter(fusionne_de=audit.session).update(compte=None, invite=audit.session, fusionne_de=None)


def donne_a_un_autre(audit):
    autre = Message.objects.exclude(compte=audit.compte).first().compte
    Message.objects.filter(fusionne_de=audit.session).update(compte=autre)


def titulaire_reste(audit):
    Discussion.objects.filter(titulaire=audit.compte.pk).update(titulaire=audit.session.pk)


def titulaire_d_un_autre(audit):
    Discussion.objects.vivants().update(titulaire=uuid4())


def numero_manquant(audit):
    Message.objects.filter(discussion__absorbe_par=None, numero_sequence=2).update(numero_sequence=20)


def compteur_faux(audit):
    Discussion.objects.vivants().update(dernier_numero=99)


def historique_reste(audit):
    absorbe = Signalement.objects.get(absorbe_par__isnull=False)
    EntreeTimeline.objects.filter(type="FUSION").update(signalement=absorbe)


def doublon_tu(audit):
    audit.resume["deduplicatedMessages"] = []
    audit.enregistrer("resume")


def absorbe_ressorti(audit):
    absorbes = Signalement.objects.filter(absorbe_par__isnull=False)
    with suivre_lignes(absorbes.values_list("pk", flat=True)):
        absorbes.update(absorbe_par=None)


DEGATS = [
    sans_trace,
    mal_possede,
    donne_a_un_autre,
    titulaire_reste,
    titulaire_d_un_autre,
    numero_manquant,
    compteur_faux,
    historique_reste,
    doublon_tu,
    absorbe_ressorti,
]


@pytest.mark.parametrize("degat", DEGATS, ids=lambda degat: degat.__name__)
def test_verify_nomme_ce_qui_ne_va_pas(audit, degat):
    degat(audit)

    code, texte = refuser("verify")

    assert code == 1
    assert "anomalie(s)" in texte


# --- revert ---------------------------------------------------------------------------------------------------------


def photographie():
    """What a client can tell apart, of every row."""
    return {
        modele: sorted(map(str, modele._base_manager.values_list(*champs)))
        for modele, champs in {
            Signalement: ("pk", "compte", "invite", "absorbe_par", "titre", "description", "statut", "priorite"),
            EntreeTimeline: ("pk", "signalement", "compte", "invite", "type"),
            Discussion: (
                "pk",
                "compte",
                "invite",
                "titulaire",
                "signalement",
                "absorbe_par",
                "titre",
                "dernier_numero",
            ),
            Message: ("pk", "discussion", "numero_sequence", "compte", "invite", "contenu", "est_lu"),
            Lecture: ("discussion", "compte", "invite", "numero"),
        }.items()
    }


def test_revert_rend_tout_a_l_invite(api, conversation, invite, etudiante):
    conversations.marquer_lus(acteur=acteur_de(invite), discussion=conversation[0][1])
    avant = photographie()
    fusionner(invite, etudiante, cle="cle-de-la-fusion")
    audit = AuditFusion.objects.get()

    texte = commander("revert", audit.pk)

    assert "annulée" in texte
    assert photographie() == avant
    assert list(verifier()) == []
    assert api(invite).get("/api/v1/guest/suivi").json()["data"]["total"] == 1
    assert api(etudiante).get("/api/v1/signalements/me").json()["data"]["total"] == 1
    assert lire("show", audit.pk)["revertedAt"] is not None


def test_revert_d_une_trace_qui_ne_connait_pas_la_date_de_resolution(api, conversation, invite, etudiante):
    """Of a merge made by a version that did not keep it."""
    signalements.mettre(conversation[0][0], statut="TRAITE")
    fusionner(invite, etudiante)
    audit = AuditFusion.objects.get()
    for etats in audit.retour["signalements"]["cibles"].values():
        assert etats["apres"].pop("date_resolution")
        assert etats["avant"].pop("date_resolution") is None
    audit.enregistrer("retour")

    commander("revert", audit.pk)

    assert api(etudiante).get("/api/v1/signalements/me").json()["data"]["items"][0]["statut"] == "NOUVEAU"
    assert list(verifier()) == []
    assert ecarts() == {}


def test_revert_d_une_trace_sans_version_est_celle_d_avant_les_fichiers(api, audit, etudiante):
    del audit.retour["version"], audit.retour["fichiers"]
    audit.enregistrer("retour")

    commander("revert", audit.pk)

    assert list(verifier()) == []


def test_revert_d_une_trace_plus_recente_que_le_service_ne_change_rien(audit):
    audit.retour["version"] += 1
    audit.enregistrer("retour")
    avant = photographie()

    with pytest.raises(CommandError, match="plus récente"):
        commander("revert", audit.pk)

    assert photographie() == avant


def test_une_fusion_annulee_en_permet_une_autre_sous_une_autre_cle(api, audit, invite, etudiante):
    commander("revert", audit.pk)
    url = f"/api/v1/guest/sessions/{invite.guest_id}/merge"

    meme = api(etudiante).post(url, {"acceptPolicy": "MERGE_ALL"}, headers={"Idempotency-Key": "cle-de-la-fusion"})
    autre = api(etudiante).post(url, {"acceptPolicy": "MERGE_ALL"}, headers={"Idempotency-Key": "une-autre"})

    assert (meme.status_code, meme.json()["code"]) == (409, "CONFLICT")
    assert autre.status_code == 200
    assert list(verifier()) == []


def test_ce_que_l_equipe_fait_depuis_sur_un_dossier_deplace_repart_avec_lui(api, invite, etudiante, gestionnaire):
    dossier = signalements.signalement(acteur_de(invite))
    discussion = discussions.discussion(acteur_de(invite), "Suivi", dossier)
    fusionner(invite, etudiante)
    services_signalements.changer_statut(signalement=dossier, statut="EN_COURS", acteur=acteur_de(gestionnaire))
    discussions.message(acteur_de(gestionnaire), discussion, "Vu.")

    commander("revert", AuditFusion.objects.get().pk)

    suivi = api(invite).get(f"/api/v1/guest/suivi/{dossier.reference}").json()["data"]
    assert suivi["statut"] == "EN_COURS"
    assert suivi["messagesNonLusCount"] == 1
    assert list(verifier()) == []


def le_compte_ecrit(conversation, etudiante, gestionnaire):
    discussions.message(acteur_de(etudiante), conversation[0][1], "Encore moi.")


def l_equipe_ecrit(conversation, etudiante, gestionnaire):
    discussions.message(acteur_de(gestionnaire), conversation[1][1], "Vu.")


def le_statut_change(conversation, etudiante, gestionnaire):
    services_signalements.changer_statut(
        signalement=conversation[1][0], statut="CLOTURE", acteur=ActeurCompte(compte=gestionnaire)
    )


def une_autre_session_s_y_joint(conversation, etudiante, gestionnaire):
    autre = session_invitee()
    signalements.signalement(acteur_de(autre), **FAITS)
    fusionner(autre, etudiante)


CHANGEMENTS = [le_compte_ecrit, l_equipe_ecrit, le_statut_change, une_autre_session_s_y_joint]


@pytest.mark.parametrize("changement", CHANGEMENTS, ids=lambda changement: changement.__name__)
def test_revert_refuse_ce_qui_ne_peut_etre_remis_et_dit_pourquoi(
    audit, conversation, etudiante, gestionnaire, changement
):
    changement(conversation, etudiante, gestionnaire)
    avant = photographie()

    code, texte = refuser("revert", audit.pk)

    assert code == 1
    assert "Rien n'a été changé" in texte
    assert len(texte.splitlines()) > 1
    assert photographie() == avant
    assert SessionInvitee.objects.get(pk=audit.session_id).statut == "MERGED"


def ecrire_dans_une_discussion_rendue(dossier, discussion, etudiante):
    discussions.message(acteur_de(etudiante), discussion, "Encore moi.")


def ouvrir_sur_un_dossier_rendu(dossier, discussion, etudiante):
    discussions.discussion(acteur_de(etudiante), "Une suite", dossier)


@pytest.mark.parametrize("acte", [ecrire_dans_une_discussion_rendue, ouvrir_sur_un_dossier_rendu])
def test_revert_refuse_quand_le_compte_a_continue_sur_ce_qui_serait_rendu(invite, etudiante, acte):
    dossier = signalements.signalement(acteur_de(invite))
    discussion = discussions.discussion(acteur_de(invite), "Suivi", dossier)
    fusionner(invite, etudiante)
    acte(dossier, discussion, etudiante)

    code, texte = refuser("revert", AuditFusion.objects.get().pk)

    assert (code, "Le compte a" in texte) == (1, True)


def test_revert_refuse_quand_une_autre_session_a_rejoint_ce_que_l_equipe_avait_ouvert(
    invite, autre_invite, gestionnaire
):
    """B's words are in a discussion that the manager had opened on A's report before both became the manager's own."""
    dossier = signalements.signalement(acteur_de(invite), mode_identification="IDENTIFIE")
    discussions.discussion(acteur_de(gestionnaire), "Suivi", dossier)
    fusionner(invite, gestionnaire)
    de_b = discussions.discussion(acteur_de(autre_invite), "Suivi")
    discussions.message(acteur_de(autre_invite), de_b, "De B")
    fusionner(autre_invite, gestionnaire)
    de_b.refresh_from_db()
    assert de_b.absorbe_par.signalement == dossier

    code, texte = refuser("revert", AuditFusion.objects.get(session=invite).pk)

    assert (code, "annulez d'abord cette fusion-là" in texte) == (1, True)
    assert Message.objects.get(contenu="De B").discussion.titulaire == gestionnaire.pk


@pytest.mark.parametrize("joint", ["signalement", "discussion", "signalement seul"])
def test_revert_refuse_quand_une_autre_session_a_rejoint_ce_qui_serait_rendu(
    api, invite, autre_invite, etudiante, joint
):
    """What A brought without meeting anything, B's then joined: giving it back would give A what B wrote."""
    for qui, texte in ((invite, "De A"), (autre_invite, "De B")):
        dossier = None if joint == "discussion" else signalements.signalement(acteur_de(qui), **FAITS)
        titre = "Suivi" if joint != "signalement seul" else texte
        discussions.message(acteur_de(qui), discussions.discussion(acteur_de(qui), titre, dossier), texte)
        fusionner(qui, etudiante)
    premiere, seconde = AuditFusion.objects.order_by("date_creation")

    assert refuser("revert", premiere.pk)[0] == 1
    assert list(verifier()) == []
    for audit in (seconde, premiere):
        commander("revert", audit.pk)
    assert list(verifier()) == []
    for qui, texte in ((invite, "De A"), (autre_invite, "De B")):
        (discussion,) = api(qui).get("/api/v1/discussions/guest/me").json()["data"]["items"]
        messages = api(qui).get(f"/api/v1/discussions/{discussion['id']}/messages").json()["data"]["items"]
        assert [m["contenu"] for m in messages] == [texte]


def test_revert_garde_lu_ce_que_quelqu_un_a_lu_depuis(invite, etudiante, gestionnaire):
    deux = [discussions.discussion(acteur_de(qui), "Suivi") for qui in (invite, etudiante)]
    apporte, reste = (
        discussions.message(acteur_de(qui), ou, "Bonjour") for qui, ou in zip((invite, etudiante), deux, strict=True)
    )
    conversations.marquer_lus(acteur=acteur_de(gestionnaire), discussion=deux[0])
    fusionner(invite, etudiante)
    conversations.marquer_lus(acteur=acteur_de(gestionnaire), discussion=deux[1])

    commander("revert", AuditFusion.objects.get().pk)

    assert Message.objects.get(pk=apporte.pk).est_lu
    assert Message.objects.get(pk=reste.pk).est_lu


def test_une_cle_qui_contient_l_identifiant_invite_ne_le_garde_pas(invite, etudiante):
    cle = f"rattachement-{invite.guest_id}"
    premier = fusionner(invite, etudiante, cle=cle)

    assert fusionner(invite, etudiante, cle=cle).rejoue
    assert str(invite.guest_id) not in tout_ce_qui_est_stocke()
    assert lire("list")[0]["mergeRequestId"] == "rattachement-[identifiant masqué]"
    assert premier.merged


def test_revert_refuse_passe_le_delai_et_deux_fois(audit, settings):
    settings.MERGE_REVERT_DAYS = 7
    AuditFusion.objects.update(date_creation=timezone.now() - timedelta(days=8))
    assert "MERGE_REVERT_DAYS" in refuser("revert", audit.pk)[1]
    AuditFusion.objects.update(date_creation=timezone.now() - timedelta(days=6))

    commander("revert", audit.pk)

    assert "déjà annulée" in refuser("revert", audit.pk)[1]


def test_deux_fusions_s_annulent_dans_l_ordre_inverse(audit, conversation, autre_invite, etudiante):
    signalements.signalement(acteur_de(autre_invite), **FAITS)
    autre_discussion = discussions.discussion(acteur_de(autre_invite), "Suivi")
    discussions.message(acteur_de(autre_invite), autre_discussion, "Bonjour.")
    avant = photographie()
    fusionner(autre_invite, etudiante)

    commander("revert", AuditFusion.objects.exclude(pk=audit.pk).get().pk)

    assert photographie() == avant
    commander("revert", audit.pk)
    assert list(verifier()) == []
