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
from signalements.effectifs import Cellule, _un_instant, ecarts, lire, plier, recompter, suivre_lignes, total
from signalements.models import Effectif, Signalement
from signalements.tests import fabriques
from signalements.tests.gestes import GESTES, Registre, sans_lendemain
from signalements.vocabulaire import RESOLUS, Axe


@pytest.mark.django_db
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(gestes=GESTES)
def test_les_effectifs_sont_toujours_ceux_d_un_recomptage(gestes):
    with sans_lendemain():
        Registre().vivre(gestes)

        vivants = list(Signalement.objects.vivants())
        par_statut = {cle[0]: m.nombre for cle, m in lire("statut", axe=Axe.TOUT).items() if m.nombre}
        resolus = [s for s in vivants if s.statut in RESOLUS]

        assert ecarts() == {}
        assert par_statut == Counter(s.statut for s in vivants)
        assert total(axe=Axe.TOUT).secondes == sum(
            int((s.date_resolution - s.date_creation).total_seconds()) for s in resolus
        )


def test_plier_garde_une_ligne_par_cellule_et_les_memes_sommes(etudiante):
    for _fois in range(3):
        fabriques.signalement(acteur_de(etudiante), type="VOL")
    avant = lire(*Cellule._fields)

    plier()
    plier()

    assert lire(*Cellule._fields) == avant
    assert Effectif.objects.count() == len(avant)
    assert set(Effectif.objects.values_list("plie", flat=True)) == {True}


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
    Effectif.objects.filter(axe=Axe.STATUT).delete()

    with _un_instant():
        avant = Signalement.objects.count()
        ecrivain = threading.Thread(target=signaler_d_ailleurs, args=[etudiante])
        ecrivain.start()
        ecrivain.join()  # on SQLite it would wait for ever behind a reader that holds the right to write
        apres = Signalement.objects.count()
    recompter()

    assert (avant, apres, Signalement.objects.count()) == (1, 1, 2)
    assert ecarts() == {}


def signaler_d_ailleurs(compte):
    try:
        fabriques.signalement(acteur_de(compte), type="VOL")
    finally:
        connection.close()
