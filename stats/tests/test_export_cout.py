"""What an export costs does not depend on how much it holds."""

import tracemalloc
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from guests.tests.fabriques import session_invitee
from signalements.compteurs.suivi import suivre
from signalements.models import Signalement
from signalements.tests import fabriques as signalements
from stats.exports import fichier
from stats.models import Export
from stats.tests.outils import EXPORT

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
PEU, BEAUCOUP = 500, 5_000


@pytest.fixture
def remplir(etudiante):
    """remplir(number): that many reports more."""
    modele = signalements.signalement(acteur_de(etudiante), titre="Remarques déplacées devant l'amphi")

    def ajouter(nombre):
        dossiers = [
            Signalement(
                compte=etudiante,
                reference=f"SIG-2026-{rang:08d}",
                reference_tiree=False,
                titre=modele.titre,
                description=modele.description,
                type=modele.type,
                mode_identification=modele.mode_identification,
                empreinte_faits=uuid4(),
            )
            for rang in range(nombre)
        ]
        with suivre(*dossiers):
            Signalement.objects.bulk_create(dossiers)

    return ajouter


def ecrire(compte, format):
    """The number of rows, of queries, and the most memory that was held."""
    export = Export(compte=compte, format=format, filtres={})
    tracemalloc.start()
    try:
        with CaptureQueriesContext(connection) as requetes:
            ecrit = fichier.ecrire(export, suivre=lambda faites, total: None)
        return ecrit.lignes, len(requetes), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_dix_fois_plus_de_lignes_tiennent_dans_la_meme_memoire(gestionnaire, remplir, monkeypatch, format):
    monkeypatch.setattr("stats.exports.selection.LOT", 100)
    ecrire(gestionnaire, format)  # what is loaded once is loaded
    remplir(PEU)
    lignes, requetes, memoire = ecrire(gestionnaire, format)

    remplir(BEAUCOUP)
    plus_de_lignes, autant_de_requetes, plus_de_memoire = ecrire(gestionnaire, format)

    assert (lignes, plus_de_lignes) == (1 + PEU, 1 + PEU + BEAUCOUP)
    assert autant_de_requetes == requetes
    assert plus_de_memoire - memoire < 500_000  # bytes; these rows held at once would take millions


def compter(client):
    client.post(EXPORT)  # what is looked up once is looked up
    with CaptureQueriesContext(connection) as requetes:
        reponse = client.post(EXPORT)
    assert reponse.status_code == 201
    return len(requetes), reponse.json()["data"]["lignes"]


def test_un_export_coute_autant_de_requetes_pour_une_ligne_ou_pour_neuf(api, gestionnaire, etudiante):
    signalements.signalement(acteur_de(etudiante))
    pour_une = compter(api(gestionnaire))
    for rang in range(8):
        auteur = comptes.compte() if rang % 2 else session_invitee(f"+24389876540{rang}")
        signalements.signalement(acteur_de(auteur))

    pour_neuf = compter(api(gestionnaire))

    assert (pour_une[1], pour_neuf[1]) == (1, 9)
    assert pour_neuf[0] == pour_une[0]
