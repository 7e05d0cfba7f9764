import pytest

from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from signalements import services
from signalements.effectifs import ecarts
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques


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
