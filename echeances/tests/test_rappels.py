"""What a date has told, to whom and when: each step once, by day, through three months."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tests.fabriques import compte
from avis.entretien import dire_ce_qui_s_est_passe
from avis.models import Avis
from avis.tests.outils import dits
from config.tests.outils.clients import acteur_de
from discussions import services as discussions
from discussions.conversation import repondre
from echeances.entretien import rappeler_les_dates
from echeances.models import Echeance
from echeances.services import ouvrir_un_entretien, prolonger
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.outils import fusionner, resolution
from signalements import services
from signalements.models import AlerteDeDossier
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
LUNDI = datetime(2026, 3, 2, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _a_paris(settings, time_machine):
    settings.TIME_ZONE_CAMPUS, settings.PAYS_FERIES = ZoneInfo("Europe/Paris"), "FR"
    time_machine.move_to(LUNDI, tick=False)


@pytest.fixture
def ruth(db):
    return compte(email="ruth@campus.test", prenom="Ruth", nom="Kanza", type_utilisateur="GESTIONNAIRE")


@pytest.fixture
def confie(etudiante, ruth, admin, dates):
    dossier = fabriques.signalement(acteur_de(etudiante))
    services.assigner(signalement=dossier, gestionnaire_id=ruth.pk, acteur=acteur_de(admin))
    Avis.objects.all().delete()
    return dossier


def vivre(time_machine, jours):
    """The worker's minutes, night and day, of so many days; return {day: who is told what} of those that tell."""
    journal = {}
    debut = datetime.now(UTC)
    for demi_heure in range(48 * jours):
        time_machine.move_to(debut + timedelta(minutes=30 * demi_heure), tick=False)
        rappeler_les_dates()
        if Avis.objects.a_adresser().exists():
            dire_ce_qui_s_est_passe()
            moment = datetime.now(ZoneInfo("Europe/Paris"))
            journal.setdefault(moment.strftime("%m-%d %Hh"), set()).update(dits())
            Avis.objects.all().delete()
    return journal


@pytest.mark.longue
def test_trois_mois_d_un_dossier_que_personne_ne_touche(confie, gestionnaire, ruth, admin, time_machine):
    tous = {un.prenom for un in (gestionnaire, ruth, admin)}
    journal = vivre(time_machine, 100)

    assert journal == {
        # The acknowledgement: seven working days, the 11th of March.
        "03-09 07h": {("Ruth", "ECHEANCE_PROCHE")},
        "03-11 07h": {(prenom, "ECHEANCE_DU_JOUR") for prenom in tous},
        "03-13 07h": {(admin.prenom, "ECHEANCE_DEPASSEE")},
        # The feedback: three months, the 2nd of June, in summer time.
        "05-31 07h": {("Ruth", "ECHEANCE_PROCHE")},
        "06-02 07h": {(prenom, "ECHEANCE_DU_JOUR") for prenom in tous},
        "06-04 07h": {(admin.prenom, "ECHEANCE_DEPASSEE")},
    }


def test_une_date_tenue_ne_se_rappelle_plus_et_son_alerte_finit(confie, ruth, gestionnaire, time_machine):
    time_machine.move_to(LUNDI + timedelta(days=7), tick=False)
    rappeler_les_dates()
    levees = list(AlerteDeDossier.objects.ouvertes().values_list("nature", flat=True))
    acteur = acteur_de(ruth)
    fil = discussions.ouvrir(acteur=acteur, titre="Suite", signalement_id=confie.pk)
    discussions.ecrire(acteur=acteur, discussion=fil, contenu="Bonjour")
    Avis.objects.all().delete()
    time_machine.move_to(LUNDI + timedelta(days=20), tick=False)
    rappeler_les_dates()

    assert levees == ["ECHEANCE_PROCHE"]
    assert not AlerteDeDossier.objects.ouvertes().exists()
    assert not Avis.objects.exists()


def test_passee_elle_leve_une_alerte_pour_l_equipe(api, confie, gestionnaire, etudiante, time_machine, evenements):
    time_machine.move_to(LUNDI + timedelta(days=10), tick=False)
    with evenements() as recus:
        rappeler_les_dates()

    (levee,) = [un for un in recus if un["type"] == "alert_created"]
    assert (levee["payload"]["type"], levee["payload"]["signalementId"]) == ("ECHEANCE_DEPASSEE", str(confie.pk))

    def types(qui):
        return {une["type"] for une in api(qui).get("/api/v1/stats/dashboard/alerts").json()["data"]}

    assert "ECHEANCE_DEPASSEE" in types(gestionnaire)
    assert "ECHEANCE_DEPASSEE" not in types(etudiante)


def test_un_service_arrete_rattrape_sans_repeter(confie, ruth, admin, time_machine):
    time_machine.move_to(LUNDI + timedelta(days=30), tick=False)
    rappeler_les_dates()
    rappeler_les_dates()
    natures = sorted(Avis.objects.values_list("nature", flat=True))

    assert natures == ["ECHEANCE_DEPASSEE", "ECHEANCE_DU_JOUR", "ECHEANCE_PROCHE"]


def test_un_dossier_reserve_se_rappelle_a_ses_lecteurs_et_aux_administrateurs_non_ecartes(
    confie, ruth, gestionnaire, admin, time_machine
):
    autre = compte(email="a2@campus.test", prenom="Aimé", type_utilisateur="ADMIN_SYSTEME")
    changer_lecteurs(signalement=confie, acteur=acteur_de(admin), ecartes=[gestionnaire.pk, autre.pk])
    Avis.objects.all().delete()
    time_machine.move_to(LUNDI + timedelta(days=15), tick=False)
    rappeler_les_dates()
    dire_ce_qui_s_est_passe()

    assert {prenom for prenom, nature in dits() if nature == "ECHEANCE_DU_JOUR"} == {"Ruth", admin.prenom}
    assert {prenom for prenom, nature in dits() if nature == "ECHEANCE_DEPASSEE"} == {admin.prenom}


def test_rappeler_coute_autant_pour_une_date_que_d_autres_attendent(etudiante, dates, time_machine):
    def cout(jours):
        time_machine.move_to(LUNDI + timedelta(days=jours), tick=False)
        with CaptureQueriesContext(connection) as requetes:
            rappeler_les_dates()
        return len(requetes)

    fabriques.signalement(acteur_de(etudiante))
    un = cout(7)
    Echeance.objects.all().delete()
    time_machine.move_to(LUNDI, tick=False)
    for rang in range(9):
        fabriques.signalement(acteur_de(etudiante), titre=f"Dossier {rang}")

    assert cout(7) <= 9 * un


def alertes_de(dossier):
    return sorted(AlerteDeDossier.objects.ouvertes().filter(signalement=dossier).values_list("nature", flat=True))


def test_prolongee_apres_son_jour_elle_leve_de_nouveau_son_alerte(etudiante, ruth, dates, time_machine):
    dossier = fabriques.signalement(acteur_de(etudiante))
    repondre(acteur=acteur_de(ruth), dossier=dossier, contenu="Bien reçu.")
    time_machine.move_to(datetime(2026, 6, 4, 10, tzinfo=UTC), tick=False)
    rappeler_les_dates()
    avant = alertes_de(dossier)
    prolonger(signalement=dossier, acteur=acteur_de(ruth), pour_le=date(2026, 7, 1), motif="L'enquête continue.")
    prolongee = alertes_de(dossier)
    time_machine.move_to(datetime(2026, 7, 2, 10, tzinfo=UTC), tick=False)
    rappeler_les_dates()

    assert (avant, prolongee, alertes_de(dossier)) == (["ECHEANCE_DEPASSEE"], [], ["ECHEANCE_DEPASSEE"])


def test_tenir_une_date_laisse_l_alerte_d_une_autre_qui_approche(etudiante, ruth, dates, time_machine):
    dossier = fabriques.signalement(acteur_de(etudiante))
    ouvrir_un_entretien(signalement=dossier, acteur=acteur_de(ruth), pour_le=date(2026, 3, 11))
    time_machine.move_to(datetime(2026, 3, 9, 10, tzinfo=UTC), tick=False)
    rappeler_les_dates()
    repondre(acteur=acteur_de(ruth), dossier=dossier, contenu="Bien reçu.")

    assert alertes_de(dossier) == ["ECHEANCE_PROCHE"]


def test_une_date_du_jour_n_est_pas_depassee(etudiante, ruth, dates, time_machine):
    dossier = fabriques.signalement(acteur_de(etudiante))
    ouvrir_un_entretien(signalement=dossier, acteur=acteur_de(ruth), pour_le=date(2026, 3, 13))
    time_machine.move_to(datetime(2026, 3, 13, 10, tzinfo=UTC), tick=False)
    rappeler_les_dates()
    avant = alertes_de(dossier)
    repondre(acteur=acteur_de(ruth), dossier=dossier, contenu="Bien reçu.")

    assert "ECHEANCE_DEPASSEE" in avant
    assert "ECHEANCE_DEPASSEE" not in alertes_de(dossier)


@pytest.fixture
def joints(etudiante, invite, ruth, dates, time_machine):
    """A case of the account that was answered, and one that a guest brings, late."""
    dossier = fabriques.signalement(acteur_de(etudiante))
    apporte = fabriques.signalement(acteur_de(invite), mode_identification="IDENTIFIE", reference=dossier.reference)
    repondre(acteur=acteur_de(ruth), dossier=dossier, contenu="Bien reçu.")
    time_machine.move_to(LUNDI + timedelta(days=20), tick=False)
    rappeler_les_dates()
    fusionner(etudiante, invite, resolution("KEEP_TARGET", apporte, dossier))
    dossier.refresh_from_db()
    return apporte, dossier


def test_un_retard_reste_une_alerte_apres_une_fusion(joints):
    _apporte, dossier = joints

    assert dossier.est_en_retard
    assert alertes_de(dossier) == ["ECHEANCE_DEPASSEE"]


def test_defaire_une_fusion_rend_l_alerte_a_qui_est_en_retard(joints):
    apporte, dossier = joints
    annuler(AuditFusion.objects.get())

    assert (alertes_de(apporte), alertes_de(dossier)) == (["ECHEANCE_DEPASSEE"], [])


def test_une_fusion_refaite_apres_son_retour_garde_l_alerte(joints, etudiante, invite):
    apporte, dossier = joints
    annuler(AuditFusion.objects.get())

    fusionner(etudiante, invite, resolution("KEEP_TARGET", apporte, dossier))
    jointe = alertes_de(dossier)
    annuler(AuditFusion.objects.get(date_annulation=None))

    assert jointe == alertes_de(apporte) == ["ECHEANCE_DEPASSEE"]
    assert alertes_de(dossier) == []


@pytest.mark.parametrize("repond", [True, False])
def test_un_retard_venu_pendant_la_fusion_est_une_alerte_de_qui_l_a(
    etudiante, invite, ruth, dates, time_machine, repond
):
    dossier = fabriques.signalement(acteur_de(etudiante))
    apporte = fabriques.signalement(acteur_de(invite), mode_identification="IDENTIFIE", reference=dossier.reference)
    if repond:
        repondre(acteur=acteur_de(ruth), dossier=dossier, contenu="Bien reçu.")
    time_machine.move_to(LUNDI + timedelta(days=6), tick=False)
    fusionner(etudiante, invite, resolution("KEEP_TARGET", apporte, dossier))
    time_machine.move_to(LUNDI + timedelta(days=10), tick=False)
    rappeler_les_dates()
    jointe = alertes_de(dossier)
    annuler(AuditFusion.objects.get())

    assert jointe == alertes_de(apporte) == ["ECHEANCE_DEPASSEE"]
    assert alertes_de(dossier) == ([] if repond else ["ECHEANCE_DEPASSEE"])


def test_une_alerte_reportee_reste_a_un_dossier_lui_aussi_en_retard(etudiante, invite, dates, time_machine):
    apporte = fabriques.signalement(acteur_de(invite), mode_identification="IDENTIFIE")
    time_machine.move_to(LUNDI + timedelta(days=1), tick=False)
    dossier = fabriques.signalement(acteur_de(etudiante), reference=apporte.reference)
    time_machine.move_to(LUNDI + timedelta(days=10), tick=False)
    rappeler_les_dates()
    fusionner(etudiante, invite, resolution("KEEP_TARGET", apporte, dossier))
    time_machine.move_to(LUNDI + timedelta(days=11), tick=False)
    rappeler_les_dates()
    annuler(AuditFusion.objects.get())

    assert alertes_de(apporte) == alertes_de(dossier) == ["ECHEANCE_DEPASSEE"]


def test_defaire_une_fusion_ne_rend_pas_l_alerte_d_une_date_tenue(joints, ruth):
    apporte, dossier = joints
    repondre(acteur=acteur_de(ruth), dossier=dossier, contenu="Nous avons les deux.")
    annuler(AuditFusion.objects.get())

    assert (alertes_de(apporte), alertes_de(dossier)) == ([], [])


def test_la_nuit_ne_rappelle_rien(confie, time_machine):
    time_machine.move_to(datetime(2026, 3, 9, 3, tzinfo=UTC), tick=False)

    rappeler_les_dates()

    assert not Avis.objects.exists()
