"""Closed cases of an earlier version receive the date of their closing, and lose it on the way back."""

from datetime import UTC, datetime, timedelta
from importlib import import_module
from uuid import uuid4

import pytest
from django.db import connection

from accounts.models import Compte
from config.tests.outils.migrations import DEJA_PUBLIEES
from signalements.models import Signalement
from signalements.tests.test_migrations import fin, migrer

pytestmark = DEJA_PUBLIEES

AVANT = [("signalements", "0016_dossiers_reserves")]
DEBUT = datetime(2026, 3, 1, 8, tzinfo=UTC)


@pytest.fixture
def d_avant(transactional_db):
    """The models as they were; whatever happens the base is up to date again afterwards."""
    yield migrer(AVANT)
    migrer(fin())


def test_un_dossier_clos_recoit_la_date_de_sa_cloture(d_avant, monkeypatch):
    Ancien, Entree = (d_avant.get_model("signalements", nom) for nom in ("Signalement", "EntreeTimeline"))
    compte = Compte.objects.creer(email="awa@campus.test", mot_de_passe=None, nom="Diop", prenom="Awa")

    def signalement(statut, *passages):
        """Through these statuses, one a day; the last change is a week later."""
        ancien = Ancien.objects.create(
            reference=f"SIG-2026-{uuid4().hex[:8].upper()}",
            type="VOL",
            mode_identification="IDENTIFIE",
            statut=statut,
            date_resolution=DEBUT if statut in ("TRAITE", "CLOTURE") else None,
            compte_id=compte.pk,
            empreinte_faits=uuid4(),
            date_creation=DEBUT,
            date_modification=DEBUT + timedelta(days=7),
        )
        avant = "NOUVEAU"
        for rang, apres in enumerate(passages, start=1):
            quand = DEBUT + timedelta(days=rang)
            champs = {"signalement": ancien, "type": "STATUT", "compte_id": compte.pk, "date_creation": quand}
            Entree.objects.create(avant=avant, apres=apres, **champs)
            avant = apres
        return ancien.pk

    attendues = {
        signalement("CLOTURE", "TRAITE", "CLOTURE"): DEBUT + timedelta(days=2),
        signalement("CLOTURE", "CLOTURE", "EN_COURS", "CLOTURE"): DEBUT + timedelta(days=3),
        signalement("CLOTURE"): DEBUT + timedelta(days=7),
        signalement("TRAITE", "CLOTURE", "TRAITE"): None,
        signalement("EN_COURS", "EN_COURS"): None,
    }
    dates = import_module("signalements.migrations.0018_dates_de_cloture")
    monkeypatch.setattr(dates, "LOT", 2)

    migrer(fin())

    assert dict(Signalement.objects.values_list("pk", "date_cloture")) == attendues
    assert not Signalement.objects.exclude(gele_depuis=None, gel_motif="", gele_par=None).exists()
    migrer(AVANT)
    colonnes = [
        c.name for c in connection.introspection.get_table_description(connection.cursor(), Signalement._meta.db_table)
    ]
    assert "date_cloture" not in colonnes
    assert "gel_motif" not in colonnes
