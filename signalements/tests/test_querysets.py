import re
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from config.tests.outils import acteur_de
from config.tests.outils.plans import analyser
from demo.volume import completer
from guests.tests.fabriques import fusionner
from signalements import lectures
from signalements.compteurs.lectures import reserves_comptables
from signalements.models import Signalement
from signalements.tests import fabriques
from socle.domaine.identite import source_montree

pytestmark = pytest.mark.django_db


def test_le_filtre_et_ce_qui_est_montre_disent_la_meme_source(etudiante, invite, autre_invite):
    for qui in (etudiante, invite, autre_invite):
        for mode in ("ANONYME", "IDENTIFIE", "PSEUDONYME"):
            fabriques.signalement(acteur_de(qui), mode_identification=mode, description=f"{qui.pk} {mode}")
    fusionner(invite, etudiante)

    montres = {s.pk: source_montree(s, vu_par=None, dossier=s) for s in Signalement.objects.all()}

    assert sorted(montres.values()) == ["AUTH_USER"] * 4 + ["GUEST"] * 5
    for source in ("AUTH_USER", "GUEST"):
        filtres = set(Signalement.objects.de_source(source).values_list("pk", flat=True))
        assert filtres == {pk for pk, montree in montres.items() if montree == source}


@pytest.mark.postgres
@pytest.mark.parametrize("source", ["AUTH_USER", "GUEST"])
def test_les_dossiers_d_une_source_se_lisent_par_un_index_dans_leur_ordre(gestionnaire, source):
    """However rare one of the two is."""
    list(completer(400))
    analyser("signalements_signalement")
    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL enable_seqscan = off")

    plan = Signalement.objects.pour_lecture(acteur_de(gestionnaire)).de_source(source)[:20].explain()

    assert f"signalement_{source.lower()} " in plan
    assert "Sort" not in plan


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("index", "filtrer"),
    [
        ("date", lambda lignes: lignes),
        ("non_traite_date", lambda lignes: lignes.non_traites()),
        ("statut_date", lambda lignes: lignes.filter(statut="EN_COURS")),
        ("type_date", lambda lignes: lignes.filter(type="VOL")),
        ("priorite_date", lambda lignes: lignes.filter(priorite="HIGH")),
        ("guest", lambda lignes: lignes.de_source("GUEST")),
        ("auth_user", lambda lignes: lignes.de_source("AUTH_USER")),
        ("gestionnaire_date", lambda lignes: lignes.filter(gestionnaire=uuid4())),
        ("sans_gestionnaire", lambda lignes: lignes.filter(gestionnaire=None)),
        ("a_attribuer", lambda lignes: lignes.non_traites().filter(gestionnaire=None)),
    ],
)
def test_le_debut_d_une_page_se_cherche_dans_l_index_seul(gestionnaire, index, filtrer):
    """Whoever may read what: a page far from the start would else read every row before it."""
    list(completer(400))
    acteur = acteur_de(gestionnaire)
    cles = filtrer(Signalement.objects.pour_lecture(acteur).visibles_par(acteur)).values("pk")[40:60]

    analyser("signalements_signalement")
    with connection.cursor() as curseur, transaction.atomic():
        for autre in ("bitmapscan", "sort"):
            curseur.execute(f"SET LOCAL enable_{autre} = off")
        plan = cles.explain()
        transaction.set_rollback(True)  # the settings too

    assert f"Index Only Scan using signalement_{index} on" in plan


@pytest.mark.postgres
def test_les_siens_se_comptent_dans_l_index_seul(etudiante):
    list(completer(400))
    acteur, colonnes = acteur_de(etudiante), ("statut", "priorite", "type")
    siens = lectures.les_siens_comptes(acteur, colonnes, None, None, None, timezone.now()).queryset()

    analyser("signalements_signalement")
    with connection.cursor() as curseur, transaction.atomic():
        for autre in ("seqscan", "bitmapscan"):
            curseur.execute(f"SET LOCAL enable_{autre} = off")
        plan = siens.explain()
        transaction.set_rollback(True)

    assert "Index Only Scan using signalement_compte_groupes on" in plan
    assert not re.search("Sort|Hash", plan)


def test_les_siens_se_groupent_sans_etre_tries_sur_sqlite_aussi(etudiante):
    if connection.vendor != "sqlite":
        pytest.skip("SQLite seul")
    remplir_et_analyser()
    acteur, colonnes = acteur_de(etudiante), ("statut", "priorite", "type")

    plan = lectures.les_siens_comptes(acteur, colonnes, None, None, None, timezone.now()).queryset().explain()

    assert "signalements_signalement USING INDEX signalement_compte_groupes" in plan
    assert "TEMP B-TREE" not in plan


def remplir_et_analyser():
    list(completer(400))
    with connection.cursor() as curseur:
        curseur.execute("ANALYZE")


@pytest.mark.parametrize(
    ("index", "filtrer"),
    [
        ("non_traite_date", lambda lignes: lignes.non_traites()),
        ("a_attribuer", lambda lignes: lignes.ouverts().filter(gestionnaire=None)),
        ("reserve", lambda lignes: lignes.reserves()),
    ],
)
def test_ce_que_dit_un_index_partiel_se_trouve_par_lui_sur_sqlite_aussi(gestionnaire, index, filtrer):
    """A condition on a list of parameters is one that SQLite does not recognise: it would read the whole table."""
    if connection.vendor != "sqlite":
        pytest.skip("SQLite seul")
    remplir_et_analyser()
    acteur = acteur_de(gestionnaire)

    plan = filtrer(Signalement.objects.pour_lecture(acteur).visibles_par(acteur))[:20].explain()

    assert f"signalements_signalement USING INDEX signalement_{index}" in plan.splitlines()[0]


@pytest.mark.parametrize("lecture", [lectures.en_alerte, reserves_comptables])
def test_une_lecture_preparee_trouve_ses_index_partiels_sur_sqlite(gestionnaire, lecture, monkeypatch):
    if connection.vendor != "sqlite":
        pytest.skip("SQLite seul")
    remplir_et_analyser()
    demande = lecture(acteur_de(gestionnaire))
    demande.lignes()
    passage = demande.toutes()
    plan = passage.compilee(connection)

    lues = connection.connection.execute(
        f"EXPLAIN QUERY PLAN {plan._direct}", plan._remplir(connection, passage.valeurs())
    ).fetchall()

    assert any(f"signalements_signalement USING INDEX signalement_{nom}" in str(lues) for nom in ("alerte", "reserve"))
