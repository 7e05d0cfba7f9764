"""Dates in the workspace: asked once, two lists, a page to keep and put them off, the mark of the feedback."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from config.tests.outils.clients import acteur_de
from config.tests.outils.typographie import ordinaire
from echeances.models import ChoixDesDates, Echeance
from echeances.services import choisir, prolonger
from espace.templatetags.espace import jour_court
from signalements.services import assigner
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
LUNDI = datetime(2026, 3, 2, 10, tzinfo=UTC)
LISTE, DELAIS = "/equipe/dossiers/", "/equipe/delais/"


@pytest.fixture(autouse=True)
def _un_lundi(time_machine):
    time_machine.move_to(LUNDI, tick=False)


@pytest.fixture
def dossier(etudiante, admin):
    choisir(acteur=acteur_de(admin), accepte=True)
    return fabriques.signalement(acteur_de(etudiante))


def page(client, chemin):
    reponse = client.get(chemin)
    assert reponse.status_code == 200, reponse.content.decode()
    return ordinaire(reponse.content.decode())


def page_des_dates(dossier):
    return f"{LISTE}{dossier.pk}/dates/"


def test_la_question_se_pose_a_l_administration_jusqu_a_sa_reponse(client, admin, gestionnaire):
    client.force_login(gestionnaire)
    a_un_gestionnaire = page(client, LISTE)
    refus = client.get(DELAIS)
    client.force_login(admin)
    avant = page(client, LISTE)
    demandee = page(client, DELAIS)
    reponse = client.post(DELAIS, {"acte": "oui"}, follow=True)
    apres = page(client, LISTE)

    assert "Donner des dates aux dossiers ?" not in a_un_gestionnaire
    assert refus.status_code == 403
    assert "Donner des dates aux dossiers ?" in avant
    assert "<bdi>Retour sur les suites</bdi> : 3 mois" in demandee
    assert "<bdi>Accusé de réception</bdi> : 7 jours ouvrés" in ordinaire(reponse.content.decode())
    assert "Donner des dates aux dossiers ?" not in apres
    assert ChoixDesDates.objects.get().accepte


@pytest.mark.parametrize("corps", [{}, {"acte": ""}, {"acte": "OUI"}, {"acte": "peut-être"}])
def test_ce_qui_ne_dit_ni_oui_ni_non_ne_change_rien(client, admin, dossier, corps):
    client.force_login(admin)
    reponse = client.post(DELAIS, corps)

    assert reponse.status_code == 422
    assert ChoixDesDates.objects.get().accepte


def test_un_non_ne_se_redemande_pas(client, admin):
    client.force_login(admin)
    client.post(DELAIS, {"acte": "non"})

    assert "Donner des dates aux dossiers ?" not in page(client, LISTE)
    assert "Donner des dates aux dossiers" in page(client, DELAIS)


def test_les_deux_listes_ne_se_montrent_qu_avec_des_dates(client, gestionnaire, etudiante, dossier, time_machine):
    client.force_login(gestionnaire)
    sans = page(client, LISTE)
    time_machine.move_to(LUNDI + timedelta(days=4), tick=False)
    client.force_login(gestionnaire)
    bientot = page(client, f"{LISTE}?vue=bientot")
    time_machine.move_to(LUNDI + timedelta(days=12), tick=False)
    client.force_login(gestionnaire)
    tard = page(client, f"{LISTE}?vue=en-retard")

    assert "?vue=en-retard" not in sans
    assert dossier.reference in bientot
    assert "pour le" in bientot
    assert dossier.reference in tard
    assert "en retard, " in tard


def test_la_liste_des_clos_ne_dit_que_le_jour_qui_est_passe(client, gestionnaire, dossier, time_machine):
    fabriques.mettre(dossier, statut="CLOTURE")
    client.force_login(gestionnaire)
    clos = page(client, f"{LISTE}?vue=clos")
    time_machine.move_to(LUNDI + timedelta(days=5), tick=False)
    client.force_login(gestionnaire)
    bientot = page(client, f"{LISTE}?vue=bientot")
    time_machine.move_to(LUNDI + timedelta(days=12), tick=False)
    client.force_login(gestionnaire)
    tard = page(client, f"{LISTE}?vue=clos")

    assert dossier.reference in clos
    assert "pour le 11 mars" not in clos
    assert "pour le 11 mars" in bientot  # listed by its day
    assert "en retard, 11 mars" in tard


def test_qui_a_signale_de_l_equipe_ne_lit_plus_rien_de_promis_une_fois_son_dossier_clos(client, gestionnaire, admin):
    choisir(acteur=acteur_de(admin), accepte=True)
    sien = fabriques.mettre(fabriques.signalement(acteur_de(gestionnaire)), statut="CLOTURE")
    client.force_login(gestionnaire)

    assert "Une première réponse" not in page(client, f"{LISTE}{sien.pk}/")


def test_un_retard_est_a_voir_tout_de_suite(client, gestionnaire, dossier, time_machine):
    time_machine.move_to(LUNDI + timedelta(days=12), tick=False)
    client.force_login(gestionnaire)

    recue = page(client, LISTE)

    tout_de_suite, ensuite = recue.index('id="tout-de-suite"'), recue.index('id="aujourd-hui"')
    assert tout_de_suite < recue.index(dossier.reference) < ensuite
    assert recue.count(f'id="d-{dossier.pk}"') == 1


def test_la_liste_des_retards_se_feuillette_dans_l_ordre_des_dates(
    client, gestionnaire, etudiante, dossier, time_machine
):
    for rang in range(60):
        time_machine.move_to(LUNDI + timedelta(hours=12 * rang), tick=False)
        fabriques.signalement(acteur_de(etudiante), titre=f"Dossier {rang}")
    time_machine.move_to(LUNDI + timedelta(days=90), tick=False)
    client.force_login(gestionnaire)
    premiere = client.get(f"{LISTE}?vue=en-retard")
    suite = premiere.context["suivante"]
    seconde = client.get(f"{LISTE}{suite}")

    jours = [un["promis"] for reponse in (premiere, seconde) for un in reponse.context["groupes"][0][1]]
    assert len(jours) == 61
    assert jours == sorted(jours)


def test_la_liste_coute_autant_pour_une_date_et_pour_neuf(client, gestionnaire, etudiante, dossier, time_machine):
    def cout():
        time_machine.move_to(LUNDI + timedelta(days=12), tick=False)
        client.force_login(gestionnaire)
        with CaptureQueriesContext(connection) as requetes:
            page(client, LISTE)
        return len(requetes)

    cout()
    un = cout()
    time_machine.move_to(LUNDI, tick=False)
    for rang in range(8):
        fabriques.signalement(acteur_de(etudiante), titre=f"Dossier {rang}")

    assert cout() == un


def test_la_fiche_dit_ce_qui_est_promis(client, gestionnaire, dossier):
    client.force_login(gestionnaire)

    recue = page(client, f"{LISTE}{dossier.pk}/")

    assert "Une première réponse : avant le 11 mars 2026 au soir" in recue
    assert page_des_dates(dossier) in recue


def test_un_dossier_sans_date_mene_a_la_page_ou_un_entretien_se_prevoit(client, gestionnaire, etudiante, admin):
    ancien = fabriques.signalement(acteur_de(etudiante))
    client.force_login(gestionnaire)
    avant = page(client, f"{LISTE}{ancien.pk}/")
    choisir(acteur=acteur_de(admin), accepte=True)
    apres = page(client, f"{LISTE}{ancien.pk}/")

    assert page_des_dates(ancien) not in avant
    assert page_des_dates(ancien) in apres
    assert "Ce dossier n'a pas de date." in page(client, page_des_dates(ancien))


def test_repondre_avec_la_marque_tient_le_retour(client, gestionnaire, dossier):
    client.force_login(gestionnaire)
    avant = page(client, f"{LISTE}{dossier.pk}/")
    client.post(f"{LISTE}{dossier.pk}/messages/", {"reponse-contenu": "Voici.", "vu_messages": "", "retour": "oui"})
    apres = page(client, f"{LISTE}{dossier.pk}/")

    assert "C'est le retour sur les suites" in avant
    assert "C'est le retour sur les suites" not in apres
    assert "Un retour sur les suites : c'est fait, le 2 mars 2026" in apres


def test_prolonger_demande_un_motif_et_garde_ce_qui_est_ecrit(client, gestionnaire, dossier):
    client.force_login(gestionnaire)
    retour = Echeance.objects.get(signalement=dossier, nature="RETOUR").pk
    boites = {"acte": "prolongation", "date": str(retour), f"prolongation-{retour}-pour_le": "2026-07-01"}

    refus = client.post(page_des_dates(dossier), boites)
    fait = client.post(page_des_dates(dossier), {**boites, f"prolongation-{retour}-motif": "Enquête en cours."})
    encore = client.post(page_des_dates(dossier), {**boites, f"prolongation-{retour}-motif": "Encore."})

    assert refus.status_code == 422
    assert 'value="2026-07-01"' in refus.content.decode()
    assert fait.status_code == 303
    assert encore.status_code == 409
    assert 'value="Encore."' in encore.content.decode()  # what was typed is there to be sent as a message
    assert "Enquête en cours." in ordinaire(page(client, page_des_dates(dossier)))


def test_deux_dossiers_joints_ne_se_prolongent_qu_une_fois(client, gestionnaire, etudiante, dossier, time_machine):
    """The one that was extended falls due after the other, which is the day shown."""
    acteur = acteur_de(gestionnaire)
    prolonger(signalement=dossier, acteur=acteur, pour_le=date(2026, 9, 1), motif="Enquête en cours.")
    time_machine.move_to(LUNDI + timedelta(days=1), tick=False)
    second = fabriques.signalement(acteur_de(etudiante), titre="Second")
    client.force_login(gestionnaire)
    avant = page(client, page_des_dates(second))
    fabriques.joindre(dossier, second)
    apres = page(client, page_des_dates(second))
    retour = Echeance.objects.get(signalement=second, nature="RETOUR").pk
    boites = {f"prolongation-{retour}-pour_le": "2026-10-01", f"prolongation-{retour}-motif": "Encore."}
    refus = client.post(page_des_dates(second), {"acte": "prolongation", "date": str(retour), **boites})

    assert "Prolonger, une seule fois" in avant
    assert "Un retour sur les suites : avant le 3 juin 2026 au soir" in apres
    assert "Prolonger, une seule fois" not in apres
    assert refus.status_code == 409


def test_un_entretien_se_prevoit_et_se_dit_tenu(client, gestionnaire, dossier):
    client.force_login(gestionnaire)
    client.post(page_des_dates(dossier), {"acte": "entretien"})
    entretien = Echeance.objects.get(signalement=dossier, nature="ENTRETIEN").pk
    prevu = page(client, page_des_dates(dossier))
    mal = client.post(
        page_des_dates(dossier), {"acte": "faite", "date": str(entretien), f"faite-{entretien}-faite_le": "2027-01-01"}
    )
    client.post(page_des_dates(dossier), {"acte": "faite", "date": str(entretien)})
    tenu = page(client, page_des_dates(dossier))

    assert "Un entretien : avant le 30 mars 2026 au soir" in prevu
    assert mal.status_code == 422
    assert "Un entretien : c'est fait, le 2 mars 2026" in tenu


@pytest.mark.parametrize("boites", [{}, {"acte": "faite", "date": "x"}, {"acte": "faite"}, {"acte": "autre"}])
def test_un_formulaire_faux_a_sa_page(client, gestionnaire, dossier, boites):
    client.force_login(gestionnaire)

    assert client.post(page_des_dates(dossier), boites).status_code in (404, 422)


def test_son_propre_dossier_n_a_pas_de_page_des_dates(client, gestionnaire, dossier):
    sien = fabriques.signalement(acteur_de(gestionnaire), titre="Le sien")
    client.force_login(gestionnaire)

    assert client.get(page_des_dates(sien)).status_code == 403
    assert page_des_dates(sien) not in page(client, f"{LISTE}{sien.pk}/")


def test_confier_n_efface_aucune_date(gestionnaire, admin, dossier):
    assigner(signalement=dossier, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))
    dossier.refresh_from_db()

    assert len(dossier.echeances) == 2


def test_qui_a_signale_de_l_equipe_lit_ce_qui_lui_est_promis_sans_pouvoir_le_changer(elle, gestionnaire, admin):
    choisir(acteur=acteur_de(admin), accepte=True)
    sien = fabriques.signalement(acteur_de(gestionnaire))

    lue = ordinaire(elle.lire(f"{LISTE}{sien.pk}/"))

    assert "Une première réponse" in lue
    assert page_des_dates(sien) not in lue


@pytest.mark.parametrize(
    ("langue", "jour", "dit"),
    [
        ("fr", date(2026, 12, 1), "1er déc."),
        ("fr", date(2026, 12, 10), "10 déc."),
        ("fr", date(2027, 2, 24), "24 fév. 2027"),
        ("en", date(2026, 12, 1), "1 Dec"),
    ],
)
def test_un_jour_tient_dans_une_ligne(time_machine, langue, jour, dit):
    time_machine.move_to("2026-11-30T12:00:00Z")

    with translation.override(langue):
        assert jour_court(jour) == dit
