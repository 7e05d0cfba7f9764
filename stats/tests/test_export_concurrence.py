"""Exports at once, and beside people who write, on real connections."""

import pytest
from django.db import connection, connections

from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de, client_de, document
from signalements.tests import fabriques as signalements
from stats.exports import fichier
from stats.models import Export
from stats.tests.outils import EXPORT, exporter, lignes_csv, octets, telecharger

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _document_pret():
    document()


@pytest.fixture
def dossiers(etudiante):
    return [signalements.signalement(acteur_de(etudiante)) for _rang in range(5)]


@pytest.mark.parametrize("tour", range(3))
def test_deux_exports_a_la_fois_ont_chacun_leur_fichier_entier(gestionnaire, admin, dossiers, depot, tour):
    clients = [client_de(qui) for qui in (gestionnaire, gestionnaire, admin, admin)]

    recus = ensemble([lambda c=c: exporter(c) for c in clients])

    attendues = [dossier.reference for dossier in reversed(dossiers)]
    assert [[ligne["Référence"] for ligne in lignes] for lignes in recus] == [attendues] * 4
    assert Export.objects.values("cle").distinct().count() == len(list(depot.iterdir())) == 4


@pytest.fixture
def pendant_la_lecture(monkeypatch):
    """pendant_la_lecture(acte): what another connection does once the first row is read."""

    def poser(acte):
        cellules = fichier.Redaction.cellules
        faits = []

        def lire(redaction, ligne):
            if not faits:
                faits.append(True)
                faits.extend(ensemble([acte]))
            return cellules(redaction, ligne)

        monkeypatch.setattr(fichier.Redaction, "cellules", lire)
        return faits

    return poser


def test_un_export_ne_retient_personne_et_garde_l_image_de_son_debut(
    gestionnaire, etudiante, dossiers, pendant_la_lecture
):
    auteur = client_de(etudiante)
    corps = {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"}
    faits = pendant_la_lecture(lambda: auteur.post("/api/v1/signalements/", corps).status_code)

    lignes = exporter(client_de(gestionnaire))

    assert faits == [True, 201]
    assert len(lignes) == 5


@pytest.mark.postgres
def test_la_base_garde_le_curseur_et_ne_copie_rien_d_avance(gestionnaire, dossiers, monkeypatch):
    vus = []
    cellules = fichier.Redaction.cellules

    def lire(redaction, ligne):
        with connection.cursor() as curseur:
            curseur.execute("SELECT is_holdable FROM pg_cursors WHERE name LIKE '_django_curs%'")
            vus.extend(curseur.fetchall())
        return cellules(redaction, ligne)

    monkeypatch.setattr(fichier.Redaction, "cellules", lire)
    monkeypatch.setattr("stats.exports.selection.LOT", 1)

    lignes = exporter(client_de(gestionnaire))

    assert len(lignes) == 5
    assert set(vus) == {(False,)}


def test_la_lecture_ne_laisse_pas_de_transaction_ouverte(gestionnaire, dossiers):
    url = client_de(gestionnaire).post(EXPORT).json()["data"]["downloadUrl"]

    assert len(lignes_csv(octets(telecharger(url)))) == 5
    assert not any(c.in_atomic_block for c in connections.all())
