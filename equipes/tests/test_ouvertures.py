"""Opening a case of a team for a reason: who may, what it lets them read, who is told, and when it ends."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, champs_refuses, client_de
from discussions.tests import fabriques as discussions
from equipes.models import MembreDEquipe
from equipes.tests import fabriques as equipes
from resources.tests import fabriques as fichiers
from signalements.models import OuvertureMotivee, Signalement
from signalements.reserve import changer_lecteurs
from signalements.suppression import retirer, verrouiller
from signalements.tests import fabriques as signalements
from socle.audit.models import Trace
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
MOTIF = "La personne mise en cause a porté plainte."


def ouvrir(qui, dossier, motif=MOTIF):
    return client_de(qui).post(f"/api/v1/signalements/{dossier.pk}/ouverture", {"motif": motif})


def statut(qui, chemin, methode="get", corps=None):
    return getattr(client_de(qui), methode)(chemin, *([corps] if corps is not None else [])).status_code


def chemin_de(dossier, suite=""):
    return f"/api/v1/signalements/{dossier.pk}{suite}"


# --- Before, during, after --------------------------------------------------------------------------------------------


def test_sans_motif_un_administrateur_apprend_seulement_qu_il_en_faut_un(dossier, admin, gestionnaire):
    refus = client_de(admin).get(chemin_de(dossier))

    assert (refus.status_code, refus.json()["code"]) == (403, "OUVERTURE_MOTIVEE")
    assert dossier.titre not in refus.content.decode()
    assert statut(gestionnaire, chemin_de(dossier)) == 404


def test_avec_un_motif_il_lit_le_dossier_une_heure(dossier, admin, monkeypatch):
    ouverte = ouvrir(admin, dossier)

    assert ouverte.status_code == 201
    assert ouverte.json()["data"]["reference"] == dossier.reference
    for suite in ("", "/timeline", "/accuses"):
        assert statut(admin, chemin_de(dossier, suite)) == 200
    assert statut(comptes.admin(email="sophie@campus.test"), chemin_de(dossier)) == 403

    OuvertureMotivee.objects.update(fin=timezone.now())
    assert statut(admin, chemin_de(dossier)) == 403


def test_une_heure_est_soixante_minutes(dossier, admin):
    avant = timezone.now()
    ouvrir(admin, dossier)

    assert timedelta(minutes=59) < OuvertureMotivee.objects.get().fin - avant <= timedelta(minutes=61)


def test_il_lit_ses_discussions_ses_messages_et_ses_fichiers(etudiante, equipe, admin):
    piece, jointe = (fichiers.fichier(acteur_de(etudiante)) for _rang in range(2))
    dossier = equipes.confier(signalements.signalement(acteur_de(etudiante), pieces_jointes=[piece.pk]), equipe)
    discussion = discussions.discussion(acteur_de(etudiante), signalement=dossier)
    ecrit = {"contenu": "Voici.", "piecesJointes": [str(jointe.pk)]}
    client_de(etudiante).post(f"/api/v1/discussions/{discussion.pk}/messages", ecrit)
    chemins = [
        f"/api/v1/discussions/{discussion.pk}",
        f"/api/v1/discussions/{discussion.pk}/messages",
        f"/api/v1/fichiers/{piece.pk}",
        f"/api/v1/fichiers/{jointe.pk}",
    ]
    assert {statut(admin, chemin) for chemin in chemins} == {404}

    ouvrir(admin, dossier)

    assert {statut(admin, chemin) for chemin in chemins} == {200}
    siennes = f"/api/v1/discussions/?signalementId={dossier.pk}"
    assert [une["id"] for une in client_de(admin).get(siennes).json()["data"]["items"]] == [str(discussion.pk)]

    OuvertureMotivee.objects.update(fin=timezone.now())
    assert {statut(admin, chemin) for chemin in chemins} == {404}


def test_il_ne_le_trouve_dans_aucune_liste_ni_ne_l_entend(dossier, admin):
    from socle.realtime.canaux import audiences

    ouvrir(admin, dossier)

    for liste in ("/api/v1/signalements/", "/api/v1/signalements/non-traites", "/api/v1/discussions/"):
        assert client_de(admin).get(liste).json()["data"]["total"] == 0
    assert audiences(acteur_de(admin), f"signalement:{dossier.pk}") == []


def test_il_n_y_ecrit_rien_et_peut_seulement_le_confier(dossier, equipe, nadia, admin):
    discussion = discussions.discussion(acteur_de(dossier.compte), signalement=dossier)
    ouvrir(admin, dossier)
    avant = Signalement.objects.values().get()

    for methode, suite, corps in (
        ("put", "/statut", {"statut": "CLOTURE"}),
        ("put", "/priorite", {"priorite": "LOW"}),
        ("put", "/assigner", {"gestionnaireId": str(nadia.pk)}),
        ("post", "/notes", {"contenu": "Vu."}),
        ("put", "/gel", {"gele": True, "motif": "Enquête."}),
    ):
        assert statut(admin, chemin_de(dossier, suite), methode, corps) == 403, suite
    assert statut(admin, chemin_de(dossier, "/lecteurs"), "put", {"admis": [str(admin.pk)]}) == 404
    ecrire = f"/api/v1/discussions/{discussion.pk}/messages"
    assert statut(admin, ecrire, "post", {"contenu": "Bonjour."}) == 404
    assert statut(admin, f"{ecrire}/lus", "put") == 404
    assert Signalement.objects.values().get() == avant

    vers_tous = {"equipeId": None, "motif": MOTIF}
    assert statut(admin, chemin_de(dossier, "/equipe"), "put", vers_tous) == 200
    assert statut(admin, chemin_de(dossier)) == 200


def test_ouvrir_encore_ne_change_rien_et_ne_le_redit_pas(dossier, admin, evenements):
    premiere = ouvrir(admin, dossier).json()["data"]

    with evenements() as publies:
        seconde = ouvrir(admin, dossier, motif="Un tout autre motif.")

    assert seconde.json()["data"] == premiere
    assert publies == []
    assert OuvertureMotivee.objects.get().motif == MOTIF


# --- Who may ----------------------------------------------------------------------------------------------------------


def test_qui_en_est_ecarte_ne_peut_ni_l_ouvrir_ni_apprendre_qu_il_est(dossier, equipe, admin):
    rose = comptes.admin(email="sophie@campus.test")
    MembreDEquipe.objects.create(equipe=equipe, compte=rose, accepte_le=timezone.now())
    changer_lecteurs(signalement=dossier, acteur=acteur_de(rose), ecartes=[admin.pk])
    inconnu = Signalement(pk=equipe.pk)

    for un in (dossier, inconnu):
        assert ouvrir(admin, un).status_code == 404
        assert statut(admin, chemin_de(un)) == 404

    def requetes(un):
        with CaptureQueriesContext(connection) as vues:
            statut(admin, chemin_de(un))
            ouvrir(admin, un)
        return len(vues)

    assert requetes(dossier) == requetes(inconnu)


def test_ecarte_pendant_qu_il_le_lit_il_ne_le_lit_plus(dossier, equipe, nadia, admin):
    rose = comptes.admin(email="sophie@campus.test")
    MembreDEquipe.objects.create(equipe=equipe, compte=rose, accepte_le=timezone.now())
    ouvrir(admin, dossier)

    changer_lecteurs(signalement=dossier, acteur=acteur_de(rose), ecartes=[admin.pk])

    assert statut(admin, chemin_de(dossier)) == 404


def test_qui_le_lit_deja_n_a_rien_a_ouvrir(dossier, equipe, signalement, admin):
    MembreDEquipe.objects.create(equipe=equipe, compte=admin, accepte_le=timezone.now())

    assert ouvrir(admin, dossier).status_code == 409
    assert not OuvertureMotivee.objects.exists()


def test_son_propre_dossier_ne_s_ouvre_pas(admin, equipe):
    sien = equipes.confier(signalements.signalement(acteur_de(admin)), equipe)

    assert ouvrir(admin, sien).status_code == 403


@pytest.mark.parametrize("persona", ["gestionnaire", "nadia", "etudiante"])
def test_nul_autre_qu_un_administrateur_n_ouvre(request, dossier, persona):
    assert ouvrir(request.getfixturevalue(persona), dossier).status_code == 403


@pytest.mark.parametrize("motif", ["", "Trop peu", "x" * 501])
def test_le_motif_a_de_dix_a_cinq_cents_caracteres(dossier, admin, motif):
    refus = ouvrir(admin, dossier, motif=motif)

    assert (refus.status_code, champs_refuses(refus)) == (422, {"motif"})
    assert statut(admin, chemin_de(dossier)) == 403


def test_un_dossier_reserve_sans_equipe_ne_s_ouvre_pas_ainsi(signalement, equipe, gestionnaire, admin):
    changer_lecteurs(signalement=signalement, acteur=acteur_de(admin), admis=[gestionnaire.pk])

    assert statut(admin, chemin_de(signalement)) == 404
    assert ouvrir(admin, signalement).status_code == 404


# --- Who is told ------------------------------------------------------------------------------------------------------


def test_chacun_de_ses_lecteurs_l_apprend_et_l_historique_le_dit(
    dossier, equipe, nadia, admin, gestionnaire, evenements, mailoutbox
):
    with evenements() as publies:
        ouvrir(admin, dossier)
    faire_les_taches()

    alertes = [un for un in publies if un["type"] == "system_alert"]
    assert [un["canal"] for un in alertes] == [f"user:{nadia.pk}"]
    assert dossier.reference in alertes[0]["payload"]["message"]
    assert [mail.to for mail in mailoutbox] == [[nadia.email]]
    assert dossier.reference not in mailoutbox[0].body + mailoutbox[0].subject
    lues = client_de(nadia).get(chemin_de(dossier, "/timeline")).json()["data"]
    assert lues[-1]["description"] == f"Dossier ouvert par l'administration pour 60 minutes : {MOTIF}"
    du_sien = client_de(dossier.compte).get(chemin_de(dossier, "/timeline")).json()["data"]
    assert [une["type"] for une in du_sien] == ["CREATION"]
    assert {un["audience"] for un in publies if un["type"] == "signalement_timeline_updated"} == {"PERSONNEL"}
    assert Trace.objects.get(acte="OUVERTURE_MOTIVEE").details == {"minutes": 60}


def test_sans_lecteur_les_autres_administrateurs_l_apprennent(dossier, equipe, admin, evenements):
    autre = comptes.admin(email="sophie@campus.test")
    equipe.membres.all().delete()

    with evenements() as publies:
        ouvrir(admin, dossier)

    assert [un["canal"] for un in publies if un["type"] == "system_alert"] == [f"user:{autre.pk}"]


def test_un_dossier_efface_part_avec_ses_ouvertures(dossier, admin):
    ouvrir(admin, dossier)

    retirer(verrouiller([dossier.pk]))

    assert not OuvertureMotivee.objects.exists()


# --- What may be known without it -------------------------------------------------------------------------------------


def test_un_administrateur_sait_que_les_dossiers_sont_la_et_rien_de_plus(dossier, equipe, admin, gestionnaire):
    chemin = f"/api/v1/equipes/{equipe.pk}/dossiers"

    (connu,) = client_de(admin).get(chemin).json()["data"]["items"]

    assert connu == {
        "id": str(dossier.pk),
        "reference": dossier.reference,
        "equipeId": str(equipe.pk),
        "dateCreation": connu["dateCreation"],
        "prochaineEcheance": None,
        "enRetard": False,
    }
    assert statut(gestionnaire, chemin) == 403
    assert statut(admin, f"/api/v1/equipes/{dossier.pk}/dossiers") == 404


def test_ceux_dont_il_est_ecarte_et_les_siens_n_y_sont_pas(dossier, equipe, admin):
    rose = comptes.admin(email="sophie@campus.test")
    MembreDEquipe.objects.create(equipe=equipe, compte=rose, accepte_le=timezone.now())
    changer_lecteurs(signalement=dossier, acteur=acteur_de(rose), ecartes=[admin.pk])
    equipes.confier(signalements.signalement(acteur_de(admin)), equipe)
    ailleurs = equipes.equipe(nom="Ailleurs")
    equipes.confier(signalements.signalement(acteur_de(dossier.compte)), ailleurs)

    assert client_de(admin).get(f"/api/v1/equipes/{equipe.pk}/dossiers").json()["data"]["total"] == 0
