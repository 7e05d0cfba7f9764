"""The dashboard of the team's first page."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.asserts import assertInHTML, assertNotInHTML

from accounts.tests.outils import entrer
from config.tests.outils import acteur_de
from signalements import services
from signalements.tests.fabriques import joindre, mettre, signalement
from socle.domaine import droits
from socle.realtime.models import CompteurEvenements
from stats.page.nombres import lire

pytestmark = pytest.mark.django_db
MIDI = datetime(2026, 11, 21, 12, 5, tzinfo=UTC)
PAGE, FRAGMENT = "/admin/", "/admin/tableau/"


@pytest.fixture
def lu(gestionnaire):
    """lu(): the drawings as the manager gets them."""
    client = entrer(gestionnaire.email)
    return lambda adresse=FRAGMENT: client.get(adresse).content.decode()


def chiffre(texte, nom):
    """The large number under this name."""
    return re.search(rf"<dt>{nom}</dt><dd>(.*?)</dd>", texte).group(1)


def ligne(nom, *valeurs):
    return f'<tr><th scope="row">{nom}</th>{"".join(f"<td>{valeur}</td>" for valeur in valeurs)}</tr>'


def il_y_a(**duree):
    return timezone.now() - timedelta(**duree)


def resolu(acteur, *, recu, fini, statut="TRAITE"):
    return mettre(signalement(acteur), statut=statut, date_creation=recu, date_resolution=fini)


# --- Numbers --------------------------------------------------------------------------------------------------------


def test_les_dossiers_se_comptent_par_statut(lu, etudiante, invite):
    for qui, statut in [(etudiante, "NOUVEAU"), (invite, "NOUVEAU"), (invite, "EN_COURS"), (etudiante, "CLOTURE")]:
        mettre(signalement(acteur_de(qui)), statut=statut)

    texte = lu()

    for nom, nombre in [("Nouveau", 2), ("Assigné", 0), ("En cours", 1), ("Traité", 0), ("Clôturé", 1)]:
        assertInHTML(ligne(nom, nombre), texte)
    assert chiffre(texte, "Dossiers ouverts") == "3"
    assert "3 dossiers ouverts, 1 traité ou clôturé." in texte


def test_un_dossier_joint_a_un_autre_ne_compte_pas(lu, etudiante):
    acteur = acteur_de(etudiante)
    joindre(signalement(acteur), signalement(acteur))

    assert chiffre(lu(), "Dossiers ouverts") == "1"


@time_machine.travel(MIDI)
def test_chaque_jour_a_ses_recus_et_ses_resolus(settings, etudiante):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Africa/Kinshasa")
    aujourdhui = timezone.now().astimezone(settings.TIME_ZONE_CAMPUS).date()
    hier = aujourdhui - timedelta(days=1)
    tard = datetime(hier.year, hier.month, hier.day, 23, 30, tzinfo=settings.TIME_ZONE_CAMPUS)
    acteur = acteur_de(etudiante)
    resolu(acteur, recu=tard - timedelta(days=3), fini=tard.astimezone(UTC))
    resolu(acteur, recu=tard - timedelta(days=1), fini=tard.astimezone(UTC))
    signalement(acteur)

    jours = {jour.date: jour for jour in lire(acteur).tendance}

    assert len(jours) == 30
    assert list(jours) == sorted(jours)
    assert (jours[hier].recus, jours[hier].resolus, jours[hier].delai) == (0, 2, 48.0)
    assert (jours[aujourdhui].recus, jours[aujourdhui].resolus, jours[aujourdhui].delai) == (1, 0, None)
    assert jours[hier - timedelta(days=3)].recus == 1


def test_les_recus_des_sept_derniers_jours(lu, etudiante):
    for jours in (0, 6, 7, 40):
        mettre(signalement(acteur_de(etudiante)), date_creation=il_y_a(days=jours))

    assert chiffre(lu(), "Reçus en 7 jours") == "2"


def test_le_temps_de_resolution_des_trente_jours_et_de_toujours(lu, etudiante):
    acteur = acteur_de(etudiante)
    resolu(acteur, recu=il_y_a(hours=30), fini=il_y_a(hours=20))
    resolu(acteur, recu=il_y_a(hours=50), fini=il_y_a(hours=20), statut="CLOTURE")
    resolu(acteur, recu=il_y_a(days=200), fini=il_y_a(days=195))

    texte = lu()

    assert chiffre(texte, "Temps de résolution") == "20 h"
    assert "Depuis le début : 2 j 5 h" in texte


def test_ce_qui_attend_le_plus_est_montre_d_abord_et_dix_au_plus(lu, etudiante):
    acteur = acteur_de(etudiante)
    for jours in range(12):
        mettre(signalement(acteur, titre=f"Attente {jours}"), date_creation=il_y_a(days=jours, minutes=1))
    mettre(signalement(acteur, titre="Fini"), date_creation=il_y_a(days=90), statut="CLOTURE")

    texte = lu()

    assert re.findall(r'class="titre"[^>]*><bdi>(.*?)<', texte) == [f"Attente {jours}" for jours in range(11, 1, -1)]
    assert chiffre(texte, "Plus longue attente") == "11 jours"


def test_ce_qui_change_se_lit_a_la_lecture_suivante(lu, signalement, gestionnaire):
    assert chiffre(lu(), "Dossiers ouverts") == "1"

    services.changer_statut(signalement=signalement, statut="TRAITE", acteur=acteur_de(gestionnaire))

    texte = lu()
    assert chiffre(texte, "Dossiers ouverts") == "0"
    assert "Rien n'attend : chaque dossier est traité." in texte
    assert chiffre(texte, "Plus longue attente") == "–"


def test_un_service_sans_signalement_le_dit_avec_des_mots(lu):
    texte = lu(PAGE)

    assert "Aucun signalement pour l'instant." in texte
    assert 'role="img"' not in texte


def test_un_mois_calme_se_dit_aussi(lu, etudiante):
    resolu(acteur_de(etudiante), recu=il_y_a(days=99), fini=il_y_a(days=98))

    texte = lu()

    assert "Rien de reçu ni de résolu ces 30 derniers jours." in texte
    assert "Aucun dossier résolu ces 30 derniers jours. Depuis le début : 24 h" in texte


def test_le_tableau_coute_autant_pour_un_et_pour_neuf(lu, etudiante, invite):
    def cout():
        with CaptureQueriesContext(
            connection,
        ) as requetes:
            lu(PAGE)
        return len(requetes)

    signalement(acteur_de(etudiante))
    pour_un = cout()
    for rang in range(8):
        mettre(signalement(acteur_de(invite if rang % 2 else etudiante)), date_creation=il_y_a(days=rang))

    assert cout() == pour_un


# --- Who sees it, and what nobody sees ------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_toute_l_equipe_le_voit(personne, persona, signalement):
    client = entrer(personne(persona).email)

    for adresse in (PAGE, FRAGMENT):
        assertInHTML("<dt>Dossiers ouverts</dt>", client.get(adresse).content.decode())


@pytest.mark.parametrize("persona", ["anonyme", "etudiante"])
def test_les_autres_trouvent_la_porte(personne, persona, signalement):
    client = Client()
    if qui := personne(persona):
        client.force_login(qui)

    reponse = client.get(FRAGMENT)

    assert (reponse.status_code, reponse.url) == (302, f"/admin/login/?next={FRAGMENT}")


@pytest.mark.parametrize("droit", ["signalements.consulter_tous", "stats.consulter_globales"])
def test_qui_ne_consulte_pas_tous_les_dossiers_ne_voit_pas_leurs_nombres(lu, gestionnaire, monkeypatch, droit):
    monkeypatch.setitem(droits.DROITS, "GESTIONNAIRE", droits.DROITS["GESTIONNAIRE"] - {droit})

    assertNotInHTML("<dt>Dossiers ouverts</dt>", lu(PAGE))
    assert entrer(gestionnaire.email).get(FRAGMENT).status_code == 403


def test_le_tableau_ne_se_lit_qu_en_get_et_ne_se_garde_pas(gestionnaire):
    client = entrer(gestionnaire.email)

    assert client.post(FRAGMENT).status_code == 405
    assert "no-store" in client.get(FRAGMENT).headers["Cache-Control"]


def test_les_sections_restent_sous_le_tableau_et_il_n_est_que_sur_la_premiere_page(lu):
    premiere = lu(PAGE)

    assert premiere.index('id="tableau"') < premiere.index('id="que-faire"')
    assert 'id="tableau"' not in lu("/admin/forum/")


def test_personne_n_est_nomme_ni_qui_signale_ni_qui_traite(lu, etudiante, admin):
    dossier = signalement(acteur_de(etudiante), mode_identification="IDENTIFIE")
    services.assigner(signalement=dossier, gestionnaire_id=admin.pk, acteur=acteur_de(admin))

    texte = lu()

    assert dossier.reference in texte
    for secret in ("Diop", "Awa", "Kabila", "Rose", str(etudiante.pk), str(admin.pk)):
        assert secret not in texte
    assert f'href="/equipe/dossiers/{dossier.pk}/"' in texte


def test_un_identifiant_invite_colle_dans_un_titre_est_masque(lu, invite):
    signalement(acteur_de(invite), titre=f"Voici mon code {invite.guest_id}")

    texte = lu()

    assert str(invite.guest_id) not in texte
    assert "Voici mon code [identifiant masqué]" in texte


def test_un_titre_n_est_que_du_texte(lu, etudiante):
    signalement(acteur_de(etudiante), titre="<script>alert(1)</script>", type="A_B")

    assert "<script>alert" not in lu(PAGE)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in lu()


# --- Read by a browser, or aloud ------------------------------------------------------------------------------------


def test_rien_n_est_ecrit_dans_la_page_que_la_politique_refuserait(lu, etudiante):
    resolu(acteur_de(etudiante), recu=il_y_a(days=2), fini=il_y_a(days=1))
    page = lu(PAGE)

    assert not re.search(r"\sstyle=|\son\w+=|<style", page)
    assert re.findall(r"<script(?![^>]*\ssrc=)", page) == []


def test_chaque_dessin_a_un_nom_et_ses_nombres_en_table(lu, etudiante):
    resolu(acteur_de(etudiante), recu=il_y_a(days=2), fini=il_y_a(days=1))
    texte = lu()

    dessins = re.findall(r'<svg[^>]*role="img" aria-labelledby="(\S+) (\S+)"', texte)

    assert len(dessins) == texte.count("<table>") == 3
    for nom, description in dessins:
        assert re.search(rf'<title id="{nom}">[^<]+</title>\s*<desc id="{description}">[^<]+</desc>', texte)
    identifiants = re.findall(r'\sid="(.*?)"', texte)
    assert len(identifiants) == len(set(identifiants))


@time_machine.travel(MIDI, tick=False)
def test_la_page_dit_d_ou_reprendre_et_a_quelle_heure_elle_a_ete_lue(lu, settings, signalement):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Africa/Kinshasa")
    CompteurEvenements.objects.update_or_create(pk=1, defaults={"dernier_numero": 1234})

    page = lu(PAGE)

    assert 'data-depuis="1234"' in page
    assert 'aria-live="polite">Mis à jour à 13:05<' in page


def test_les_nombres_se_dessinent_pareil_en_anglais(gestionnaire, etudiante):
    for jours in range(3):
        resolu(acteur_de(etudiante), recu=il_y_a(days=5 + jours), fini=il_y_a(days=jours + 1))

    texte = entrer(gestionnaire.email).get(FRAGMENT, headers={"Accept-Language": "en"}).content.decode()

    assert re.findall(r'(?:x|y|width|height|cx|cy|x1|x2|y1|y2)="[^"]*,[^"]*"', texte) == []
