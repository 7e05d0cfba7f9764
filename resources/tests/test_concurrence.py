"""People who act on files at once, on real connections."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de, client_de, document
from discussions.tests import fabriques as discussions
from resources import entretien
from resources.models import Attache, Fichier
from resources.services import fichiers as services
from resources.tests import fabriques
from signalements.tests import fabriques as signalements
from socle.erreurs import Introuvable

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
plusieurs_tours = pytest.mark.parametrize("tour", range(3))


@pytest.fixture(autouse=True)
def _document_pret():
    document()


@plusieurs_tours
@pytest.mark.parametrize("persona", ["etudiante", "invite"])
def test_des_envois_a_la_fois_ne_passent_pas_ensemble_la_place_de_chacun(personne, settings, persona, tour):
    settings.FILE_QUOTA_OCTETS = 3 * len(fabriques.CONTENU)
    qui = personne(persona)
    clients = [client_de(qui) for _rang in range(8)]

    reponses = ensemble([lambda c=c: c.post("/api/v1/fichiers/upload", {"file": fabriques.envoi()}) for c in clients])

    assert sorted(r.status_code for r in reponses) == [201] * 3 + [413] * 5
    assert Fichier.objects.count() == 3
    assert len(fabriques.stockes("local")) >= 3


@plusieurs_tours
def test_un_fichier_se_joint_ou_se_supprime_jamais_les_deux(etudiante, tour):
    fichier = fabriques.fichier(acteur_de(etudiante))
    discussion = discussions.discussion(acteur_de(etudiante))
    un, autre = client_de(etudiante), client_de(etudiante)

    joint, supprime = ensemble(
        [
            lambda: un.post(f"/api/v1/discussions/{discussion.pk}/messages", {"piecesJointes": [str(fichier.pk)]}),
            lambda: autre.delete(f"/api/v1/fichiers/{fichier.pk}"),
        ]
    )

    assert (joint.status_code, supprime.status_code) in ((201, 409), (422, 204))
    assert Attache.objects.exists() is (joint.status_code == 201)
    assert Fichier.objects.exists() is (joint.status_code == 201)


@plusieurs_tours
def test_un_fichier_supprime_deux_fois_a_la_fois_ne_l_est_qu_une(etudiante, tour):
    fichier = fabriques.fichier(acteur_de(etudiante))
    clients = [client_de(etudiante) for _rang in range(4)]

    reponses = ensemble([lambda c=c: c.delete(f"/api/v1/fichiers/{fichier.pk}") for c in clients])

    assert sorted(r.status_code for r in reponses) == [204, 404, 404, 404]


@plusieurs_tours
@pytest.mark.parametrize("sorte", ["publication", "message"])
def test_un_fichier_ne_rejoint_pas_a_la_fois_un_dossier_anonyme_et_autre_chose(etudiante, sorte, tour):
    fichier = fabriques.fichier(acteur_de(etudiante))
    discussion = discussions.discussion(acteur_de(etudiante))
    url = "/api/v1/postes/" if sorte == "publication" else f"/api/v1/discussions/{discussion.pk}/messages"
    ids = {"contenu": "Voici.", "piecesJointes": [str(fichier.pk)]}
    anonyme = {"titre": "Vol", "description": "Un sac.", "type": "VOL", "modeIdentification": "ANONYME", **ids}
    un, autre = client_de(etudiante), client_de(etudiante)

    reponses = ensemble([lambda: un.post("/api/v1/signalements/", anonyme), lambda: autre.post(url, ids)])

    assert sorted(r.status_code for r in reponses) == [201, 409]
    assert Attache.objects.count() == 1


@plusieurs_tours
def test_une_preuve_supprimee_par_deux_administrateurs_a_la_fois_n_est_dite_qu_une_fois(etudiante, admin, tour):
    fichier = fabriques.fichier(acteur_de(etudiante))
    dossier = signalements.signalement(acteur_de(etudiante), pieces_jointes=[fichier.pk])
    clients = [client_de(admin) for _rang in range(4)]

    reponses = ensemble([lambda c=c: c.delete(f"/api/v1/fichiers/{fichier.pk}") for c in clients])

    assert sorted(r.status_code for r in reponses) == [204, 404, 404, 404]
    assert dossier.timeline.filter(type="PIECE_SUPPRIMEE").count() == LogEntry.objects.count() == 1


@plusieurs_tours
def test_une_preuve_est_retablie_ou_purgee_jamais_les_deux(etudiante, admin, tour):
    fichier = fabriques.fichier(acteur_de(etudiante))
    signalements.signalement(acteur_de(etudiante), pieces_jointes=[fichier.pk])
    services.supprimer(fichier=fichier, acteur=acteur_de(admin))
    Fichier.objects.update(date_suppression=timezone.now() - timedelta(days=31))

    purges, retablie = ensemble(
        [
            lambda: entretien.supprimes(simulation=False),
            lambda: services.retablir(fichier=fichier, acteur=acteur_de(admin)),
        ]
    )

    assert (purges, type(retablie)) in ((1, Introuvable), (0, type(None)))
    assert Fichier.objects.presents().exists() is (purges == 0)
    assert (fichier.cle in fabriques.stockes("local")) is (purges == 0)


@plusieurs_tours
def test_un_message_part_pendant_qu_une_preuve_du_dossier_est_supprimee(etudiante, admin, tour):
    """Both lock the case before a file: none waits for the other for ever."""
    preuve, autre = (fabriques.fichier(acteur_de(etudiante)) for _rang in range(2))
    dossier = signalements.signalement(acteur_de(etudiante), mode_identification="ANONYME", pieces_jointes=[preuve.pk])
    discussion = discussions.discussion(acteur_de(etudiante), signalement=dossier)
    un, administration = client_de(etudiante), client_de(admin)

    ecrit, supprime = ensemble(
        [
            lambda: un.post(f"/api/v1/discussions/{discussion.pk}/messages", {"piecesJointes": [str(autre.pk)]}),
            lambda: administration.delete(f"/api/v1/fichiers/{preuve.pk}"),
        ]
    )

    assert (ecrit.status_code, supprime.status_code) == (201, 204)
