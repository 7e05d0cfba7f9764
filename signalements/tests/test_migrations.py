"""The counters and the dates of resolution reach a base that has lived without them, and leave it again."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Sum

from accounts.models import Compte
from config.tests.outils import acteur_de
from config.tests.outils.migrations import DEJA_PUBLIEES
from guests.tests.fabriques import fusionner
from signalements.compteurs.recompte import ecarts
from signalements.models import Effectif, Signalement
from signalements.tests import fabriques

pytestmark = DEJA_PUBLIEES

AVANT = [("signalements", "0005_pieces_jointes")]
DEBUT = datetime(2026, 3, 1, 8, tzinfo=UTC)


def fin():
    return MigrationExecutor(connection).loader.graph.leaf_nodes()


def par_source():
    """{(axis, source): number} as the counters hold it."""
    lues = Effectif.objects.exclude(source="").values_list("axe", "source").annotate(Sum("nombre"))
    return {(axe, source): nombre for axe, source, nombre in lues.order_by()}


def migrer(cibles):
    executeur = MigrationExecutor(connection)
    executeur.migrate(cibles)
    return executeur.loader.project_state(cibles).apps


@pytest.fixture
def d_avant(transactional_db):
    """The models as they were; whatever happens the base is up to date again afterwards."""
    yield migrer(AVANT)
    migrer(fin())


def test_une_base_qui_a_vecu_recoit_ses_dates_et_ses_compteurs(d_avant):
    Ancien, Entree = (d_avant.get_model("signalements", nom) for nom in ("Signalement", "EntreeTimeline"))
    compte = Compte.objects.creer(email="awa@campus.test", mot_de_passe=None, nom="Diop", prenom="Awa")

    def signalement(statut, *passages):
        """Through these statuses, one a day; the last change is a week later."""
        ancien = Ancien.objects.create(
            reference=f"SIG-2026-{uuid4().hex[:8].upper()}",
            type="VOL",
            mode_identification="IDENTIFIE",
            statut=statut,
            compte_id=compte.pk,
            empreinte_faits=uuid4(),
            date_creation=DEBUT,
            date_modification=DEBUT + timedelta(days=7),
        )
        for rang, (avant, apres) in enumerate(zip(("NOUVEAU", *passages), passages, strict=False), 1):
            Entree.objects.create(
                signalement_id=ancien.pk,
                type="STATUT",
                avant=avant,
                apres=apres,
                compte_id=compte.pk,
                date_creation=DEBUT + timedelta(days=rang),
            )
        return ancien.pk

    jours = {
        signalement("NOUVEAU"): None,
        signalement("CLOTURE", "EN_COURS", "TRAITE", "CLOTURE"): 2,
        signalement("TRAITE", "TRAITE", "EN_COURS", "TRAITE"): 3,
        signalement("TRAITE"): 7,
    }

    migrer([("signalements", "0009_effectifs")])

    dates = dict(Signalement.objects.values_list("pk", "date_resolution"))
    assert dates == {pk: jour and DEBUT + timedelta(days=jour) for pk, jour in jours.items()}
    assert Effectif.objects.filter(plie=True).exists()

    migrer(fin())

    assert ecarts() == {}


@pytest.mark.django_db(transaction=True)
def test_les_compteurs_d_avant_gardent_la_source_des_anonymes_rattaches(etudiante, invite, gestionnaire):
    """A base on which merges moved them: counted under the account, then, migrated, under the guest again."""
    for mode in ("ANONYME", "IDENTIFIE"):
        dossier = fabriques.signalement(acteur_de(invite), mode_identification=mode, description=mode)
        fabriques.services.changer_statut(signalement=dossier, statut="TRAITE", acteur=acteur_de(gestionnaire))
    fusionner(invite, etudiante)

    try:
        migrer([("signalements", "0012_sources_montrees")])
        avant = par_source()
    finally:
        migrer(fin())

    gagne = {cle: nombre - avant.get(cle, 0) for cle, nombre in par_source().items() if nombre != avant.get(cle, 0)}
    assert gagne == {
        ("TOUT", "GUEST"): 1,
        ("TOUT", "AUTH_USER"): -1,
        ("SOURCE", "GUEST"): 1,
        ("SOURCE", "AUTH_USER"): -1,
    }
    assert ecarts() == {}
