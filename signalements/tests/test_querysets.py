import pytest
from django.db import connection

from config.tests.outils import acteur_de
from demo.volume import completer
from guests.tests.fabriques import fusionner
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
    with connection.cursor() as curseur:
        # What earlier tests rolled back has left pages in the indexes, whose number decides between two that would do.
        curseur.execute("REINDEX TABLE signalements_signalement")
        curseur.execute("ANALYZE")
        curseur.execute("SET LOCAL enable_seqscan = off")

    plan = Signalement.objects.pour_lecture(acteur_de(gestionnaire)).de_source(source)[:20].explain()

    assert f"signalement_{source.lower()} " in plan
    assert "Sort" not in plan
