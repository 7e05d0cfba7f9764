"""The dashboard: its numbers are the API's, for whom they are, and what they tell of nobody."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte
from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from espace.tests.outils import Equipiere, texte_de
from signalements import services
from signalements.reserve import changer_lecteurs
from signalements.tests.fabriques import joindre, mettre, signalement
from socle.domaine import droits
from socle.realtime.models import CompteurEvenements
from stats.chiffres.bilan import lire
from stats.chiffres.sources import Filtre

pytestmark = pytest.mark.django_db
MIDI = datetime(2026, 11, 21, 12, 5, tzinfo=UTC)
PAGE = "/equipe/tableau/"
STATS = "/api/v1/stats/"
LES_DEUX = ["signalements.consulter_tous", "stats.consulter_globales"]


@pytest.fixture
def lu(elle):
    """lu(debut="2026-01-01"): the page as the manager gets it."""
    return lambda **question: elle.lire(PAGE, **question)


def chiffre(texte, nom):
    """The large number under this name."""
    return re.search(rf"<dt>{nom}</dt><dd>(.*?)</dd>", texte)[1]


def bloc(texte, nom):
    return texte.partition(f'id="{nom}"')[2].partition("</section>")[0]


def barres(texte, nom):
    """{name of a bar, without its tags: its number} of a list."""
    lues = re.findall(r"<li><span>(.*?)</span><b>(.*?)</b>", bloc(texte, nom))
    return {re.sub(r"<[^>]+>", "", libelle).strip(): nombre for libelle, nombre in lues}


def lignes(texte):
    """The rows of the table of periods: first day, received, resolved, mean time."""
    rangs = re.findall(r"<tr>(.*?)</tr>", bloc(texte, "evolution-lignes"))
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", rang) for rang in rangs]


def il_y_a(**duree):
    return timezone.now() - timedelta(**duree)


def resolu(acteur, *, recu, fini, statut="TRAITE"):
    return mettre(signalement(acteur), statut=statut, date_creation=recu, date_resolution=fini)


@pytest.fixture
def scene(etudiante, invite, gestionnaire, admin):
    """Cases of every sort, one of them closed to the manager, one their own, some old, some handled."""
    acteur = acteur_de(etudiante)
    varies = [
        ("NOUVEAU", "VOL", "HIGH", 1),
        ("EN_COURS", "VOL", "LOW", 20),
        ("TRAITE", "HARCELEMENT", "CRITICAL", 45),
        ("CLOTURE", "BRUIT", "MEDIUM", 400),
    ]
    for statut, type_, priorite, jours in varies:
        for qui in (acteur, acteur_de(invite)):
            dossier = signalement(qui, type=type_)
            mettre(dossier, statut=statut, priorite=priorite, date_creation=il_y_a(days=jours))
    ferme = signalement(acteur, type="VOL", titre="Fermé à Nadia")
    services.assigner(signalement=ferme, gestionnaire_id=admin.pk, acteur=acteur_de(admin))
    changer_lecteurs(signalement=ferme, acteur=acteur_de(admin), ecartes=[gestionnaire.pk])
    le_sien = signalement(acteur_de(gestionnaire), titre="Le mien")
    services.assigner(signalement=le_sien, gestionnaire_id=admin.pk, acteur=acteur_de(admin))
    return {"ferme": ferme, "le_sien": le_sien}


# --- The API's numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
@pytest.mark.parametrize("jours", [None, 30, 300, 3000])
@pytest.mark.parametrize("type_", [None, "vol"])
def test_ce_sont_les_nombres_de_l_api_pour_la_meme_personne(scene, api, personne, persona, jours, type_):
    qui = personne(persona)
    debut = (timezone.now() - timedelta(days=jours)).date().isoformat() if jours else None
    question = {nom: valeur for nom, valeur in (("debut", debut), ("type", type_)) if valeur}
    periode = {None: "semaine", 30: "jour", 300: "semaine", 3000: "mois"}[jours]

    def api_dit(chemin, **autre):
        return api(qui).get(f"{STATS}{chemin}", {**question, **autre}).json()["data"]

    contexte = Equipiere(qui).get(PAGE, question).context

    dit = api_dit("signalements")
    assert contexte["total"] == dit["total"]
    assert [barre.nombre for groupe in contexte["par_statut"] for barre in groupe["barres"]] == [
        dit["parStatut"][statut] for statut in ("NOUVEAU", "ASSIGNE", "EN_COURS", "EN_ATTENTE", "TRAITE", "CLOTURE")
    ]
    assert [barre.nombre for barre in contexte["par_priorite"]] == [
        dit["parPriorite"][priorite] for priorite in ("CRITICAL", "HIGH", "MEDIUM", "LOW")
    ]
    assert [barre.nombre for barre in [*contexte["par_mois"], *contexte["mois_d_avant"]]] == [
        un["total"] for un in reversed(dit["parMois"])
    ]
    assert sorted(barre.nombre for barre in contexte["par_type"]) == sorted(
        une["total"] for une in api_dit("dashboard/distribution/categories") if une["total"]
    )
    recus, resolus = (api_dit(f"dashboard/trends/{quoi}", periode=periode) for quoi in ("cases", "resolution"))
    assert [(une["recus"], une["resolus"]) for une in contexte["evolution"]["lignes"]] == [
        (recu["total"], resolu["resolus"]) for recu, resolu in zip(recus, resolus, strict=True)
    ]
    equipe = api(qui).get(f"{STATS}dashboard/team").json()["data"]
    assert {barre.libelle: barre.nombre for barre in contexte["par_personne"][1:]} == {
        f"{une['prenom']} {une['nom']}": une["enCours"] for une in equipe if une["enCours"]
    }
    assert contexte["ouverts"] == api(qui).get(f"{STATS}dashboard").json()["data"]["ouverts"]


def test_un_dossier_ferme_ne_compte_nulle_part_pour_qui_en_est_ecarte(scene, gestionnaire, admin):
    ecartee, elle = (Equipiere(qui).lire(PAGE) for qui in (gestionnaire, admin))

    assert (chiffre(ecartee, "Reçus"), chiffre(elle, "Reçus")) == ("9", "10")
    assert "Fermé à Nadia" not in ecartee
    assert "Fermé à Nadia" in elle


def test_son_propre_dossier_ne_dit_pas_qui_s_en_occupe(scene, gestionnaire, admin):
    """Neither by a name, nor by a number that it would move."""
    qui = f"{admin.prenom} {admin.nom}"
    page = Equipiere(gestionnaire).lire(PAGE)

    assert "Le mien" in bloc(page, "attentes")
    assert qui not in barres(page, "personnes")
    assert barres(page, "personnes")["Personne"] == "4"
    assert barres(Equipiere(admin).lire(PAGE), "personnes")[qui] == "2"

    Compte.objects.filter(pk=admin.pk).update(est_actif=False)

    assert qui not in Equipiere(gestionnaire).lire(PAGE)


def test_son_dossier_que_personne_ne_traite_ne_se_lit_pas_non_plus(gestionnaire, etudiante):
    signalement(acteur_de(gestionnaire))
    signalement(acteur_de(etudiante))

    page = Equipiere(gestionnaire).lire(PAGE)

    assert chiffre(page, "Ouverts en ce moment") == "2"
    assert barres(page, "personnes") == {"Personne": "1"}


def test_qui_a_quitte_l_equipe_et_garde_des_dossiers_est_nomme_a_part(lu, etudiante, gestionnaire, admin):
    parti, oublie = (comptes.gestionnaire(nom=nom) for nom in ("Zed", "Yan"))
    for qui, statut in ((parti, "EN_COURS"), (oublie, "CLOTURE")):
        dossier = signalement(acteur_de(etudiante))
        services.assigner(signalement=dossier, gestionnaire_id=qui.pk, acteur=acteur_de(admin))
        services.changer_statut(signalement=dossier, statut=statut, acteur=acteur_de(admin))
    Compte.objects.filter(pk__in=[parti.pk, oublie.pk]).update(est_actif=False)

    page = lu()

    assert barres(page, "personnes") == {"Personne": "0", "Paul Zed n'est plus de l'équipe": "1"}
    assert f"?vue=ouverts&gestionnaireId={parti.pk}" in page
    assert "Yan" not in page
    assert "2 personnes de l'équipe n'en ont aucun." in page


def test_les_dossiers_d_une_personne_sont_ceux_de_sa_liste(elle, scene, etudiante, gestionnaire, admin):
    for rang in range(3):
        dossier = signalement(acteur_de(etudiante), titre=f"À elle {rang}")
        services.assigner(signalement=dossier, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))
    page = elle.lire(PAGE)
    adresses = re.findall(r'href="/equipe/dossiers/\?([^"]+)"', bloc(page, "personnes"))

    listes = [re.search(r"<h2[^>]*>(\d+) dossier", elle.lire(f"/equipe/dossiers/?{une}"))[1] for une in adresses]

    assert listes == list(barres(page, "personnes").values()) == ["4", "3"]


# --- What they are --------------------------------------------------------------------------------------------------


def test_les_dossiers_se_comptent_par_statut(lu, etudiante, invite):
    for qui, statut in [(etudiante, "NOUVEAU"), (invite, "NOUVEAU"), (invite, "EN_COURS"), (etudiante, "CLOTURE")]:
        mettre(signalement(acteur_de(qui)), statut=statut)

    texte = lu()

    assert barres(texte, "statuts") == {
        "Nouveau": "2",
        "Assigné": "0",
        "En cours": "1",
        "En attente": "0",
        "Traité": "0",
        "Clôturé": "1",
    }
    assert chiffre(texte, "Ouverts en ce moment") == "3"
    assert (chiffre(texte, "Reçus"), chiffre(texte, "Résolus, parmi eux")) == ("4", "1")


def test_un_dossier_joint_a_un_autre_ne_compte_pas(lu, etudiante):
    acteur = acteur_de(etudiante)
    joindre(signalement(acteur), signalement(acteur))

    assert chiffre(lu(), "Ouverts en ce moment") == "1"


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

    lues = lire(acteur, Filtre(debut=aujourdhui - timedelta(days=29))).evolution
    jours = {jour.date: jour for jour in lues}

    assert len(jours) == 30
    assert list(jours) == sorted(jours)
    assert (jours[hier].recus, jours[hier].resolus, jours[hier].delai) == (0, 2, 48.0)
    assert (jours[aujourdhui].recus, jours[aujourdhui].resolus, jours[aujourdhui].delai) == (1, 0, None)
    assert jours[hier - timedelta(days=3)].recus == 1


@time_machine.travel(MIDI)
@pytest.mark.parametrize(
    ("question", "titre", "combien"),
    [
        ({}, "Reçus et résolus, les 30 dernières semaines", 30),
        ({"fin": "2026-06-30"}, "Reçus et résolus, les 30 dernières semaines", 30),
        ({"debut": "2026-10-23"}, "Reçus et résolus, par jour", 30),
        ({"debut": "2026-11-20", "fin": "2026-11-20"}, "Reçus et résolus, par jour", 1),
        ({"debut": "2026-10-21"}, "Reçus et résolus, par semaine", 5),
        ({"debut": "2025-12-01"}, "Reçus et résolus, par semaine", 51),
        ({"debut": "2025-11-16"}, "Reçus et résolus, par semaine", 54),
        ({"debut": "2025-11-15"}, "Reçus et résolus, par mois", 13),
        ({"debut": "2027-01-01"}, "Reçus et résolus, par jour", 1),
    ],
)
def test_une_periode_longue_se_dessine_par_semaine_puis_par_mois(lu, signalement, question, titre, combien):
    texte = lu(**question)

    assert titre in texte
    assert len(lignes(texte)) == combien


@time_machine.travel(MIDI)
def test_un_dossier_recu_avant_la_periode_et_fini_pendant_est_du_dessin_et_non_des_recus(lu, etudiante):
    resolu(acteur_de(etudiante), recu=il_y_a(days=60), fini=il_y_a(days=2))

    texte = lu(debut=il_y_a(days=29).date())

    assert chiffre(texte, "Résolus, parmi eux") == "0"
    assert "Résolus, reçus plus tôt compris, barre étroite : 1" in texte


@time_machine.travel(MIDI)
def test_les_periodes_que_l_on_demande_le_plus_sont_des_liens_qui_gardent_le_type(lu, signalement):
    liens = re.findall(r'class="puce" href="([^"]*)"( aria-current="true")?>([^<]+)<', lu(type="VOL"))

    assert liens == [
        ("?debut=2026-10-23&type=VOL", "", "30 jours"),
        ("?debut=2025-12-01&type=VOL", "", "12 mois"),
        ("?type=VOL", ' aria-current="true"', "Tout"),
    ]
    assert 'href="?debut=2026-10-23" aria-current="true">30 jours' in lu(debut="2026-10-23")
    assert 'class="puce" aria-current' not in lu(debut="2026-10-23", fin="2026-11-01")


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ({}, "Tous les dossiers."),
        ({"debut": "2026-01-02"}, "Dossiers reçus depuis le 2 janvier 2026."),
        ({"fin": "2026-01-02"}, "Dossiers reçus jusqu'au 2 janvier 2026."),
        (
            {"debut": "2026-01-02", "fin": "2026-02-03", "type": "vol"},
            "Dossiers reçus du 2 janvier 2026 au 3 février 2026. Type : Vol.",
        ),
        ({"type": "bruit_la_nuit"}, "Tous les dossiers. Type : Bruit la nuit."),
    ],
)
def test_la_page_dit_de_quels_dossiers_elle_parle(lu, question, phrase):
    texte = lu(**question)

    assert f'<h2 id="periode-titre">{phrase}</h2>' in texte
    if "type" in question:
        assert re.search(rf'value="{question["type"].upper()}" selected', texte)


def test_le_temps_de_resolution(lu, etudiante):
    acteur = acteur_de(etudiante)
    resolu(acteur, recu=il_y_a(hours=30), fini=il_y_a(hours=20))
    resolu(acteur, recu=il_y_a(hours=50), fini=il_y_a(hours=20), statut="CLOTURE")

    assert chiffre(lu(), "Temps de résolution moyen") == "20 h"


def test_ce_qui_attend_le_plus_est_montre_d_abord_et_dix_au_plus(lu, etudiante):
    acteur = acteur_de(etudiante)
    for jours in range(12):
        mettre(signalement(acteur, titre=f"Attente {jours}"), date_creation=il_y_a(days=jours, minutes=1))
    mettre(signalement(acteur, titre="Fini"), date_creation=il_y_a(days=90), statut="CLOTURE")

    texte = bloc(lu(debut=timezone.now().date().isoformat()), "attentes")  # whatever the period

    assert re.findall(r"<a [^>]*><bdi>(.*?)<", texte) == [f"Attente {jours}" for jours in range(11, 1, -1)]
    assert ">11 j</time>" in texte


def test_ce_qui_change_se_lit_a_la_lecture_suivante(lu, signalement, gestionnaire):
    assert chiffre(lu(), "Ouverts en ce moment") == "1"

    services.changer_statut(signalement=signalement, statut="TRAITE", acteur=acteur_de(gestionnaire))

    texte = lu()
    assert chiffre(texte, "Ouverts en ce moment") == "0"
    assert "Rien n'attend : chaque dossier est traité." in texte


def test_un_service_sans_signalement_le_dit_avec_des_mots(lu):
    texte = lu()

    assert "Rien de reçu ni de résolu dans ce temps." in texte
    assert "Rien n'attend : chaque dossier est traité." in texte
    assert 'role="img"' not in texte
    assert chiffre(texte, "Temps de résolution moyen") == "–"


def test_les_types_rares_se_reunissent_comme_dans_l_api(lu, etudiante, settings):
    for type_, nombre in (("VOL", 7), ("BRUIT", 2), ("VIOLENCE", 5)):
        for _fois in range(nombre):
            signalement(acteur_de(etudiante), type=type_)

    separes = lu()
    settings.SMALL_CELLS_BELOW = 5
    reunis = lu()

    assert barres(separes, "types") == {"Vol": "7", "Violence": "5", "Bruit": "2"}
    assert barres(reunis, "types") == {"Vol": "7", "Autre": "7"}
    assert "réunis sous « Autre »" not in separes
    assert "Les types de moins de 5 dossiers sont réunis sous « Autre »." in reunis
    assert "Bruit" not in reunis


def test_au_dela_d_un_an_les_mois_d_avant_sont_a_part(lu, etudiante):
    for jours in (1, 500):
        mettre(signalement(acteur_de(etudiante)), date_creation=il_y_a(days=jours))

    texte = lu()

    assert len(barres(texte.partition('id="mois-d-avant"')[0], "mois")) == 12
    assert list(barres(texte, "mois-d-avant").values())[-1] == "1"


def test_le_tableau_coute_autant_pour_un_et_pour_neuf(elle, etudiante, invite, admin):
    def cout():
        with CaptureQueriesContext(connection) as requetes:
            elle.lire(PAGE)
        return len(requetes)

    signalement(acteur_de(etudiante))
    cout()
    pour_un = cout()
    for rang in range(8):
        dossier = mettre(signalement(acteur_de(invite if rang % 2 else etudiante)), date_creation=il_y_a(days=rang))
        qui = comptes.gestionnaire()
        services.assigner(signalement=dossier, gestionnaire_id=qui.pk, acteur=acteur_de(admin))
    elle.lire(PAGE)  # which the register notes

    assert cout() == pour_un


# --- A period that cannot be ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "refus"),
    [
        ({"debut": "2026-02-30"}, "Un jour est attendu sous la forme AAAA-MM-JJ."),
        ({"fin": "hier"}, "Un jour est attendu sous la forme AAAA-MM-JJ."),
        ({"debut": "2026-02-02", "fin": "2026-02-01"}, "La fin doit venir après le début."),
        ({"debut": "1950-01-01"}, "La période est trop longue : 400 dates au plus."),
        ({"type": "x" * 51}, "51"),
    ],
)
def test_une_periode_qui_ne_se_peut_pas_est_rendue_comme_on_l_a_tapee(elle, api, gestionnaire, question, refus):
    reponse = elle.get(PAGE, question)
    dit = api(gestionnaire).get(f"{STATS}signalements", question)

    texte = texte_de(reponse)
    assert (reponse.status_code, dit.status_code) == (422, 422)
    assert refus in texte
    for valeur in question.values():
        assert f'value="{valeur}"' in texte or f'value="{valeur.upper()}" selected' in texte
    assert "Reçus" not in texte.partition("<main")[2]
    assert 'aria-current="true"' not in texte


# --- Who sees it, and what nobody sees ------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_toute_l_equipe_le_voit(personne, persona, signalement):
    page = Equipiere(personne(persona)).lire(PAGE)

    assert chiffre(page, "Ouverts en ce moment") == "1"
    assert f'<a href="{PAGE}" aria-current="page">' in page


def test_les_autres_trouvent_la_porte(etudiante, signalement):
    reponse = Client().get(PAGE)

    assert (reponse.status_code, reponse.url) == (302, "/admin/login/?next=%2Fequipe%2Ftableau%2F")
    assert Equipiere(etudiante).get(PAGE).status_code == 403


@pytest.mark.parametrize("droit", LES_DEUX)
def test_qui_ne_consulte_pas_tous_les_dossiers_ne_voit_pas_leurs_nombres(elle, gestionnaire, monkeypatch, droit):
    monkeypatch.setitem(droits.DROITS, "GESTIONNAIRE", droits.DROITS["GESTIONNAIRE"] - {droit})

    assert elle.get(PAGE).status_code == 403
    assert PAGE not in texte_de(elle.get("/equipe/membres/"))


def test_le_tableau_ne_se_lit_qu_en_get_et_ne_se_garde_pas(elle):
    assert elle.envoyer(PAGE).status_code == 405
    assert "no-store" in elle.get(PAGE).headers["Cache-Control"]


def test_l_administration_y_mene_et_ne_le_porte_plus(elle, signalement):
    page = elle.lire("/admin/")

    assert f'href="{PAGE}"' in page
    assert signalement.titre not in page
    assert elle.get("/admin/tableau/").status_code == 404


def test_qui_signale_n_est_pas_nomme(lu, etudiante):
    dossier = signalement(acteur_de(etudiante), mode_identification="IDENTIFIE")

    texte = lu()

    assert f'href="/equipe/dossiers/{dossier.pk}/"' in texte
    for secret in ("Diop", "Awa", str(etudiante.pk)):
        assert secret not in texte


def test_un_identifiant_invite_colle_dans_un_titre_est_masque(lu, invite):
    signalement(acteur_de(invite), titre=f"Voici mon code {invite.guest_id}")

    texte = lu()

    assert str(invite.guest_id) not in texte
    assert "Voici mon code [identifiant masqué]" in texte


def test_un_titre_n_est_que_du_texte(elle, etudiante):
    signalement(acteur_de(etudiante), titre="<script>alert(1)</script>", type="A_B")

    page = elle.get(PAGE).content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


# --- Read by a browser, or aloud ------------------------------------------------------------------------------------


def test_rien_n_est_ecrit_dans_la_page_que_la_politique_refuserait(lu, etudiante):
    resolu(acteur_de(etudiante), recu=il_y_a(days=2), fini=il_y_a(days=1))
    page = lu()

    assert not re.search(r"\sstyle=|\son\w+=|<style", page)
    assert re.findall(r"<script(?![^>]*\ssrc=)", page) == []


def test_le_dessin_a_un_nom_et_ses_nombres_en_table(lu, etudiante):
    resolu(acteur_de(etudiante), recu=il_y_a(days=2), fini=il_y_a(days=1))
    texte = lu(debut=il_y_a(days=20).date().isoformat())

    assert 'role="img" aria-label="Reçus et résolus, par jour. Reçus : 1. Résolus : 1."' in texte
    assert len(lignes(texte)) == 21
    assert [ligne[1:] for ligne in lignes(texte)[-3:]] == [["1", "0", "–"], ["0", "1", "24 h"], ["0", "0", "–"]]
    identifiants = re.findall(r'\sid="(.*?)"', texte)
    assert len(identifiants) == len(set(identifiants))


def test_un_jour_de_presse_est_coupe_et_son_nombre_ecrit(lu, etudiante):
    acteur = acteur_de(etudiante)
    for jours, nombre in ((1, 2), (2, 1), (3, 2), (4, 30)):
        for _fois in range(nombre):
            mettre(signalement(acteur), date_creation=il_y_a(days=jours))

    texte = lu(debut=il_y_a(days=9).date().isoformat())

    assert re.findall(r'class="nombre"[^>]*>(\d+)<', texte) == ["30"]
    assert "Une barre coupée dépasse l'échelle : son nombre est écrit." in texte


@time_machine.travel(MIDI, tick=False)
def test_la_page_dit_d_ou_reprendre_et_a_quelle_heure_elle_a_ete_lue(lu, settings, signalement):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Africa/Kinshasa")
    CompteurEvenements.objects.update_or_create(pk=1, defaults={"dernier_numero": 1234})

    page = lu()

    assert 'data-depuis="1234"' in page
    assert 'role="status">Mis à jour à 13:05<' in page


def test_les_nombres_se_dessinent_pareil_en_anglais(elle, etudiante):
    for jours in range(3):
        resolu(acteur_de(etudiante), recu=il_y_a(days=5 + jours), fini=il_y_a(days=jours + 1))

    texte = texte_de(elle.get(PAGE, headers={"Accept-Language": "en"}))

    assert re.findall(r'\s(?:x|y|width|height|d)="[^"]*,[^"]*"', texte) == []
