import re

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from resources.models import Attache
from resources.tests.fabriques import fichier
from signalements import services
from signalements.compteurs.recompte import ecarts
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques
from socle.realtime.models import Evenement


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_assigner_et_agir_ensemble_ne_se_bloquent_jamais(admin, gestionnaire, etudiante):
    dossier = fabriques.signalement(acteur_de(etudiante))
    paul = acteur_de(gestionnaire)

    def sur_le_dossier(acte, **champs):
        return lambda: acte(signalement=Signalement.objects.get(pk=dossier.pk), **champs)

    actes = [
        sur_le_dossier(services.assigner, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin)),
        sur_le_dossier(services.assigner, gestionnaire_id=gestionnaire.pk, acteur=paul),
        sur_le_dossier(services.changer_statut, statut="EN_COURS", acteur=paul),
        sur_le_dossier(services.ajouter_note, contenu="Vu.", acteur=paul),
    ]
    rendus = ensemble(actes * 8)

    assert [rendu for rendu in rendus if isinstance(rendu, Exception)] == []
    assert EntreeTimeline.objects.filter(type="NOTE").count() == 8
    assert EntreeTimeline.objects.filter(type="ASSIGNATION").count() == 16


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_une_reference_apportee_par_deux_envois_simultanes_n_est_gardee_qu_une_fois(etudiante):
    rendus = ensemble(
        [lambda: fabriques.signalement(acteur_de(etudiante), reference="SIG-2026-7K3M9QXT") for _ in range(8)]
    )

    assert sum(isinstance(rendu, Signalement) for rendu in rendus) == 1
    assert Signalement.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_une_alerte_ecartee_par_huit_a_la_fois_ne_l_est_qu_une_fois(gestionnaire, etudiante):
    dossier, paul = fabriques.signalement(acteur_de(etudiante)), acteur_de(gestionnaire)

    def ecarter():
        services.ecarter_alerte(signalement=Signalement.objects.get(pk=dossier.pk), acteur=paul)

    rendus = ensemble([ecarter] * 8)

    assert rendus == [None] * 8
    assert EntreeTimeline.objects.filter(type="ALERTE_ECARTEE").count() == 1
    assert Signalement.objects.get(pk=dossier.pk).statut == "ASSIGNE"
    assert ecarts() == {}


@pytest.fixture
def tirages(monkeypatch):
    """The references that the next creations draw, in their order."""
    a_tirer = []
    monkeypatch.setattr(services, "tirer_reference", lambda: a_tirer.pop(0))
    return a_tirer


def _exiger_un_dossier_entier(reference, fichier):
    (dossier,) = Signalement.objects.filter(reference=reference)
    assert [un.type for un in EntreeTimeline.objects.filter(signalement=dossier)] == ["CREATION"]
    assert [attache.fichier_id for attache in Attache.objects.filter(objet=dossier.pk)] == [fichier.pk]
    assert Signalement.objects.count() == 2
    assert Evenement.objects.filter(type="signalement_created").count() == 2
    assert ecarts() == {}


@pytest.mark.django_db(transaction=True)
def test_une_reference_prise_est_tiree_de_nouveau_apres_le_refus_de_la_base(etudiante, tirages):
    tirages += ["SIG-2026-AAAAAAAA", "SIG-2026-AAAAAAAA", "SIG-2026-AAAAAAAA", "SIG-2026-BBBBBBBB"]
    fabriques.signalement(acteur_de(etudiante))
    photo = fichier(acteur_de(etudiante))

    fabriques.signalement(acteur_de(etudiante), pieces_jointes=[photo.pk])

    _exiger_un_dossier_entier("SIG-2026-BBBBBBBB", photo)


def test_dans_la_transaction_d_un_autre_acte_elle_l_est_sans_la_perdre(db, etudiante, tirages):
    tirages += ["SIG-2026-AAAAAAAA", "SIG-2026-AAAAAAAA", "SIG-2026-AAAAAAAA", "SIG-2026-BBBBBBBB"]
    fabriques.signalement(acteur_de(etudiante))
    photo = fichier(acteur_de(etudiante))

    with transaction.atomic():
        fabriques.signalement(acteur_de(etudiante), pieces_jointes=[photo.pk])

    _exiger_un_dossier_entier("SIG-2026-BBBBBBBB", photo)


@pytest.mark.django_db(transaction=True)
def test_un_refus_d_une_autre_contrainte_n_est_pas_rejoue(etudiante, monkeypatch):
    essais = []

    def refuser(*_args, **_champs):
        essais.append(1)
        raise IntegrityError("another constraint")

    monkeypatch.setattr(services, "noter", refuser)

    with pytest.raises(IntegrityError):
        fabriques.signalement(acteur_de(etudiante))

    assert essais == [1]
    assert not Signalement.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db
def test_sous_une_reference_declaree_le_compte_se_verrouille_avant_les_fichiers(etudiante):
    photo = fichier(acteur_de(etudiante))

    with CaptureQueriesContext(connection) as requetes:
        fabriques.signalement(acteur_de(etudiante), reference="SIG-2026-7K3M9QXT", pieces_jointes=[photo.pk])

    verrous = [r["sql"] for r in requetes if "FOR NO KEY UPDATE" in r["sql"]]
    tables = [re.search(r'FROM "(\w+)"', sql)[1] for sql in verrous]
    assert tables == ["accounts_compte", "resources_fichier"]
