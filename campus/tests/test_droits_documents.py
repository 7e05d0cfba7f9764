"""Who may read the library's pages, add to it and take away: as the API answers, row by row of the matrix."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from config.tests.outils import acteur_de
from config.tests.outils.scene import LIGNES, Scene
from portail.tests.outils import texte_de
from portail.tests.test_droits import navigateur
from resources.models import Ressource
from resources.tests import fabriques

pytestmark = pytest.mark.django_db
UNE = "/api/v1/ressources/{resource_id}"
# Row of the API -> the page that does it.
LUES = {("GET", "/api/v1/ressources/"): "/campus/documents/", ("GET", UNE): "/campus/documents/{}/fichier/"}
ECRITES = {
    ("POST", "/api/v1/ressources/upload"): "/campus/documents/envoyer/",
    ("POST", "/api/v1/ressources/"): "/campus/documents/envoyer/",
    ("DELETE", UNE): "/campus/documents/{}/supprimer/",
}
# A cookie is one credential; what became of a guest's space is said by the frame of the campus, not by its pages.
DU_CADRE = ("bad_bearer_good_guest", "merged_guest", "disabled_guest")
CHOISIES = [une for une in LIGNES if (une.methode, une.chemin) in LUES and une.acteur not in DU_CADRE]

A_ECRIRE = [une for une in LIGNES if (une.methode, une.chemin) in ECRITES and une.acteur not in DU_CADRE]


def test_les_lignes_de_la_bibliotheque_y_sont_toutes():
    de_la_bibliotheque = {(une.methode, une.chemin) for une in LIGNES if une.chemin.startswith("/api/v1/ressources")}

    assert {(ligne.methode, ligne.chemin) for ligne in CHOISIES} == LUES.keys()
    assert {(ligne.methode, ligne.chemin) for ligne in A_ECRIRE} == ECRITES.keys()
    assert de_la_bibliotheque == LUES.keys() | ECRITES.keys()


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


@pytest.mark.parametrize("ligne", A_ECRIRE, ids=str)
def test_une_page_ecrit_comme_l_api(ligne):
    scene = Scene()
    ressource = fabriques.ressource(scene.user_owner)
    dits = {"titre": "Guide"}
    if ligne.chemin.endswith("upload"):
        dits["fichier"] = SimpleUploadedFile("guide.pdf", b"%PDF-1.7\n")
    elif ligne.methode == "POST":
        dits["public_url"] = "https://campus.example.org/guide.pdf"
    visiteuse = navigateur(scene, ligne.acteur)

    reponse = visiteuse.envoyer(ECRITES[ligne.methode, ligne.chemin].format(ressource.pk), dits)

    if ligne.attendu in ("200", "201", "204"):
        assert reponse.status_code == 303, texte_de(reponse)[:500]
        assert Ressource.objects.vivantes().count() == (0 if ligne.methode == "DELETE" else 2)
    else:
        attendu = 403 if ligne.acteur in ("guest_owner", "guest_stranger") else int(ligne.attendu)
        assert reponse.status_code == attendu
        assert list(Ressource.objects.vivantes()) == [ressource]
