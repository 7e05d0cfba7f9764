"""Who may read the library's pages: as the API answers, row by row of the permission matrix."""

import pytest

from config.tests.outils import acteur_de
from config.tests.outils.scene import LIGNES, Scene
from portail.tests.outils import texte_de
from portail.tests.test_droits import navigateur
from resources.tests import fabriques

pytestmark = pytest.mark.django_db
UNE = "/api/v1/ressources/{resource_id}"
# Row of the API -> the page that does it.
LUES = {("GET", "/api/v1/ressources/"): "/campus/documents/", ("GET", UNE): "/campus/documents/{}/fichier/"}
# A cookie is one credential; what became of a guest's space is said by the frame of the campus, not by its pages.
DU_CADRE = ("bad_bearer_good_guest", "merged_guest", "disabled_guest")
CHOISIES = [une for une in LIGNES if (une.methode, une.chemin) in LUES and une.acteur not in DU_CADRE]


def test_les_lignes_de_la_bibliotheque_y_sont_toutes():
    assert {(ligne.methode, ligne.chemin) for ligne in CHOISIES} == LUES.keys()


@pytest.mark.parametrize("ligne", CHOISIES, ids=str)
def test_une_page_repond_comme_l_api(ligne):
    scene = Scene()
    ressource = fabriques.ressource(scene.user_owner, file_id=fabriques.fichier(acteur_de(scene.user_owner)).pk)

    reponse = navigateur(scene, ligne.acteur).get(LUES[ligne.methode, ligne.chemin].format(ressource.pk))

    if ligne.attendu == "200":
        assert reponse.status_code == 200
    elif ligne.acteur in ("guest_owner", "guest_stranger"):
        assert reponse.status_code == 403
        assert "Cette partie est pour les comptes." in texte_de(reponse)
    else:
        assert ligne.attendu == "401"
        assert (reponse.status_code, reponse.headers["Location"].partition("?")[0]) == (303, "/compte/connexion/")
