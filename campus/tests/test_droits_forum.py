"""Who may do what on the forum's pages: as the API answers, row by row of the permission matrix.

A page takes back a reaction of one's own alone, named by its kind: that row is in `test_forum.py`.
"""

import pytest

from config.tests.outils.scene import LIGNES, Scene
from forum.models import Commentaire, Poste, Reaction
from portail.tests.outils import texte_de
from portail.tests.test_droits import navigateur

pytestmark = pytest.mark.django_db
POSTES, URL = "/api/v1/postes", "/campus/forum/"
UN, UNE = f"{POSTES}/{{poste_id}}", f"{URL}{{poste_id}}/"
# Row of the API -> the page that does it, and what is posted to it.
ACTES = {
    ("GET", f"{POSTES}/"): (f"{URL}?vue=miennes", None),
    ("GET", f"{POSTES}/approuves"): (URL, None),
    ("POST", f"{POSTES}/"): (f"{URL}ecrire/", {"contenu": "Qui vient ?"}),
    ("GET", UN): (UNE, None),
    ("DELETE", UN): (f"{UNE}supprimer/", {}),
    ("GET", f"{UN}/commentaires"): (UNE, None),
    ("POST", f"{UN}/commentaires"): (f"{UNE}repondre/", {"contenu": "Moi !"}),
    ("DELETE", f"{UN}/commentaires/{{commentaire_id}}"): (f"{UNE}reponses/{{commentaire_id}}/supprimer/", {}),
    ("GET", f"{UN}/reactions"): (UNE, None),
    ("POST", f"{UN}/reactions"): (f"{UNE}reagir/", {"type": "SOUTIEN"}),
}
# A cookie is one credential; what became of a guest's space is said by the frame of the campus, not by its pages.
DU_CADRE = ("bad_bearer_good_guest", "merged_guest", "disabled_guest")
CHOISIES = [une for une in LIGNES if (une.methode, une.chemin) in ACTES and une.acteur not in DU_CADRE]


def ecrits():
    return [list(un.objects.order_by("pk").values()) for un in (Poste, Commentaire, Reaction)]


def test_les_lignes_du_forum_y_sont_toutes():
    du_forum = {(une.methode, une.chemin) for une in LIGNES if "/postes" in une.chemin and une.methode != "WS"}
    de_l_equipe = {"epingle", "statut", "historique"}
    communes = {une for une in du_forum if une[1].rpartition("/")[2] not in de_l_equipe}

    assert {(ligne.methode, ligne.chemin) for ligne in CHOISIES} == ACTES.keys()
    assert communes - ACTES.keys() == {("DELETE", f"{UN}/reactions/{{reaction_id}}")}


@pytest.mark.parametrize("ligne", CHOISIES, ids=str)
def test_une_page_repond_comme_l_api(ligne):
    scene = Scene()
    adresse, donnees = ACTES[ligne.methode, ligne.chemin]
    cles = {nom: scene.valeur(nom, ligne.acteur) for nom in ("poste_id", "commentaire_id") if f"{{{nom}}}" in adresse}
    visiteuse = navigateur(scene, ligne.acteur)
    adresse = adresse.format(**cles)
    avant = ecrits()

    reponse = visiteuse.get(adresse) if donnees is None else visiteuse.envoyer(adresse, donnees)

    if ligne.attendu in ("200", "201", "204"):
        assert reponse.status_code == (200 if donnees is None else 303), texte_de(reponse)[:500]
        assert (ecrits() == avant) == (donnees is None)
    else:
        refuse(ligne, reponse)
        assert ecrits() == avant


def refuse(ligne, reponse):
    """A guest's space reads that this part is of accounts; without one that is open, one is led to the sign-in."""
    if ligne.acteur in ("guest_owner", "guest_stranger"):
        assert reponse.status_code == 403
        assert "Cette partie est pour les comptes." in texte_de(reponse)
    elif ligne.attendu == "401" and ligne.methode == "GET":
        assert (reponse.status_code, reponse.headers["Location"].partition("?")[0]) == (303, "/compte/connexion/")
    else:
        assert reponse.status_code == int(ligne.attendu)
