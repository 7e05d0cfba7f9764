"""People who act on files at once, on real connections."""

import pytest

from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de, client_de, document
from discussions.tests import fabriques as discussions
from resources.models import Attache, Fichier
from resources.tests import fabriques

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
