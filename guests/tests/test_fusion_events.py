"""What a merge announces, to whom, and in which order."""

import pytest
from asgiref.sync import sync_to_async
from django.db import connections, transaction

from config.asgi import application
from config.tests.outils import acteur_de, client_de
from discussions.tests import fabriques as discussions
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests import fabriques
from guests.tests.outils import demander_fusion, fusionner, resolution
from signalements.tests import fabriques as signalements
from socle.realtime.canaux import audiences, mener
from socle.realtime.processus import arreter
from socle.realtime.tests.fabriques import Prise

pytestmark = pytest.mark.django_db


@pytest.fixture
def cas(invite, etudiante):
    """`cas(mode)`: a report of the guest under a reference of the account's, and one that meets nothing."""

    def faire(mode="IDENTIFIE"):
        champs = {"mode_identification": mode}
        dossier = signalements.signalement(acteur_de(etudiante), description="Une façon.", **champs)
        apporte = signalements.signalement(
            acteur_de(invite), description="Une autre.", reference=dossier.reference, **champs
        )
        seul = signalements.signalement(acteur_de(invite), description="Autre chose.", **champs)
        for qui, objet in ((invite, apporte), (etudiante, dossier)):
            discussions.message(acteur_de(qui), discussions.discussion(acteur_de(qui), "Suites", objet))
        return apporte, dossier, seul

    return faire


def resumer(recus):
    return [(e["type"], e["canal"], e["audience"]) for e in recus]


def test_une_fusion_annonce_l_historique_et_les_statuts_puis_ferme_les_sockets(evenements, etudiante, invite, cas):
    apporte, dossier, seul = cas()
    signalements.mettre(apporte, statut="EN_COURS")

    with evenements() as recus:
        fusionner(etudiante, invite, resolution("KEEP_GUEST", apporte, dossier), acceptPolicy="MERGE_ALL")

    canal = f"signalement:{dossier.pk}"
    assert resumer(recus) == [
        ("rediriger", "_controle", "PUBLIC"),
        ("signalement_timeline_updated", f"signalement:{seul.pk}", "PUBLIC"),
        *[("signalement_statut_updated", ou, "PUBLIC") for ou in (canal, "signalements")],
        *[("signalement_timeline_updated", canal, "PUBLIC")] * 2,
        ("stats_updated", "dashboard", "PUBLIC"),
        ("rediriger", "_controle", "PUBLIC"),
        ("fermer_sockets", "_controle", "PUBLIC"),
    ]
    assert recus[0]["payload"] == {"canaux": {f"signalement:{apporte.pk}": canal}}
    dossiers = [e["payload"] for e in recus if e["type"] == "signalement_statut_updated"]
    assert [(d["id"], d["statut"], d["description"]) for d in dossiers] == [
        (str(dossier.pk), "EN_COURS", "Une autre.")
    ] * 2
    entrees = [e["payload"] for e in recus if e["type"] == "signalement_timeline_updated"]
    assert [(e["type"], e["nouveauStatut"]) for e in entrees] == [
        ("FUSION", None),
        ("FUSION", None),
        ("STATUT", "EN_COURS"),
    ]
    assert recus[-1]["payload"] == {"invites": [str(invite.pk)]}


@pytest.mark.parametrize(("avant", "alerte"), [("NOUVEAU", False), ("EN_ATTENTE", True)])
def test_un_dossier_joint_qui_entre_en_attente_alerte(evenements, etudiante, invite, cas, avant, alerte):
    apporte, dossier, _seul = cas()
    signalements.mettre(apporte, statut=avant)

    with evenements() as recus:
        fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    alertes = [e["payload"]["signalementId"] for e in recus if e["type"] == "alert_created"]
    assert alertes == [str(dossier.pk)] * alerte


def test_sans_dossier_une_fusion_ne_ferme_que_les_sockets(evenements, etudiante, invite):
    discussions.discussion(acteur_de(invite))

    with evenements() as recus:
        fusionner(etudiante, invite)

    assert resumer(recus) == [("fermer_sockets", "_controle", "PUBLIC")]


def test_deux_dossiers_gardes_a_part_ont_chacun_leur_histoire(evenements, etudiante, invite, cas):
    apporte, dossier, seul = cas()

    with evenements() as recus:
        fusionner(etudiante, invite, resolution("SKIP", apporte, dossier), acceptPolicy="MERGE_ALL")

    canaux = {e["canal"] for e in recus if e["type"] == "signalement_timeline_updated"}
    assert canaux == {f"signalement:{apporte.pk}", f"signalement:{seul.pk}"}
    assert "signalement_statut_updated" not in {e["type"] for e in recus}


@pytest.mark.parametrize("action", ["KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS"])
def test_aucune_annonce_ne_dit_qui_se_cache_ni_ce_qui_ouvre_un_dossier(
    evenements, etudiante, gestionnaire, invite, cas, action
):
    apporte, dossier, _seul = cas(mode="ANONYME")
    signalements.mettre(apporte, statut="EN_COURS", gestionnaire=gestionnaire)

    with evenements() as recus:
        fusionner(etudiante, invite, resolution(action, apporte, dossier), acceptPolicy="MERGE_ALL")

    canal = f"signalement:{dossier.pk}"
    assert [resume for resume in resumer(recus) if resume[0] != "rediriger"] == [
        *[("signalement_statut_updated", ou, "PUBLIC") for ou in (canal, "signalements")],
        ("signalement_timeline_updated", canal, "PUBLIC"),
        ("stats_updated", "dashboard", "PUBLIC"),
        ("fermer_sockets", "_controle", "PUBLIC"),
    ]
    dits = str([e["payload"] for e in recus if e["canal"] != "_controle"])
    for secret in (etudiante.pk, etudiante.email, "Awa", "Diop", invite.pk):
        assert str(secret) not in dits
    assert str(invite.guest_id) not in str(recus)
    pour_autrui = [e["payload"] for e in recus if e["canal"].startswith("signalement:")]
    assert gestionnaire.nom_complet not in str(pour_autrui)


@pytest.mark.parametrize("politique", ["MERGE_ALL", "SKIP"])
def test_un_dossier_qui_se_cache_se_rattache_en_silence(evenements, etudiante, invite, cas, politique):
    """Announced together with a named one, it would say whose it is."""
    apporte, dossier, _seul = cas(mode="ANONYME")
    resolutions = [resolution("SKIP", apporte, dossier)] if politique == "SKIP" else []

    with evenements() as recus:
        fusionner(etudiante, invite, *resolutions, acceptPolicy="MERGE_ALL")

    assert {canal for _type, canal, _audience in resumer(recus)} == {"_controle"}


def test_un_dossier_nomme_s_annonce_sous_le_nom_du_compte(evenements, etudiante, invite, cas):
    cas()

    with evenements() as recus:
        fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    entrees = [e["payload"] for e in recus if e["type"] == "signalement_timeline_updated"]
    assert {(e["auteurId"], e["auteurNom"]) for e in entrees} == {(str(etudiante.pk), "Awa Diop")}


def test_une_fusion_refusee_ou_rejouee_n_annonce_rien(evenements, api, etudiante, invite, cas):
    cas()
    elle = api(etudiante)

    with evenements() as refus:
        assert demander_fusion(elle, invite).status_code == 409
    demander_fusion(elle, invite, {"acceptPolicy": "MERGE_ALL"})
    with evenements() as rejeu:
        assert demander_fusion(elle, invite).status_code == 200

    assert (refus, rejeu) == ([], [])


def test_rien_n_est_annonce_ni_ferme_quand_la_transaction_echoue(evenements, etudiante, invite, cas):
    cas()

    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        fabriques.fusionner(invite, etudiante)
        raise RuntimeError

    assert recus == []


def test_les_canaux_passent_de_l_invite_au_compte(etudiante, gestionnaire, invite, cas):
    apporte, dossier, seul = cas()
    canaux = [f"signalement:{s.pk}" for s in (apporte, dossier, seul)]
    avant = {qui: [audiences(acteur_de(qui), canal) for canal in canaux] for qui in (invite, etudiante)}

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    apres = {qui: [audiences(acteur_de(qui), canal) for canal in canaux] for qui in (invite, etudiante, gestionnaire)}
    assert avant == {invite: [["PUBLIC"], [], ["PUBLIC"]], etudiante: [[], ["PUBLIC"], []]}
    assert apres == {
        invite: [[], [], []],
        etudiante: [["PUBLIC"]] * 3,
        gestionnaire: [["PUBLIC", "PERSONNEL"]] * 3,
    }


def test_ce_qui_s_ecrit_apres_s_entend_une_fois_par_les_deux_identifiants(evenements, api, etudiante, invite):
    restante, apportee = (discussions.discussion(acteur_de(qui), "Suites") for qui in (etudiante, invite))
    fusionner(etudiante, invite, resolution("KEEP_GUEST", apportee, restante))

    with evenements() as recus:
        api(etudiante).post(f"/api/v1/discussions/{restante.pk}/messages", {"contenu": "Me voici."})

    canaux = [f"discussion:{d.pk}" for d in (restante, apportee)]
    assert resumer(recus) == [("message_created", canaux[0], "PUBLIC")]
    assert [mener(canal) for canal in canaux] == [canaux[0]] * 2
    assert [audiences(acteur_de(etudiante), canal) for canal in canaux] == [["PUBLIC"], ["PUBLIC"]]
    assert [audiences(acteur_de(invite), canal) for canal in canaux] == [[], []]


# --- The way back ---------------------------------------------------------------------------------------------------


def test_un_retour_qui_echoue_ne_ferme_rien(evenements, etudiante, invite, cas):
    cas()
    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        annuler(AuditFusion.objects.get())
        raise RuntimeError

    assert recus == []


@pytest.mark.django_db(transaction=True)
async def test_ce_qui_revient_a_l_invite_ne_s_entend_plus_aussitot(transactional_db, settings, etudiante, invite):
    """Without waiting for the check of every thirty seconds; who comes back is refused."""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "socle.realtime.couche.CoucheEnMemoire"}}
    settings.DIFFUSION_ACTIVE = True

    def preparer():
        discussion = discussions.discussion(acteur_de(invite))
        fusionner(etudiante, invite)
        return f"/ws/discussion:{discussion.pk}?token={client_de(etudiante).jeton}"

    adresse = await sync_to_async(preparer)()
    ouverte, revenue = Prise(application, adresse), Prise(application, adresse)
    await ouverte.ouvrir()
    assert (await ouverte.entendre())["type"] == "connected"

    await sync_to_async(lambda: annuler(AuditFusion.objects.get()))()

    assert await ouverte.code() == 4001
    await revenue.ouvrir()
    assert await revenue.code() == 4003
    for prise in (ouverte, revenue):
        await prise.raccrocher()
    await arreter()
    await sync_to_async(connections.close_all)()


def test_qui_est_de_l_equipe_rouvre_ses_sockets_pour_son_propre_dossier(evenements, gestionnaire, invite):
    signalements.signalement(acteur_de(invite))

    with evenements() as recus:
        fusionner(gestionnaire, invite)

    assert recus[-1]["payload"] == {"invites": [str(invite.pk)], "comptes": [str(gestionnaire.pk)]}


def test_defaire_une_fusion_ferme_les_sockets_du_compte_avant_de_rendre_les_canaux(evenements, etudiante, invite, cas):
    apporte, dossier, _seul = cas()
    fusionner(etudiante, invite, resolution("MERGE_FIELDS", apporte, dossier), acceptPolicy="MERGE_ALL")

    with evenements() as recus:
        annuler(AuditFusion.objects.get())

    premier, *autres = [e["payload"] for e in recus]
    assert {e["canal"] for e in recus} == {"_controle"}
    assert premier == {"comptes": [str(etudiante.pk)]}
    assert {"canaux": {f"signalement:{apporte.pk}": f"signalement:{apporte.pk}"}} in autres
    assert len(autres) == 2
