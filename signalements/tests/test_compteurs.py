import threading
from collections import Counter
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from signalements import services
from signalements.compteurs.cellules import au_mois
from signalements.compteurs.lectures import effectifs, lire, total
from signalements.compteurs.pliage import plier
from signalements.compteurs.recompte import ecarts, recompter
from signalements.compteurs.suivi import suivre_lignes
from signalements.models import Effectif, Signalement
from signalements.tests import fabriques
from signalements.tests.gestes import GESTES, Registre, sans_lendemain
from signalements.vocabulaire import AU_MOIS, ETALEES, MOIS_DE, RESOLUS, Axe
from socle.domaine.instant import un_instant
from socle.domaine.temps import jour_du_campus
from socle.moteur.lectures import ensemble


@pytest.mark.django_db
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(gestes=GESTES)
def test_les_effectifs_sont_toujours_ceux_d_un_recomptage(gestes):
    with sans_lendemain():
        registre = Registre()
        registre.vivre(gestes)

        vivants = list(Signalement.objects.vivants())
        par_statut = {cle[0]: m.nombre for cle, m in lire("statut", axe=Axe.TOUT).items() if m.nombre}
        resolus = [s for s in vivants if s.statut in RESOLUS]

        paul = acteur_de(registre.gestionnaire)
        lus = Signalement.objects.visibles_par(paul)
        siens = {cle[0]: m.nombre for cle, m in lire("statut", axe=Axe.TOUT, lecteur=paul).items() if m.nombre}

        assert ecarts() == {}
        assert siens == Counter(s.statut for s in lus)
        assert par_statut == Counter(s.statut for s in vivants)
        assert total(axe=Axe.TOUT).secondes == sum(
            int((s.date_resolution - s.date_creation).total_seconds()) for s in resolus
        )


def test_plier_garde_une_ligne_par_cellule_et_les_memes_sommes(etudiante):
    for _fois in range(3):
        fabriques.signalement(acteur_de(etudiante), type="VOL")
    avant = comptees()
    lignes = Effectif.objects.count()

    plier()
    plier()

    assert comptees() == avant
    assert (lignes, Effectif.objects.count()) == (3, len(ETALEES[Axe.ENSEMBLE]))
    assert set(Effectif.objects.values_list("plie", flat=True)) == {True}
    assert not Effectif.objects.filter(axe=Axe.ENSEMBLE).exists()


@pytest.mark.parametrize("par", [("statut",), ("statut", "priorite"), ("type", "source", "priorite", "statut")])
@pytest.mark.django_db
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(gestes=GESTES)
def test_une_lecture_par_chacune_des_colonnes_vaut_une_lecture_pour_chacune(par, gestes):
    with sans_lendemain():
        Registre().vivre(gestes)

        (lues,) = ensemble(effectifs(par, axe=Axe.TOUT).par_chacune())

        attendues = [
            (*(ligne[0] if nom == une else None for nom in par), *ligne[1:])
            for une in par
            for ligne in effectifs((une,), axe=Axe.TOUT).lignes()
        ]
        assert sorted(lues, key=repr) == sorted(attendues, key=repr)


@pytest.mark.parametrize("plie", [False, True])
def test_un_mois_vaut_ses_jours(etudiante, gestionnaire, time_machine, plie):
    for moment in ("2026-01-31T22:00:00Z", "2026-02-01T10:00:00Z", "2026-02-28T22:30:00Z", "2026-03-01T01:00:00Z"):
        time_machine.move_to(moment, tick=False)
        un = fabriques.signalement(acteur_de(etudiante), type="VOL")
        if moment != "2026-02-01T10:00:00Z":
            services.changer_statut(signalement=un, statut="TRAITE", acteur=acteur_de(gestionnaire))
    if plie:
        plier()

    for jour, mois in MOIS_DE.items():
        assert par_mois("jour", "type", "equipe", axe=mois) == par_mois("jour", "type", "equipe", axe=jour)
    recus = {jour.isoformat(): mesures.nombre for (jour,), mesures in par_mois("jour", axe=Axe.MOIS).items()}
    finis = {jour.isoformat(): mesures.resolus for (jour,), mesures in par_mois("jour", axe=Axe.MOIS_RESOLU).items()}
    assert recus == {"2026-01-01": 1, "2026-02-01": 2, "2026-03-01": 1}
    assert finis == {"2026-01-01": 1, "2026-02-01": 1, "2026-03-01": 1}
    if plie:
        jours = {jour.day for (jour,) in [*lire("jour", axe=Axe.MOIS), *lire("jour", axe=Axe.MOIS_RESOLU)]}
        assert jours == {1}


@pytest.mark.parametrize("plie", [False, True])
def test_un_axe_compte_ce_qui_est_plie_et_ce_qui_ne_l_est_pas(etudiante, gestionnaire, plie):
    paul = acteur_de(gestionnaire)
    vols = [fabriques.signalement(acteur_de(etudiante), type="VOL") for _fois in range(2)]
    plier()
    services.changer_statut(signalement=vols[0], statut="TRAITE", acteur=paul)
    services.assigner(signalement=vols[1], gestionnaire_id=gestionnaire.pk, acteur=paul)
    fabriques.signalement(acteur_de(etudiante), type="MENACE")
    if plie:
        plier()

    statuts = {("NOUVEAU",): 1, ("TRAITE",): 1, ("ASSIGNE",): 1}
    for axe in (Axe.TOUT, Axe.STATUT):
        assert {cle: m.nombre for cle, m in lire("statut", axe=axe).items() if m.nombre} == statuts
    for axe in ETALEES[Axe.ENSEMBLE]:
        assert total(axe=axe)[:2] == (3, 1)
        assert total(axe=axe, type="VOL")[:2] == (2, 1)
    assert total(axe=Axe.RESOLUTION).nombre == total(axe=Axe.GESTIONNAIRE).nombre == 1
    assert total(axe=Axe.GESTIONNAIRE, gestionnaire=str(gestionnaire.pk), statut="ASSIGNE").nombre == 1
    assert {cle: m.nombre for cle, m in lire("source", axe=Axe.SOURCE, jour__gte=jour_du_campus()).items()} == {
        ("AUTH_USER",): 3
    }


@pytest.mark.postgres
@pytest.mark.django_db
def test_plier_ne_compare_pas_chaque_ligne_a_toutes_celles_du_lot(etudiante):
    """Who has last counted an empty table would else choose to, and many rows outlast the statement timeout."""
    fabriques.signalement(acteur_de(etudiante))
    with CaptureQueriesContext(connection) as requetes:
        plier()
    (repli,) = (requete["sql"] for requete in requetes if "DELETE" in requete["sql"] and "INSERT" in requete["sql"])

    with connection.cursor() as curseur:
        curseur.execute(f"EXPLAIN {repli}")
        plan = [ligne for (ligne,) in curseur.fetchall()]

    assert not [ligne for ligne in plan if "Join" in ligne or "Nested Loop" in ligne], plan


def test_une_cellule_vide_ne_reste_pas(etudiante, gestionnaire):
    dossier = fabriques.signalement(acteur_de(etudiante))
    plier()

    services.changer_statut(signalement=dossier, statut="EN_COURS", acteur=acteur_de(gestionnaire))
    plier()

    assert not Effectif.objects.filter(statut="NOUVEAU").exists()


def test_un_recomptage_trouve_ce_qui_manque_et_le_rend(etudiante):
    fabriques.signalement(acteur_de(etudiante), type="VOL")
    plier()
    Effectif.objects.filter(axe=Axe.JOUR).update(nombre=5)

    manque = recompter()

    assert [(cellule.axe, cellule.type, mesures.nombre) for cellule, mesures in manque.items()] == [("JOUR", "VOL", -4)]
    assert ecarts() == {}


def test_le_jour_est_celui_du_campus(settings, etudiante):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Asia/Tokyo")
    dossier = fabriques.signalement(acteur_de(etudiante))

    fabriques.mettre(dossier, date_creation=datetime(2026, 3, 1, 20, tzinfo=UTC))

    jours = {cle[0].isoformat() for cle, m in lire("jour", axe=Axe.JOUR).items() if m.nombre}
    assert jours == {"2026-03-02"}


def test_un_cas_reste_resolu_depuis_son_arrivee_parmi_les_resolus(etudiante, gestionnaire):
    dossier, paul = fabriques.signalement(acteur_de(etudiante)), acteur_de(gestionnaire)
    services.changer_statut(signalement=dossier, statut="TRAITE", acteur=paul)
    depuis = dossier.date_resolution

    services.changer_statut(signalement=dossier, statut="CLOTURE", acteur=paul)
    cloture = dossier.date_resolution
    services.changer_statut(signalement=dossier, statut="EN_COURS", acteur=paul)
    rouvert = dossier.date_resolution
    services.changer_statut(signalement=dossier, statut="TRAITE", acteur=paul)

    assert (depuis, cloture, rouvert) == (cloture, depuis, None)
    assert dossier.date_resolution > depuis


def test_ce_qui_est_annule_ne_compte_pas(etudiante):
    with pytest.raises(RuntimeError), transaction.atomic():
        fabriques.signalement(acteur_de(etudiante))
        raise RuntimeError

    assert not Effectif.objects.exists()


def test_un_changement_en_masse_compte_aussi(etudiante):
    dossiers = [fabriques.signalement(acteur_de(etudiante)) for _fois in range(3)]

    with suivre_lignes([d.pk for d in dossiers]):
        Signalement.objects.update(statut="TRAITE", date_resolution=timezone.now())

    assert ecarts() == {}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_ecrire_plier_et_recompter_a_la_fois_ne_perd_rien():
    auteurs = [comptes.compte(email=f"e{rang}@campus.test") for rang in range(4)]
    fini, trouves = threading.Event(), []

    def signaler(compte):
        try:
            for _fois in range(15):
                fabriques.signalement(acteur_de(compte), type="VOL")
        finally:
            connection.close()

    def entretenir():
        try:
            while not fini.is_set():
                plier()
                trouves.append(ecarts())
        finally:
            connection.close()

    ecrivains = [threading.Thread(target=signaler, args=[compte]) for compte in auteurs]
    gardiens = [threading.Thread(target=entretenir) for _fois in range(2)]
    for fil in (*gardiens, *ecrivains):
        fil.start()
    for fil in ecrivains:
        fil.join()
    fini.set()
    for fil in gardiens:
        fil.join()

    assert trouves
    assert not any(trouves)
    assert ecarts() == {}
    assert total(axe=Axe.JOUR, type="VOL").nombre == 60


@pytest.mark.django_db(transaction=True)
def test_un_recomptage_hors_de_toute_transaction_n_arrete_personne():
    etudiante = comptes.compte(email="awa@campus.test")
    fabriques.signalement(acteur_de(etudiante), type="VOL")
    plier()
    Effectif.objects.filter(axe=Axe.STATUT).delete()

    with un_instant():
        avant = Signalement.objects.count()
        ecrivain = threading.Thread(target=signaler_d_ailleurs, args=[etudiante])
        ecrivain.start()
        ecrivain.join()  # on SQLite it would wait for ever behind a reader that holds the right to write
        apres = Signalement.objects.count()
    recompter()

    assert (avant, apres, Signalement.objects.count()) == (1, 1, 2)
    assert ecarts() == {}


def comptees():
    """What each axis holds of each of its dimensions, by month where it has months: its changes have days."""
    return {
        axe: par_mois(*regard, axe=axe) if axe in AU_MOIS else lire(*regard, axe=axe)
        for regards in ETALEES.values()
        for axe, regard in regards.items()
    }


def par_mois(*par, axe):
    return au_mois(lire(*par, axe=axe), par)


def signaler_d_ailleurs(compte):
    try:
        fabriques.signalement(acteur_de(compte), type="VOL")
    finally:
        connection.close()
