"""The dates that the demonstration brings: most of them kept, some late, none told again."""

import pytest

from avis.models import Avis
from demo.tests.outils import semer
from echeances.entretien import rappeler_les_dates
from echeances.models import ChoixDesDates, Echeance
from signalements.compteurs.recompte import ecarts
from signalements.models import Signalement
from socle.domaine.temps import jour_du_campus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _base_embarquee(settings):
    settings.EMBARQUE = True


def test_ses_dossiers_ont_leurs_dates_et_les_compteurs_les_tiennent():
    semer()

    aujourd_hui = jour_du_campus()
    ouvertes = Echeance.objects.ouvertes()
    assert Echeance.objects.filter(nature="ACCUSE", faite_le__isnull=False).count() > 5
    assert Echeance.objects.filter(nature="RETOUR", faite_le__isnull=False).count() > 3
    assert 0 < ouvertes.filter(pour_le__lt=aujourd_hui).count() < 6  # most of them kept
    assert ouvertes.filter(pour_le__gte=aujourd_hui).exists()
    assert ecarts() == {}


def test_rien_de_passe_n_est_dit_et_relancer_ne_double_rien():
    semer()
    dates = Echeance.objects.count()

    semer()
    Avis.objects.all().delete()
    rappeler_les_dates()

    passees = Signalement.objects.filter(prochaine_echeance__lt=jour_du_campus()).values("pk")
    assert Echeance.objects.count() == dates
    assert not Avis.objects.filter(objet__in=passees).exists()


def test_un_non_reste_un_non():
    ChoixDesDates.objects.create(accepte=False)

    semer()

    assert not Echeance.objects.exists()
