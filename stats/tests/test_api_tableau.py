from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tests import fabriques as comptes
from calendrier.tests import fabriques as calendrier
from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from equipes.lectures import noms_des_equipes
from forum.tests import fabriques as forum
from signalements.models import Signalement
from signalements.tests import fabriques
from stats.vocabulaire import VALEURS_MAX

URL = "/api/v1/stats/"
LECTURES = (
    "dashboard",
    "signalements",
    "dashboard/team",
    "dashboard/alerts",
    "dashboard/cases/recent",
    "dashboard/distribution/categories",
    "dashboard/trends/cases",
    "dashboard/trends/resolution",
    "dashboard/quick-actions",
)


def lire(client, chemin, **question):
    reponse = client.get(f"{URL}{chemin}", question)
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]


def test_un_service_vide_a_des_zeros_et_pas_de_delai(api, gestionnaire):
    lu = lire(api(gestionnaire), "dashboard")

    assert (lu["portee"], lu["totalSignalements"], lu["tauxResolution"]) == ("GLOBALE", 0, 0)
    assert lu["delaiMoyenResolution"] is None
    assert lire(api(gestionnaire), "signalements")["parMois"] == []


def test_chacun_ne_compte_que_ce_qu_il_peut_lire(api, etudiante, autre_etudiante, gestionnaire, signalement_invite):
    fabriques.signalement(acteur_de(etudiante), type="VOL")

    assert lire(api(etudiante), "dashboard")["totalSignalements"] == 1
    assert lire(api(autre_etudiante), "dashboard")["totalSignalements"] == 0
    assert lire(api(autre_etudiante), "dashboard")["portee"] == "PERSONNELLE"
    assert lire(api(autre_etudiante), "dashboard/alerts") == []
    assert lire(api(autre_etudiante), "dashboard/cases/recent") == []
    assert lire(api(gestionnaire), "dashboard")["totalSignalements"] == 2


def test_ce_qui_est_a_moderer_et_les_invitations_sont_pour_qui_s_en_occupe(api, etudiante, gestionnaire, admin):
    forum.poste(acteur_de(etudiante), statut="NOUVEAU")
    comptes.invitation(admin)

    lus = {nom: lire(api(qui), "dashboard") for nom, qui in (("e", etudiante), ("g", gestionnaire), ("a", admin))}

    assert "postesAModerer" not in lus["e"]
    assert (lus["g"]["postesAModerer"], "invitationsEnAttente" in lus["g"]) == (1, False)
    assert (lus["a"]["postesAModerer"], lus["a"]["invitationsEnAttente"]) == (1, 1)
    assert lire(api(admin), "dashboard/invitations/pending") == {"invitationsEnAttente": 1, "pendingInvitations": 1}


def test_une_invitation_passee_n_attend_plus(api, admin):
    comptes.invitation(admin, expire_le=timezone.now() - timedelta(minutes=1))

    assert lire(api(admin), "dashboard/invitations/pending") == {"invitationsEnAttente": 0, "pendingInvitations": 0}


def test_messages_non_lus_et_evenements_a_venir(api, etudiante, gestionnaire, signalement):
    discussion = discussions.discussion(acteur_de(gestionnaire), signalement=signalement)
    discussions.message(acteur_de(gestionnaire), discussion)
    discussions.message(acteur_de(etudiante), discussion)
    calendrier.evenement(gestionnaire)
    calendrier.evenement(gestionnaire, date_debut=timezone.now() - timedelta(days=3), date_fin=timezone.now())

    for qui in (etudiante, gestionnaire):
        lu = lire(api(qui), "dashboard")
        assert (lu["messagesNonLus"], lu["evenementsAVenir"]) == (1, 1)


def test_ce_qu_une_fusion_a_joint_ne_compte_plus(api, etudiante, gestionnaire):
    dossier, joint = (fabriques.signalement(acteur_de(etudiante)) for _fois in range(2))

    fabriques.joindre(joint, dossier)

    for qui in (etudiante, gestionnaire):
        assert lire(api(qui), "dashboard")["totalSignalements"] == 1
        assert [a["id"] for a in lire(api(qui), "dashboard/alerts")] == [str(dossier.pk)]
        assert [c["id"] for c in lire(api(qui), "dashboard/cases/recent")] == [str(dossier.pk)]


def test_les_types_rares_au_dela_de_la_limite_sont_reunis(api, etudiante, gestionnaire):
    for rang in range(VALEURS_MAX + 3):
        fabriques.signalement(acteur_de(etudiante), type=f"T{rang:02d}")

    par_type = lire(api(gestionnaire), "dashboard")["parType"]

    assert sum(par_type.values()) == VALEURS_MAX + 3
    assert par_type["AUTRE"] == 3


def test_les_petites_cellules_se_reunissent_quand_l_operateur_le_veut(api, settings, etudiante, gestionnaire):
    for type_, nombre in (("VOL", 7), ("BRUIT", 2), ("VIOLENCE", 5)):
        for _fois in range(nombre):
            fabriques.signalement(acteur_de(etudiante), type=type_)

    separees = {c["categorie"]: c["total"] for c in lire(api(gestionnaire), "dashboard/distribution/categories")}
    settings.SMALL_CELLS_BELOW = 5
    reunies = {c["categorie"]: c["total"] for c in lire(api(gestionnaire), "dashboard/distribution/categories")}

    assert (separees["VOL"], separees["BRUIT"], separees["VIOLENCE"], separees["AUTRE"]) == (7, 2, 5, 0)
    # Two alone would still be two: the next cell joins them.
    assert (reunies["VOL"], reunies.get("BRUIT"), reunies["VIOLENCE"], reunies["AUTRE"]) == (7, None, 0, 7)


# --- Alerts ---------------------------------------------------------------------------------------------------------


def test_les_alertes_vont_de_la_plus_urgente_a_la_moins_puis_de_la_plus_ancienne(api, etudiante, gestionnaire):
    attendus = []
    for rang, (priorite, statut) in enumerate(
        [
            ("CRITICAL", "EN_ATTENTE"),
            ("CRITICAL", "NOUVEAU"),
            ("HIGH", "NOUVEAU"),
            ("MEDIUM", "NOUVEAU"),
            ("LOW", "NOUVEAU"),
        ]
    ):
        dossier = fabriques.signalement(acteur_de(etudiante))
        creation = timezone.now() - timedelta(days=9 - rang)
        attendus.append(fabriques.mettre(dossier, priorite=priorite, statut=statut, date_creation=creation))
    fabriques.mettre(fabriques.signalement(acteur_de(etudiante)), statut="EN_COURS", priorite="CRITICAL")

    alertes = lire(api(gestionnaire), "dashboard/alerts")

    assert [a["signalementId"] for a in alertes] == [str(s.pk) for s in attendus]
    assert [a["type"] for a in alertes][:2] == ["SIGNALEMENT_EN_ATTENTE", "NOUVEAU_SIGNALEMENT"]


def alerter(qui, nombre, *, il_y_a, **champs):
    """So many reports, a minute apart."""
    debut = timezone.now() - il_y_a
    return [
        fabriques.mettre(fabriques.signalement(acteur_de(qui)), date_creation=debut + timedelta(minutes=rang), **champs)
        for rang in range(nombre)
    ]


@pytest.mark.parametrize("statut", ["NOUVEAU", "EN_ATTENTE"])
def test_les_signalements_d_une_seule_personne_ne_cachent_pas_les_suivants(
    api, etudiante, invite, autre_invite, gestionnaire, statut
):
    anciennes = alerter(etudiante, 3, il_y_a=timedelta(days=3), priorite="CRITICAL")
    flot = alerter(invite, 110, il_y_a=timedelta(days=1), priorite="HIGH")
    (apres,) = alerter(autre_invite, 1, il_y_a=timedelta(minutes=1), statut=statut)

    alertes = [a["signalementId"] for a in lire(api(gestionnaire), "dashboard/alerts")]

    assert alertes == [str(s.pk) for s in [*anciennes, *flot[:47], *flot[61:], apres]]


@pytest.mark.parametrize("nombre", [99, 100, 101])
def test_cent_alertes_au_plus(api, etudiante, gestionnaire, nombre):
    attendues = alerter(etudiante, nombre, il_y_a=timedelta(days=1))

    alertes = [a["signalementId"] for a in lire(api(gestionnaire), "dashboard/alerts")]

    if nombre == 101:
        del attendues[50]
    assert alertes == [str(s.pk) for s in attendues]


def test_les_alertes_coutent_autant_en_deca_et_au_dela_de_ce_qui_se_montre(api, etudiante, gestionnaire):
    client, couts = api(gestionnaire), []
    for nombre in (1, 100):
        alerter(etudiante, nombre, il_y_a=timedelta(days=1))
        lire(client, "dashboard/alerts")
        couts.append(_requetes(client, "dashboard/alerts"))

    assert couts[0] == couts[1]


@pytest.mark.parametrize(("depart", "arrivee"), [("NOUVEAU", "ASSIGNE"), ("EN_ATTENTE", "EN_COURS")])
def test_ecarter_une_alerte_avance_le_statut_et_n_assigne_personne(
    api, gestionnaire, signalement, evenements, depart, arrivee
):
    fabriques.mettre(signalement, statut=depart)

    with evenements() as recus:
        reponse = api(gestionnaire).put(f"{URL}dashboard/alerts/{signalement.pk}/dismiss")

    assert (reponse.status_code, reponse.json()["data"]) == (200, {"id": str(signalement.pk), "dismissed": True})
    signalement.refresh_from_db()
    assert (signalement.statut, signalement.gestionnaire_id) == (arrivee, None)
    assert [e.type for e in signalement.timeline.order_by("date_creation")][-2:] == ["ALERTE_ECARTEE", "STATUT"]
    assert [(e["type"], e["canal"]) for e in recus] == [
        ("signalement_statut_updated", f"signalement:{signalement.pk}"),
        ("signalement_statut_updated", "signalements"),
        ("signalement_timeline_updated", f"signalement:{signalement.pk}"),
        ("signalement_timeline_updated", f"signalement:{signalement.pk}"),
        ("stats_updated", "dashboard"),
    ]


def test_ecarter_deux_fois_repond_pareil_et_ne_change_rien(api, gestionnaire, signalement, evenements):
    url = f"{URL}dashboard/alerts/{signalement.pk}/dismiss"
    premiere = api(gestionnaire).put(url).json()["data"]

    with evenements() as recus:
        seconde = api(gestionnaire).put(url)

    assert (seconde.status_code, seconde.json()["data"]) == (200, premiere)
    assert recus == []
    assert signalement.timeline.filter(type="ALERTE_ECARTEE").count() == 1


def test_une_alerte_revenue_s_ecarte_de_nouveau(api, gestionnaire, signalement):
    url = f"{URL}dashboard/alerts/{signalement.pk}/dismiss"
    api(gestionnaire).put(url)
    fabriques.mettre(signalement, statut="EN_ATTENTE")

    api(gestionnaire).put(url)

    assert Signalement.objects.get(pk=signalement.pk).statut == "EN_COURS"


def test_sans_alerte_rien_a_ecarter(api, gestionnaire, signalement):
    fabriques.mettre(signalement, statut="TRAITE")

    assert api(gestionnaire).put(f"{URL}dashboard/alerts/{signalement.pk}/dismiss").status_code == 404
    assert api(gestionnaire).put(f"{URL}dashboard/alerts/{uuid4()}/dismiss").status_code == 404
    assert api(gestionnaire).put(f"{URL}dashboard/alerts/pas-un-id/dismiss").status_code == 404


def test_un_identifiant_de_session_colle_dans_un_titre_est_masque(api, gestionnaire, invite, autre_invite):
    fabriques.signalement(acteur_de(invite), titre=f"Mon accès {autre_invite.guest_id}")

    for chemin in ("dashboard/alerts", "dashboard/cases/recent"):
        assert lire(api(gestionnaire), chemin)[0]["titre"] == "Mon accès [identifiant masqué]"


# --- Recent cases, quick actions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("demande", "recus"), [({}, 10), ({"limit": "3"}, 3), ({"limit": "1000"}, 12)])
def test_le_nombre_de_derniers_signalements(api, etudiante, gestionnaire, demande, recus):
    dossiers = [fabriques.signalement(acteur_de(etudiante)) for _fois in range(12)]

    lus = lire(api(gestionnaire), "dashboard/cases/recent", **demande)

    assert [cas["id"] for cas in lus] == [str(s.pk) for s in reversed(dossiers)][:recus]


def test_les_actions_rapides_suivent_le_role(api, etudiante, gestionnaire, admin):
    siens = [fabriques.signalement(acteur_de(etudiante)) for _fois in range(3)]
    fabriques.mettre(siens[0], statut="EN_COURS", gestionnaire=gestionnaire)
    # Of who handles a case of one's own, one is not told.
    fabriques.mettre(fabriques.signalement(acteur_de(gestionnaire)), statut="EN_COURS", gestionnaire=gestionnaire)

    actions = {action["id"]: action["compteur"] for action in lire(api(gestionnaire), "dashboard/quick-actions")}
    d_admin = {action["id"] for action in lire(api(admin), "dashboard/quick-actions")}

    assert actions == {
        "alertes": 2,
        "signalements-non-traites": 4,
        "mes-dossiers": 1,
        "postes-a-moderer": 0,
        "export": None,
    }
    assert d_admin - actions.keys() == {"invitations-en-attente", "inviter"}


def test_un_message_apres_cloture_se_compte_avec_les_alertes(api, etudiante, gestionnaire, admin, signalement):
    fabriques.mettre(signalement, statut="CLOTURE")
    discussions.message(acteur_de(etudiante), discussions.discussion(acteur_de(etudiante), signalement=signalement))

    for qui in (gestionnaire, admin):
        actions = {action["id"]: action["compteur"] for action in lire(api(qui), "dashboard/quick-actions")}
        assert actions["alertes"] == len(lire(api(qui), "dashboard/alerts")) == 1


def test_les_liens_des_actions_rapides_menent_quelque_part(api, admin):
    for action in lire(api(admin), "dashboard/quick-actions"):
        if action["methode"] == "GET":
            assert api(admin).get(action["lien"]).status_code == 200


def test_l_equipe_montre_qui_n_a_rien_et_qui_est_parti_en_laissant_des_dossiers(api, gestionnaire, admin, signalement):
    partie = comptes.gestionnaire(email="ines@campus.test", est_actif=False)
    comptes.gestionnaire(email="oubliee@campus.test", est_actif=False)
    fabriques.mettre(signalement, statut="ASSIGNE", gestionnaire=partie)

    equipe = {une["gestionnaireId"]: une["assignes"] for une in lire(api(gestionnaire), "dashboard/team")}

    assert equipe == {str(gestionnaire.pk): 0, str(admin.pk): 0, str(partie.pk): 1}


def test_qui_traite_un_dossier_de_l_equipe_ne_se_lit_pas_dans_sa_charge(api, gestionnaire, admin):
    """A member of staff who owns a case is not told who handles it."""
    sien = fabriques.signalement(acteur_de(gestionnaire))
    fabriques.mettre(sien, statut="TRAITE", gestionnaire=admin)

    def charge_d_admin(qui):
        charges = {une["gestionnaireId"]: une for une in lire(api(qui), "dashboard/team")}
        return charges[str(admin.pk)]["assignes"], charges[str(admin.pk)]["resolus"]

    assert charge_d_admin(gestionnaire) == (0, 0)
    assert charge_d_admin(admin) == (1, 1)


# --- Bad questions, costs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chemin", "question", "champ"),
    [
        ("dashboard", {"debut": "2026-02-30"}, "debut"),
        ("dashboard", {"debut": "hier"}, "debut"),
        ("dashboard", {"debut": "2026-03-02", "fin": "2026-03-01"}, "fin"),
        ("dashboard", {"type": "X" * 51}, "type"),
        ("signalements", {"fin": "01/02/2026"}, "fin"),
        ("signalements", {"debut": "1900-01-01", "fin": "2026-01-01"}, "fin"),
        ("dashboard/distribution/categories", {"debut": "2026-13-01"}, "debut"),
        ("dashboard/trends/cases", {"periode": "annee"}, "periode"),
        ("dashboard/trends/cases", {"debut": "2024-01-01", "fin": "2026-01-01"}, "fin"),
        ("dashboard/trends/cases", {"debut": "1900-01-01"}, "fin"),
        ("dashboard/trends/resolution", {"periode": "semaine", "debut": "2000-01-01", "fin": "2026-01-01"}, "fin"),
        ("dashboard/cases/recent", {"limit": "0"}, "limit"),
        ("dashboard/cases/recent", {"limit": "dix"}, "limit"),
    ],
)
def test_une_mauvaise_question_nomme_son_champ(api, gestionnaire, signalement, chemin, question, champ):
    reponse = api(gestionnaire).get(f"{URL}{chemin}", question)

    assert reponse.status_code == 422
    assert [detail["field"] for detail in reponse.json()["details"]] == [champ]


@pytest.mark.parametrize("jour", ["0001-01-01", "1899-12-31", "9999-12-31"])
@pytest.mark.parametrize("periode", ["jour", "semaine", "mois"])
def test_les_bouts_du_calendrier_ne_cassent_rien(api, gestionnaire, signalement, jour, periode):
    for chemin in ("dashboard/trends/cases", "dashboard/trends/resolution"):
        reponse = api(gestionnaire).get(f"{URL}{chemin}", {"debut": jour, "fin": jour, "periode": periode})
        assert (reponse.status_code, len(reponse.json()["data"])) == (200, 1)
    for chemin in ("dashboard", "signalements", "dashboard/distribution/categories"):
        assert api(gestionnaire).get(f"{URL}{chemin}", {"debut": jour, "fin": jour}).status_code == 200


def test_une_tendance_a_trente_dates_par_defaut(api, gestionnaire):
    for periode in ("jour", "semaine", "mois"):
        assert len(lire(api(gestionnaire), "dashboard/trends/cases", periode=periode)) == 30


@pytest.mark.parametrize("qui", ["gestionnaire", "etudiante"])
def test_une_ou_neuf_lignes_coutent_autant(client_de_personne, etudiante, gestionnaire, qui):
    client, chemins = client_de_personne(qui), LECTURES if qui == "gestionnaire" else LECTURES[:2] + LECTURES[3:5]
    couts = {}
    noms_des_equipes()  # which a process reads once in ten seconds
    for nombre in (1, 8):
        for _fois in range(nombre):
            dossier = fabriques.signalement(acteur_de(etudiante))
            discussions.message(
                acteur_de(gestionnaire), discussions.discussion(acteur_de(etudiante), signalement=dossier)
            )
            comptes.gestionnaire()
        for chemin in chemins:
            couts.setdefault(chemin, []).append(_requetes(client, chemin))

    assert {chemin: len(set(nombres)) for chemin, nombres in couts.items()} == dict.fromkeys(chemins, 1)
    assert max(max(nombres) for nombres in couts.values()) <= 14


def _requetes(client, chemin):
    with CaptureQueriesContext(connection) as requetes:
        lire(client, chemin)
    return len(requetes)
