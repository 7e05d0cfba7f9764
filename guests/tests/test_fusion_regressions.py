"""What merges of accounts are known to get wrong, held here one by one."""

import json
import re

import pytest
from django.utils import timezone

from accounts.tests.outils import se_connecter
from config.tests.outils import ClientApi, acteur_de
from discussions import services as services_discussions
from discussions.models import Discussion, Message
from discussions.tests import fabriques as discussions
from guests.fusion.verification import modeles_possedes
from guests.models import SessionInvitee
from guests.services import session_de
from guests.tests import fabriques
from guests.tests.outils import SESSIONS, fusionner, lignes, resolution
from resources.tests import fabriques as fichiers
from signalements import services as services_signalements
from signalements.models import Signalement
from signalements.tests import fabriques as signalements
from socle.domaine.identite import pseudonyme
from socle.domaine.temps import horodatage
from socle.erreurs import ErreurMetier
from socle.realtime.canaux import audiences

pytestmark = pytest.mark.django_db
SIGNALEMENTS = "/api/v1/signalements/"
DISCUSSIONS = "/api/v1/discussions/"


def lire(client, chemin):
    reponse = client.get(chemin)
    assert reponse.status_code == 200, reponse.content
    donnees = reponse.json()["data"]
    return donnees["items"] if isinstance(donnees, dict) and "items" in donnees else donnees


def ouvrir_un_cas(qui, mode="IDENTIFIE", titre="Suites", **champs):
    """A report, a discussion about it, and a message."""
    dossier = signalements.signalement(acteur_de(qui), mode_identification=mode, **champs)
    echange = discussions.discussion(acteur_de(qui), titre, dossier)
    discussions.message(acteur_de(qui), echange, "Bonjour.")
    return dossier, echange


def lignes_d_autrui(*a_eux):
    """All that belongs neither to these accounts nor to these sessions."""
    cles = {qui.pk for qui in a_eux}
    return {
        modele._meta.label: [
            ligne
            for ligne in modele._base_manager.order_by("pk").values()
            if not cles & {ligne["compte_id"], ligne["invite_id"]}
        ]
        for modele in modeles_possedes()
    }


# --- One phone number, two people -----------------------------------------------------------------------------------


def test_deux_sessions_d_un_meme_numero_ne_se_touchent_jamais(api, etudiante, invite):
    jumelle = fabriques.session_invitee("+243812345621")
    ouvrir_un_cas(invite)
    dossier, echange = ouvrir_un_cas(jumelle)
    chemins = [f"{SIGNALEMENTS}{dossier.pk}", f"{DISCUSSIONS}{echange.pk}/messages", f"{SESSIONS}/{jumelle.guest_id}"]
    avant = [lire(api(jumelle), chemin) for chemin in chemins]
    siennes = lignes_d_autrui(etudiante, invite)

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    assert [lire(api(jumelle), chemin) for chemin in chemins] == avant
    assert lignes_d_autrui(etudiante, invite) == siennes
    assert SessionInvitee.objects.get(pk=jumelle.pk).statut == "ACTIVE"
    assert api(etudiante).get(f"{SIGNALEMENTS}{dossier.pk}").status_code == 403
    assert api(jumelle).post(f"{DISCUSSIONS}{echange.pk}/messages", {"contenu": "Toujours là."}).status_code == 201


# --- Who chooses which side is kept ---------------------------------------------------------------------------------


def test_le_sens_est_choisi_conflit_par_conflit(api, etudiante, invite):
    attendus, resolutions = {}, []
    for action, titre in (
        ("KEEP_TARGET", "Du compte"),
        ("KEEP_GUEST", "De l'invité"),
        ("MERGE_FIELDS", "Du compte"),
        ("SKIP", "Du compte"),
    ):
        faits = {"description": f"Faits {action}", "mode_identification": "IDENTIFIE"}
        dossier = signalements.signalement(acteur_de(etudiante), titre="Du compte", **faits)
        lieu = {"lieu_incident": "Cour", "reference": dossier.reference}
        apporte = signalements.signalement(acteur_de(invite), titre="De l'invité", **faits, **lieu)
        attendus[str(dossier.pk)] = (titre, "Cour" if action in ("KEEP_GUEST", "MERGE_FIELDS") else None)
        if action == "SKIP":
            attendus[str(apporte.pk)] = ("De l'invité", "Cour")
        resolutions.append(resolution(action, apporte, dossier))

    fusionner(etudiante, invite, *resolutions)

    recus = {s["id"]: (s["titre"], s["lieuIncident"]) for s in lire(api(etudiante), f"{SIGNALEMENTS}me")}
    assert recus == attendus


# --- Nothing is lost ------------------------------------------------------------------------------------------------


def test_toute_l_histoire_est_la_apres_une_nouvelle_connexion(api, etudiante, gestionnaire, invite):
    dossier, echange = ouvrir_un_cas(invite, mode="ANONYME")
    equipe = api(gestionnaire)
    equipe.put(f"{SIGNALEMENTS}{dossier.pk}/assigner", {"gestionnaireId": str(gestionnaire.pk)})
    equipe.post(f"{SIGNALEMENTS}{dossier.pk}/notes", {"contenu": "Pour l'équipe."})
    equipe.post(f"{DISCUSSIONS}{echange.pk}/messages", {"contenu": "Nous vous lisons."})
    equipe.put(f"{SIGNALEMENTS}{dossier.pk}/statut", {"statut": "EN_COURS"})

    fusionner(etudiante, invite)

    elle = ClientApi(jeton=se_connecter(etudiante).json()["data"]["token"])
    histoire = lire(elle, f"{SIGNALEMENTS}{dossier.pk}/timeline")
    assert [(e["type"], e["nouveauStatut"], e["auteurNom"]) for e in histoire] == [
        ("CREATION", "NOUVEAU", "Awa Diop"),
        ("ASSIGNATION", None, "Équipe"),
        ("STATUT", "ASSIGNE", "Équipe"),
        ("STATUT", "EN_COURS", "Équipe"),
        ("FUSION", None, "Awa Diop"),
    ]
    messages = lire(elle, f"{DISCUSSIONS}{echange.pk}/messages")
    assert [(m["numeroSequence"], m["contenu"]) for m in messages] == [(1, "Bonjour."), (2, "Nous vous lisons.")]
    (recu,) = lire(elle, f"{SIGNALEMENTS}me")
    assert (recu["reference"], recu["statut"], recu["messagesNonLusCount"]) == (dossier.reference, "EN_COURS", 1)
    assert [d["id"] for d in lire(elle, DISCUSSIONS)] == [str(echange.pk)]


@pytest.mark.parametrize("action", ["KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS"])
def test_un_compte_qui_a_deja_le_meme_cas_n_en_a_toujours_qu_un(api, etudiante, gestionnaire, invite, action):
    paires = list(zip(ouvrir_un_cas(invite), ouvrir_un_cas(etudiante), strict=True))
    dossier, echange = (cible for _source, cible in paires)
    for _source, cible in paires[1:]:
        discussions.message(acteur_de(gestionnaire), cible, "Reçu.")

    fusionner(etudiante, invite, *(resolution(action, *paire) for paire in paires))

    elle = api(etudiante)
    assert [s["id"] for s in lire(elle, f"{SIGNALEMENTS}me")] == [str(dossier.pk)]
    assert [d["id"] for d in lire(elle, DISCUSSIONS)] == [str(echange.pk)]
    messages = lire(elle, f"{DISCUSSIONS}{echange.pk}/messages")
    assert [(m["numeroSequence"], m["contenu"]) for m in messages] == [(1, "Bonjour."), (2, "Reçu.")]
    assert lire(elle, f"{DISCUSSIONS}{echange.pk}")["resume"]["nombreMessages"] == 2
    assert (Signalement.objects.count(), Discussion.objects.count(), Message.objects.count()) == (2, 2, 3)


# --- The tab that was left open -------------------------------------------------------------------------------------


def test_l_ancien_onglet_d_une_session_rattachee_n_ecrit_plus_rien(api, etudiante, invite):
    dossier, echange = ouvrir_un_cas(invite)
    onglet = api(invite)
    fusionner(etudiante, invite)
    avant = lignes()
    nouveau = {"titre": "Trop tard", "description": "Trop tard.", "type": "VOL"}

    recus = [
        onglet.post(SIGNALEMENTS, nouveau),
        onglet.post(DISCUSSIONS, {"titre": "Trop tard", "signalementId": str(dossier.pk)}),
        onglet.post(f"{DISCUSSIONS}{echange.pk}/messages", {"contenu": "Trop tard."}),
        onglet.put(f"{DISCUSSIONS}{echange.pk}/messages/lus"),
        onglet.patch(f"{SESSIONS}/{invite.guest_id}/telephone", {"telephone": "+243898765432"}),
        onglet.get(f"{SIGNALEMENTS}{dossier.pk}"),
        onglet.get("/api/v1/guest/suivi"),
        onglet.get(f"/api/v1/evenements?canal=signalement:{dossier.pk}"),
    ]

    assert [(r.status_code, r.json()["code"]) for r in recus] == [(409, "GUEST_SESSION_MERGED")] * len(recus)
    assert lignes() == avant


def test_une_ecriture_deja_entree_quand_la_fusion_finit_est_refusee(etudiante, invite):
    dossier, echange = ouvrir_un_cas(invite)
    acteur = acteur_de(session_de(invite.guest_id))
    fusionner(etudiante, invite)
    avant = lignes()
    faits = {"titre": "Trop tard", "description": "Trop tard.", "type": "VOL"}

    for acte in (
        lambda: services_signalements.creer(acteur=acteur, **faits),
        lambda: services_signalements.creer(acteur=acteur, reference="SIG-2026-7K3M9QXT", **faits),
        lambda: services_discussions.ouvrir(acteur=acteur, titre="Trop tard", signalement_id=dossier.pk),
        lambda: services_discussions.ecrire(acteur=acteur, discussion=echange, contenu="Trop tard."),
        lambda: services_discussions.marquer_lus(acteur=acteur, discussion=echange),
    ):
        with pytest.raises(ErreurMetier, match="GUEST_SESSION_MERGED"):
            acte()

    assert lignes() == avant


# --- What others see of who it was ----------------------------------------------------------------------------------


def identites(client, dossier, echange):
    """Every id of a person that a reader is shown of a case, but those of the merge's own lines."""
    messages = lire(client, f"{DISCUSSIONS}{echange.pk}/messages")
    histoire = lire(client, f"{SIGNALEMENTS}{dossier.pk}/timeline")
    return {
        "signalement": lire(client, f"{SIGNALEMENTS}{dossier.pk}")["acteurId"],
        "discussion": lire(client, f"{DISCUSSIONS}{echange.pk}")["acteurId"],
        "messages": [(m["auteurId"], m["acteurId"]) for m in messages],
        "historique": [e["auteurId"] for e in histoire if e["type"] != "FUSION"],
    }


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
@pytest.mark.parametrize("mode", ["ANONYME", "PSEUDONYME"])
def test_le_pseudonyme_d_un_dossier_qui_se_cache_ne_change_pas(api, personne, etudiante, invite, persona, mode):
    dossier, echange = ouvrir_un_cas(invite, mode=mode)
    lecteur = api(personne(persona))
    avant = identites(lecteur, dossier, echange)
    masque = pseudonyme("signalement", dossier.pk)

    fusionner(etudiante, invite)

    assert identites(lecteur, dossier, echange) == avant
    assert avant == {
        "signalement": masque,
        "discussion": masque,
        "messages": [(masque, masque)],
        "historique": [masque],
    }
    vu = str([lire(lecteur, f"{SIGNALEMENTS}{dossier.pk}{suite}") for suite in ("", "/timeline")])
    vu += str([lire(lecteur, f"{DISCUSSIONS}{echange.pk}{suite}") for suite in ("", "/messages")])
    for secret in (invite.guest_id, invite.pk, etudiante.pk, "Awa", "Diop", etudiante.email):
        assert str(secret) not in vu


@pytest.mark.parametrize("deja_la", [False, True])
@pytest.mark.parametrize("mode", ["ANONYME", "PSEUDONYME"])
def test_rien_ne_dit_a_l_equipe_quand_un_dossier_qui_se_cache_a_ete_rattache(
    api, gestionnaire, etudiante, invite, mode, deja_la
):
    """Merged at the moment when a named one was, it would be of the same person."""
    dossier, echange = ouvrir_un_cas(invite, mode=mode)
    if deja_la:
        dossier, echange = ouvrir_un_cas(etudiante, mode=mode)
    ouvrir_un_cas(invite, mode="IDENTIFIE", titre="Autre chose", description="Autre chose.")
    avant = horodatage(timezone.now())

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    chemins = [f"{SIGNALEMENTS}{dossier.pk}", f"{SIGNALEMENTS}{dossier.pk}/timeline"]
    chemins += [f"{DISCUSSIONS}{echange.pk}", f"{DISCUSSIONS}{echange.pk}/messages"]
    vu = json.dumps([lire(api(gestionnaire), chemin) for chemin in chemins])
    dates = re.findall(r"\d{4}-\d\d-\d\dT[\d:.]+Z", vu)
    assert len(dates) >= 6
    assert max(dates) <= avant
    assert "FUSION" not in vu
    assert "FUSION" in str(lire(api(etudiante), chemins[1]))


def test_un_dossier_nomme_devient_celui_du_compte(api, gestionnaire, etudiante, invite):
    dossier, echange = ouvrir_un_cas(invite, mode="IDENTIFIE")
    equipe = api(gestionnaire)
    avant = identites(equipe, dossier, echange)

    fusionner(etudiante, invite)

    masque, compte = pseudonyme("invite", invite.pk), str(etudiante.pk)
    assert avant == {"signalement": masque, "discussion": masque, "messages": [(masque,) * 2], "historique": [masque]}
    assert identites(equipe, dossier, echange) == {
        "signalement": compte,
        "discussion": compte,
        "messages": [(compte, compte)],
        "historique": [compte],
    }
    assert {e["auteurNom"] for e in lire(equipe, f"{SIGNALEMENTS}{dossier.pk}/timeline")} == {"Awa Diop"}


def test_deux_dossiers_caches_rattaches_ensemble_gardent_deux_pseudonymes(api, gestionnaire, etudiante, invite):
    cas = [ouvrir_un_cas(invite, mode="ANONYME", titre=t, description=t) for t in ("Un", "Deux")]
    equipe = api(gestionnaire)

    fusionner(etudiante, invite)

    masques = [identites(equipe, *un_cas)["messages"][0][0] for un_cas in cas]
    assert masques == [pseudonyme("signalement", dossier.pk) for dossier, _echange in cas]
    assert masques[0] != masques[1]


# --- Everybody else -------------------------------------------------------------------------------------------------


def test_rien_d_un_tiers_ne_change(
    api, etudiante, autre_etudiante, gestionnaire, admin, invite, autre_invite, evenements
):
    """Others have the same reference, facts, titles and words."""
    dossier, _echange = ouvrir_un_cas(etudiante)
    commun = {"reference": dossier.reference}
    for qui in (autre_etudiante, autre_invite, admin):
        _sien, echange = ouvrir_un_cas(qui, **commun)
        fichiers.fichier(acteur_de(qui))
        discussions.message(acteur_de(gestionnaire), echange, "Bonjour.")
        services_discussions.marquer_lus(acteur=acteur_de(gestionnaire), discussion=echange)
        discussions.discussion(acteur_de(gestionnaire), "Suites", echange.signalement)
    ouvrir_un_cas(invite, **commun)
    avant = lignes_d_autrui(etudiante, invite)
    ailleurs = {nom: rangs for nom, rangs in lignes().items() if nom.startswith("accounts.") and "Session" not in nom}

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    assert all(avant.values())
    assert lignes_d_autrui(etudiante, invite) == avant
    assert {nom: lignes()[nom] for nom in ailleurs} == ailleurs


def test_un_tiers_n_entre_pas_plus_qu_avant(api, etudiante, autre_etudiante, autre_invite, invite):
    dossier, echange = ouvrir_un_cas(invite)
    joint, _joint = ouvrir_un_cas(etudiante)
    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    for qui in (autre_etudiante, autre_invite, invite):
        for canal in (f"signalement:{dossier.pk}", f"signalement:{joint.pk}", f"discussion:{echange.pk}"):
            assert audiences(acteur_de(qui), canal) == []
    for qui in (autre_etudiante, autre_invite):
        for url in (f"{SIGNALEMENTS}{dossier.pk}", f"{SIGNALEMENTS}{joint.pk}", f"{DISCUSSIONS}{echange.pk}"):
            assert api(qui).get(url).status_code == 403
