"""The days of closure in the admin site: no more of them than a creation of a case may have at hand."""

import pytest

from accounts.tests.outils import entrer
from config.tests.outils.typographie import ordinaire
from echeances.models import JourFerme

pytestmark = pytest.mark.django_db
FERMES = "/admin/echeances/jourferme/"


def test_un_jour_de_fermeture_de_trop_se_refuse_et_ceux_qui_sont_se_corrigent(admin, monkeypatch):
    monkeypatch.setattr("echeances.models.JOURS_FERMES_MAX", 2)
    client = entrer(admin.email)
    client.post(f"{FERMES}add/", {"jour": "2026-12-24", "libelle": ""})
    client.post(f"{FERMES}add/", {"jour": "2026-12-25", "libelle": ""})
    refus = client.post(f"{FERMES}add/", {"jour": "2026-12-26", "libelle": ""}, headers={"Accept-Language": "fr"})
    client.post(f"{FERMES}{JourFerme.objects.first().pk}/change/", {"jour": "2026-12-24", "libelle": "Pont"})

    assert "2 jours de fermeture sont déjà notés" in ordinaire(refus.content.decode())
    assert [un.libelle for un in JourFerme.objects.all()] == ["Pont", ""]
