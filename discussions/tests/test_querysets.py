import pytest
from django.db import connection

from config.tests.outils import acteur_de
from config.tests.outils.plans import analyser
from demo.volume import completer
from discussions.models import Discussion
from discussions.tests import fabriques
from signalements.models import Signalement
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Droit

pytestmark = pytest.mark.django_db


@pytest.fixture
def base_peuplee(db):
    """Enough rows, and known well enough, for the planner to choose as it does among a million."""
    list(completer(1500))
    analyser("discussions_discussion", "signalements_signalement")
    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL enable_seqscan = off")


@pytest.mark.postgres
@pytest.mark.parametrize("proprietaire", ["compte", "invite"])
def test_un_index_donne_les_discussions_d_une_personne(base_peuplee, proprietaire):
    discussion = Discussion.objects.filter(**{f"signalement__{proprietaire}__isnull": False}).first()
    acteur = acteur_de(getattr(discussion.signalement, proprietaire))

    plan = Discussion.objects.pour_lecture(acteur).visibles_par(acteur).explain()

    assert "Seq Scan" not in plan
    assert "discussion_titulaire" in plan


def test_un_index_donne_les_discussions_d_une_personne_sur_sqlite_aussi(etudiante):
    if connection.vendor != "sqlite":
        pytest.skip("SQLite seul")

    acteur = ActeurCompte(compte=etudiante)

    plan = Discussion.objects.pour_lecture(acteur).visibles_par(acteur).explain()

    assert "discussion_titulaire" in plan
    assert "SCAN discussions_discussion" not in plan


def test_une_discussion_trouvee_par_sa_cle_se_juge_comme_dans_la_liste(
    etudiante, autre_etudiante, gestionnaire, admin, invite, signalement, signalement_invite
):
    acteurs = [acteur_de(qui) for qui in (etudiante, autre_etudiante, gestionnaire, admin, invite)]
    for acteur in acteurs:
        fabriques.discussion(acteur)
    for qui, dossier in ((etudiante, signalement), (gestionnaire, signalement), (invite, signalement_invite)):
        fabriques.discussion(acteur_de(qui), "Suites", dossier)
    toutes = set(Discussion.objects.values_list("pk", flat=True))

    for acteur in acteurs:
        en_liste = {discussion.pk for discussion in Discussion.objects.visibles_par(acteur)}
        par_cle = {pk for pk in toutes if Discussion.objects.visibles_par(acteur, par_cle=True).filter(pk=pk).exists()}
        assert par_cle == en_liste
        assert bool(toutes - en_liste) is not acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES)


def test_ce_qui_est_joint_se_trouve_par_un_index_sur_sqlite_aussi(gestionnaire):
    """A partial index whose condition SQLite does not recognise is one that it reads the whole table for."""
    if connection.vendor != "sqlite":
        pytest.skip("SQLite seul")
    acteur = ActeurCompte(compte=gestionnaire)

    plans = [
        modele._base_manager.filter(absorbe_par=gestionnaire.pk).explain() for modele in (Discussion, Signalement)
    ] + [Discussion.objects.pour_lecture(acteur).explain()]

    assert "discussion_absorbe_par" in plans[0]
    assert "signalement_absorbe_par" in plans[1]
    assert "discussion_absorbe_par" in plans[2]
