"""What PostgreSQL writes into its own log when a statement fails: whoever keeps that log reads no report in it."""

from pathlib import Path

import psycopg
import pytest

from config.tests.outils.serveur import Serveur
from config.tests.pannes.conftest import REGLAGES
from config.tests.pannes.machines import Postgres

pytestmark = pytest.mark.parcours
CANARI = "le-couloir-du-troisieme-etage"
# A report under a reference that another has drawn, one that a constraint refuses whole, and a bad statement by hand.
ECHOUER = """
from accounts.tests.fabriques import compte
from socle.domaine.acteurs import ActeurCompte
from django.db import DatabaseError, connection, transaction
from signalements.compteurs.suivi import suivre
from signalements.models import Signalement
from signalements.services import creer

faits = {"titre": "CANARI", "description": "CANARI", "type": "VOL"}
dossier = creer(acteur=ActeurCompte(compte=compte(email="awa@campus.test")), **faits)
double = Signalement(compte=dossier.compte, reference=dossier.reference, mode_identification="ANONYME", **faits)
double.indexer()
refuse = Signalement(compte=dossier.compte, reference="SIG-2026-00000000", mode_identification="ANONYME", **faits)
refuse.indexer()
refuse.statut = "PERDU"
for perdu in (double, refuse):
    try:
        with transaction.atomic(), suivre(perdu):
            perdu.save(force_insert=True)
    except DatabaseError:
        pass
try:
    with connection.cursor() as curseur:
        curseur.execute("SELECT %s FROM absente", ["CANARI"])
except DatabaseError:
    pass
""".replace("CANARI", CANARI)
AVERTIR = """
from config.checks import journal_de_postgresql

print([(probleme.id, probleme.hint) for probleme in journal_de_postgresql(None)])
"""


@pytest.fixture
def service(tmp_path: Path, postgres: Postgres) -> Serveur:
    """Its commands; nothing is served."""
    return Serveur(tmp_path, **{**REGLAGES, "DATABASE_URL": postgres.adresse})


def regler(postgres: Postgres, reglage: str) -> None:
    with psycopg.connect(postgres.adresse, autocommit=True) as connexion:
        connexion.execute(f"ALTER ROLE postgres SET {reglage}")


def avertissements(service: Serveur) -> str:
    return service.commander("shell", "-c", AVERTIR)


def test_une_requete_en_echec_n_y_laisse_aucun_mot(service, postgres):
    assert "campus.W002" in avertissements(service)
    regler(postgres, "log_error_verbosity = terse")

    service.commander("shell", "-c", ECHOUER)

    assert "campus.W002" not in avertissements(service)
    journal = postgres.journal
    for erreur in ("signalement_reference_unique", "signalement_statut_connu", 'relation "absente"'):
        assert erreur in journal
    assert "STATEMENT:  INSERT INTO" in journal
    assert CANARI not in journal


def test_sans_ce_reglage_seul_le_detail_d_une_ligne_refusee_en_a(service, postgres):
    service.commander("shell", "-c", ECHOUER)

    dites = [ligne for ligne in postgres.journal.splitlines() if CANARI in ligne]

    assert [ligne.split("DETAIL:  ")[1][:20] for ligne in dites] == ["Failing row contains"]


def test_une_requete_lente_n_y_laisse_ses_valeurs_que_si_on_les_demande(service, postgres):
    regler(postgres, "log_error_verbosity = terse")
    regler(postgres, "log_statement = 'mod'")
    assert "log_parameter_max_length = 0" in avertissements(service)
    regler(postgres, "log_parameter_max_length = 0")

    service.commander("shell", "-c", ECHOUER)

    assert "campus.W002" not in avertissements(service)
    assert "execute <unnamed>: INSERT INTO" in postgres.journal
    assert CANARI not in postgres.journal
